# attack roc reads curves as scikit-learn's roc_curve writes them, with and without drop_intermediate, with thresholds and without.
import csv, json, os, random, subprocess, sys, tempfile
from sklearn.metrics import roc_curve

scrim = os.environ.get('SCRIM', 'build/scrim')
folder = tempfile.mkdtemp()

def write(name, header, rows):
    path = os.path.join(folder, name)
    with open(path, 'w', newline='') as f:
        w = csv.writer(f); w.writerow(header); w.writerows(rows)
    return path

def attack(data, out, drop, thresholds, *more):
    fpr, tpr, cut = roc_curve([d for _, d in data], [t for t, _ in data], drop_intermediate=drop)
    rows = zip(fpr, tpr, cut) if thresholds else zip(fpr, tpr)
    curve = write('roc.csv', ['fpr', 'tpr', 'threshold'][:3 if thresholds else 2], [[repr(float(x)) for x in r] for r in rows])
    known = write('known.csv', ['t', 'd'], [x for i, x in enumerate(data) if i not in out])
    run = subprocess.run([scrim, 'attack', 'roc', curve, '--known', known, '--score', 't', '--status', 'd', '--n', str(len(data)), '--format', 'json', *more], capture_output=True, text=True)
    if run.returncode: sys.exit('%s\n%s' % (' '.join(run.args), run.stderr))
    answer = json.loads(run.stdout)
    table = answer['tables']['missing']
    return answer['values'], [dict(zip(table['columns'], r)) for r in table['rows']]

def alike(a, b):
    """The same rows; probabilities are sums in another order, and agree to 12 digits."""
    return len(a) == len(b) and all({**r, 'probability': 0} == {**s, 'probability': 0}
                                    and abs(r['probability'] - s['probability']) < 1e-12 for r, s in zip(a, b))

def holds(data, out, missing, closed):
    hidden = sorted((data[i] for i in out), reverse=True)
    assert len(hidden) == len(missing)
    for (t, d), row in zip(hidden, missing):
        assert row['lower'] is None or row['lower'] < t or (closed and row['lower'] == t), (t, row)
        assert row['upper'] is None or t < row['upper'] or (closed and row['upper'] == t), (t, row)

with open('examples/clinic.csv') as f:
    rows = list(csv.DictReader(f))[:150]
for seed in range(5):
    random.seed(seed)
    out = set(random.sample(range(150), 20))
    data = [(float(r['score']) + i * 1e-6, int(r['event'])) for i, r in enumerate(rows)]
    full, a = attack(data, out, False, False)
    thin, b = attack(data, out, True, False)
    assert full['solutions'] == thin['solutions'] and alike(a, b), (full, thin, a, b)
    holds(data, out, a, False)
    values, c = attack(data, out, False, True)
    assert values['solutions'] == 1 and values['statuses_certain'] == 20
    assert [r['lower'] for r in c] == sorted((data[i][0] for i in out), reverse=True)
    assert [r['status'] for r in c] == [d for _, d in sorted((data[i] for i in out), reverse=True)]
    values, c = attack(data, out, True, True)
    holds(data, out, c, True)
    tied = [(round(t / 2), d) for t, d in data]
    kept, a = attack(tied, out, False, False)
    holds(tied, out, a, True)
    dropped, b = attack(tied, out, True, False, '--collinear', 'dropped')  # with ties, a dropped point cannot be told from a tie
    assert dropped['missing_positives'] == kept['missing_positives']
    holds(tied, out, b, True)
    print('seed %d: %s solutions distinct, %s tied, %s tied and dropped' % (seed, full['solutions'], kept['solutions'], dropped['solutions']))
