#!/usr/bin/env python3
"""usage: soak.py PROGRAM DATA [--seeds N] [--first N] [--seconds S] [--only WORD] [--file WORD] [--kind WORD] [--rows N] [--many N] [--report FILE]

Drives the built program over real files, as they are and made harder (missing values, letter codes among numbers, weights, many records),
and holds what comes out against what must hold whatever the data. Nothing here knows a right answer: only what answers must have in
common. Ends with 1 where something does not hold."""
import argparse, bisect, csv, json, math, os, random, re, subprocess, sys, tempfile, time

FILES = {  # keys, numbers, a sensitive category, a weight
    'nist/national2019.csv': (['AGEP', 'SEX', 'RAC1P', 'EDU'], ['AGEP', 'PINCP', 'POVPIP'], 'MSP', 'PWGTP'),
    'adult.csv': (['age', 'sex', 'race', 'education'], ['age', 'capital-gain', 'hours-per-week'], 'occupation', 'fnlwgt'),
    'sd2011.csv': (['sex', 'agegr', 'region', 'edu'], ['age', 'income', 'height', 'weight'], 'socprof', None),
    'sdcmicro_testdata.csv': (['urbrur', 'sex', 'age', 'relat'], ['expend', 'income', 'savings'], 'roof', 'sampling_weight'),
    'cleveland.csv': (['sex', 'cp', 'slope'], ['age', 'trestbps', 'chol', 'thalach', 'oldpeak'], 'thal', None),
    'census_casc.csv': ([], ['AGI', 'FEDTAX', 'PTOTVAL', 'INTVAL', 'ERNVAL'], None, 'AFNLWGT'),
}
SKIP = {'scrub.text', 'scrub.evaluate', 'scrub.facts', 'scrub.train', 'attack.home', 'protect.location', 'protect.matrix-mask', 'release.calibrate'}


ORDERED = {'attack.inference'}  # its page names the order: the lowest row among equals


class Soak:
    def __init__(self, a):
        self.a, self.folder, self.faults, self.held, self.runs, self.began = a, tempfile.mkdtemp(prefix='soak-'), [], 0, 0, time.time()
        self.slow = {}
        registry = json.loads(subprocess.run([a.program, 'methods', '--format', 'json'], capture_output=True, text=True).stdout)
        self.methods = {m['method']: m for m in (registry if isinstance(registry, list) else registry['methods'])}

    def hold(self, what, condition, detail=''):
        self.held += 1
        if not condition:
            self.faults.append((what, str(detail)[:300]))
            print('FAULT %s: %s' % (what, str(detail)[:300]), flush=True)
        return condition

    def run(self, *args, seconds=100):
        self.runs += 1
        began = time.time()
        try: done = subprocess.run([self.a.program, *map(str, args)], capture_output=True, text=True, timeout=seconds, errors='replace')
        except subprocess.TimeoutExpired: return 124, None, 'took more than %d seconds' % seconds
        took = time.time() - began
        name = ' '.join(map(str, args[:2]))
        if took > self.slow.get(name, 0): self.slow[name] = took
        out = None
        if '--format' in args and done.returncode in (0, 3):
            try: out = json.loads(done.stdout)
            except ValueError: self.hold('JSON of ' + name, False, done.stdout[:200])
        return done.returncode, out, done.stderr.strip()

    def values(self, *args, **k):
        code, out, said = self.run(*args, '--format', 'json', **k)
        return (out['values'] if code in (0, 3) and out else None), said


def read(path):
    with open(path, newline='') as f:
        rows = list(csv.reader(f))
    return rows[0], rows[1:]


def write(path, head, rows):
    with open(path, 'w', newline='') as f:
        out = csv.writer(f)
        out.writerow(head)
        out.writerows(rows)
    return path


def number(cell):
    try: return float(cell)
    except ValueError: return None


# ---- the files, as they are and made harder ----

def variants(soak, name, rng):
    keys, numbers, sensitive, weight = FILES[name]
    head, rows = read(os.path.join(soak.a.data, name))
    rows = rng.sample(rows, min(len(rows), soak.a.rows))
    used = list(dict.fromkeys(keys + numbers + ([sensitive] if sensitive else []) + ([weight] if weight else [])))
    at = [head.index(u) for u in used]
    rows = [[r[i] for i in at] for r in rows]
    stem = os.path.join(soak.folder, re.sub(r'\W', '_', name))
    place = {u: i for i, u in enumerate(used)}

    def changed(share, make, columns):
        return [[make(c) if used[j] in columns and rng.random() < share else c for j, c in enumerate(r)] for r in rows]

    yield 'plain', write(stem + '_plain.csv', used, rows)
    yield 'missing', write(stem + '_missing.csv', used, changed(0.15, lambda c: '', [u for u in used if u != weight]))
    yield 'codes', write(stem + '_codes.csv', used, changed(0.03, lambda c: 'N' if rng.random() < .5 else '.a', [u for u in numbers]))
    if soak.a.many:
        many = [list(rng.choice(rows)) for _ in range(soak.a.many)]
        for r in many:
            for n in numbers:
                v = number(r[place[n]])
                if v is not None and '.' in r[place[n]]: r[place[n]] = repr(round(v * rng.uniform(.99, 1.01), 4))
        yield 'many', write(stem + '_many.csv', used, many)


# ---- every method runs, and its shares are shares ----

def arguments(method, file, other, spec):
    keys, numbers, sensitive, weight = spec
    out, tables, data = [], [], False
    for p in method['params']:
        kind, role = p['kind'], p.get('role') or p['name']
        value = None
        if kind == 'table' and p.get('positional'):
            tables.append(file if p['name'] in ('data', 'original', 'sample', 'train') else other)
            continue
        if kind == 'tables' and p.get('positional'):
            tables += [other, other]
            continue
        if role in ('keys', 'known', 'predictors', 'strata') and keys and (p['required'] or role == 'keys'): value = ','.join(keys)
        elif role in ('numeric', 'vars') and kind == 'columns': value = ','.join(numbers if p.get('numeric') else (keys or numbers)) if p['required'] or role == 'numeric' else None
        elif role == 'sensitive' and p['required']: value = numbers[-1] if p.get('numeric') or not sensitive else sensitive
        elif kind == 'formula' and p['required']: value = '%s ~ %s' % (numbers[0], numbers[1])
        elif kind == 'column' and p['required']: value = numbers[0] if p.get('numeric') or not sensitive else sensitive
        elif kind == 'columns' and p['required']: value = ','.join(numbers if p.get('numeric') else (keys or numbers))
        if value is not None: out += ['--' + p['name'].replace('_', '-'), value]
    return tables + out


def is_share(v):
    return v.get('type') == 'real' and re.match(r'(The )?(smallest |largest |mean |average )?(share|probability|expected share)\b', v['meaning'].lower())


def every_method(soak, name, kind, file, seed):
    spec = FILES[name]
    noisy = os.path.join(soak.folder, 'noisy.csv')
    soak.run('protect', 'noise', file, '--vars', ','.join(spec[1]), '--amount', .2, '--seed', seed, '-o', noisy)
    for full, method in soak.methods.items():
        group = full.split('.')[0]
        if group not in ('risk', 'attack', 'protect', 'utility', 'synth') or full in SKIP: continue
        if kind == 'many' and full not in MANY: continue
        args = arguments(method, file, noisy if os.path.exists(noisy) else file, spec)
        out = ['-o', os.path.join(soak.folder, 'made.csv')] if group in ('protect', 'synth') and full != 'synth.combine' else []
        drawn = ['--seed', seed] if 'random' in method['traits'] else []
        code, made, said = soak.run(group, full.split('.')[1], *args, *drawn, *out, '--format', 'json', seconds=150)
        what = '%s on %s (%s)' % (full, name, kind)
        soak.hold(what + ': ends as it should', code in (0, 1, 2, 3), (code, said[-200:]))
        soak.hold(what + ': an error says why', code == 0 or len(said) > 10, (code, said))
        if code == 1: soak.hold(what + ': the method does not fail on its own', False, said[-200:])
        if not made: continue
        for v in method['values']:
            x = made['values'].get(v['name']) if v['kind'] == 'value' else None
            if isinstance(x, (int, float)) and is_share(v):
                soak.hold(what + ': %s is a share' % v['name'], -1e-9 <= x <= 1 + 1e-9, x)


MANY = {'risk.k-anonymity', 'risk.individual', 'risk.suda', 'risk.population-uniques', 'risk.reidentification', 'risk.linkage', 'attack.membership',
        'attack.inference', 'protect.suppress', 'protect.microaggregate', 'protect.noise', 'protect.distort', 'protect.shuffle', 'protect.rank-swap',
        'synth.cart', 'synth.copula', 'utility.compare', 'utility.propensity'}


# ---- an identical copy is the worst release; order says nothing ----

def releases(soak, file, spec, seed):
    keys, numbers = spec[0], ','.join(spec[1])
    made = {'copy': file}
    for label, args in (('noise', ['protect', 'noise', file, '--vars', numbers, '--amount', .5]), ('rank-swap', ['protect', 'rank-swap', file, '--vars', numbers]),
                        ('shuffled', ['protect', 'distort', file, '--vars', numbers])):
        path = os.path.join(soak.folder, 'r_%s.csv' % label)
        code, _, said = soak.run(*args, '--seed', seed, '-o', path)
        if code == 0: made[label] = path
    return made


def copy_is_worst(soak, name, kind, file, seed):
    spec = FILES[name]
    numbers = ','.join(spec[1])
    n = sum(1 for _ in open(file)) - 1
    for method, value, args in (('risk reidentification', 'share', ['--vars', numbers] + (['--keys', ','.join(spec[0])] if spec[0] else [])),
                                ('risk linkage', 'confidentiality', ['--vars', numbers])):
        seen = {}
        for label, path in releases(soak, file, spec, seed).items():
            v, said = soak.values(*method.split(), file, path, *args, seconds=200)
            if v is not None and v.get(value) is not None: seen[label] = float(v[value]) * (-1 if value == 'confidentiality' else 1)
        if 'copy' not in seen: continue
        for label, x in seen.items():
            error = 4 * math.sqrt(.25 / n) + 1e-9
            soak.hold('%s of an identical copy is the largest, %s (%s), against %s' % (method, name, kind, label), seen['copy'] >= x - error, seen)


def copy_is_worst_for_members(soak, name, kind, file, seed):
    spec = FILES[name]
    head, rows = read(file)
    random.Random(seed).shuffle(rows)
    half = len(rows) // 2
    train, held = write(os.path.join(soak.folder, 'c_a.csv'), head, rows[:half]), write(os.path.join(soak.folder, 'c_b.csv'), head, rows[half:])
    seen = {}
    for label, path in releases(soak, train, spec, seed).items():
        v, said = soak.values('attack', 'membership', path, train, held, '--vars', ','.join(spec[1]), seconds=200)
        if v is not None and v.get('auc') is not None: seen[label] = float(v['auc'])
    for label, x in seen.items() if 'copy' in seen else ():
        soak.hold('attack membership of an identical copy is the largest, %s (%s), against %s' % (name, kind, label),
                  seen['copy'] >= x - 4 * math.sqrt(1 / (6 * half)), seen)


def more_columns(soak, name, kind, file, seed):
    spec = FILES[name]
    made = releases(soak, file, spec, seed)
    n = sum(1 for _ in open(file)) - 1
    for label, path in made.items():
        if label == 'copy': continue
        shares = []
        for k in (1, len(spec[1])):
            v, _ = soak.values('risk', 'reidentification', file, path, '--vars', ','.join(spec[1][-k:]), seconds=200)
            shares.append(float(v['share']) if v and v.get('share') is not None else None)
        if None not in shares:
            soak.hold('more columns do not lower the share, %s (%s), %s' % (name, kind, label), shares[1] >= shares[0] - 4 * math.sqrt(.25 / n), shares)


def order_free(soak, name, kind, file, seed):
    spec = FILES[name]
    head, rows = read(file)
    order = list(range(len(rows)))
    random.Random(seed).shuffle(order)
    noisy = os.path.join(soak.folder, 'o_noisy.csv')
    if soak.run('protect', 'noise', file, '--vars', ','.join(spec[1]), '--amount', .2, '--seed', seed, '-o', noisy)[0]: return
    head2, rows2 = read(noisy)
    moved = write(os.path.join(soak.folder, 'o_a.csv'), head, [rows[i] for i in order])
    moved2 = write(os.path.join(soak.folder, 'o_b.csv'), head2, [rows2[i] for i in order])
    for full, method in soak.methods.items():
        group = full.split('.')[0]
        if group not in ('risk', 'attack', 'utility') or full in SKIP: continue
        if 'random' in method['traits'] or full in ORDERED: continue
        pair = []
        for f, g in ((file, noisy), (moved, moved2)):
            v, said = soak.values(*full.split('.'), *arguments(method, f, g, spec), seconds=150)
            pair.append(v)
        if None in pair: continue
        off = [k for k, x in pair[0].items() if isinstance(x, (int, float)) and isinstance(pair[1].get(k), (int, float)) and abs(x - pair[1][k]) > 1e-9 * max(1, abs(x))]
        soak.hold('%s does not ask the order of records, %s (%s)' % (full, name, kind), not off, {k: (pair[0][k], pair[1][k]) for k in off})


# ---- monotone, exactly ----

def monotone(soak, name, kind, file, seed):
    keys = FILES[name][0]
    if not keys: return
    last = math.inf
    for k in range(1, len(keys) + 1):
        v, said = soak.values('risk', 'k-anonymity', file, '--keys', ','.join(keys[:k]))
        if v is None: return
        soak.hold('more keys never raise k, %s (%s)' % (name, kind), float(v['k']) <= last, (keys[:k], v['k'], last))
        last = float(v['k'])
    head, rows = read(file)
    people, last_known = write(os.path.join(soak.folder, 'p.csv'), head + ['pid'], [r + [i // 3] for i, r in enumerate(rows)]), math.inf
    for knows in ('1', '2', '3', 'all'):
        v, said = soak.values('risk', 'k-anonymity', people, '--keys', ','.join(keys), '--person', 'pid', '--knows', knows)
        if v is None: break
        soak.hold('a larger --knows never raises k, %s (%s)' % (name, kind), float(v['k']) <= last_known, (knows, v['k'], last_known))
        last_known = float(v['k'])
    previous, _ = soak.values('risk', 'k-anonymity', file, '--keys', ','.join(keys), '--previous', file, '--original', file)
    if previous: soak.hold('an earlier release never raises k, %s (%s)' % (name, kind), float(previous['k']) <= last, (previous['k'], last))
    certain = -1
    sensitive = FILES[name][2]
    for colluding in (0, 1, 2):
        v, said = soak.values('attack', 'background', file, '--keys', ','.join(keys), '--sensitive', sensitive, '--colluding', colluding)
        if v is None: break
        soak.hold('more colluding people never lower `certain`, %s (%s)' % (name, kind), float(v.get('certain', 0) or 0) >= certain, (colluding, v.get('certain')))
        certain = float(v.get('certain', 0) or 0)


# ---- data that know nothing of each other ----

def independent(soak, name, kind, file, seed):
    keys, numbers, sensitive, _ = FILES[name]
    if not keys: return
    head, rows = read(file)
    rng = random.Random(seed)
    columns = [list(c) for c in zip(*rows)]
    for c in columns: rng.shuffle(c)
    half = len(rows) // 2
    alone = list(zip(*columns))
    a, b = write(os.path.join(soak.folder, 'i_a.csv'), head, alone[:half]), write(os.path.join(soak.folder, 'i_b.csv'), head, alone[half:])
    v, said = soak.values('attack', 'membership', a, a, b, '--vars', ','.join(numbers), '--seed', seed, seconds=200)
    same, _ = soak.values('attack', 'membership', b, a, a, '--vars', ','.join(numbers), '--seed', seed, seconds=200)
    v, said = soak.values('attack', 'regression', a, '--sensitive', numbers[-1], '--predictors', ','.join(keys), '--target', b, '--seed', seed, seconds=200)
    if v and isinstance(v.get('gain'), (int, float)):
        soak.hold('regression on unrelated columns gains nothing, %s (%s)' % (name, kind), v['gain'] <= 4 * math.sqrt(.5 / half), v['gain'])
    v, said = soak.values('attack', 'inference', a, a, b, '--sensitive', sensitive, '--known', ','.join(keys), '--seed', seed, seconds=200)
    if v and isinstance(v.get('risk'), (int, float)) and isinstance(v.get('control'), (int, float)):
        soak.hold('nothing is inferred of people outside unrelated columns, %s (%s)' % (name, kind), v['control'] - v.get('baseline', v['control']) <= 4 * math.sqrt(.5 / half), v)


# ---- what drawn columns must keep ----

def marginals(soak, name, kind, file, seed):
    keys, numbers, _, _ = FILES[name]
    out = os.path.join(soak.folder, 'm.csv')
    head, rows = read(file)
    for method, exact in (('swap', True), ('rank-swap', False), ('reorder', True), ('shuffle', True)):
        args = {'swap': ['--keys', ','.join(keys)], 'rank-swap': ['--vars', ','.join(numbers)], 'reorder': [], 'shuffle': ['--confidential', numbers[-1], '--nonconfidential', ','.join(numbers[:-1])]}[method]
        if method == 'swap' and not keys: continue
        if soak.run('protect', method, file, *args, '--seed', seed, '-o', out)[0]: continue
        head2, rows2 = read(out)
        soak.hold('protect %s keeps the records\' number, %s (%s)' % (method, name, kind), len(rows2) == len(rows), (len(rows), len(rows2)))
        for column in (keys + numbers if exact else []):
            def cells(h, r): return sorted((number(x[h.index(column)]) if number(x[h.index(column)]) is not None else math.inf, x[h.index(column)] if number(x[h.index(column)]) is None else '') for x in r)
            soak.hold('protect %s keeps every value of %s, %s (%s)' % (method, column, name, kind), cells(head, rows) == cells(head2, rows2))
    for method in ('cart', 'copula'):
        args = ['--vars', ','.join(keys + numbers)] if any(p['name'] == 'vars' for p in soak.methods['synth.' + method]['params']) else []
        if soak.run('synth', method, file, *args, '--seed', seed, '-o', out, seconds=200)[0]: continue
        head2, rows2 = read(out)
        for column in [c for c in keys + numbers if c in head2]:
            def shares(h, r):
                s = {}
                for x in r:
                    cell = x[h.index(column)]
                    gone = cell == '' or (column in numbers and number(cell) is None)
                    s[gone] = s.get(gone, 0) + 1 / len(r)
                return s.get(True, 0)
            before, after = shares(head, rows), shares(head2, rows2)
            error = 5 * math.sqrt(max(before * (1 - before), .25 / len(rows)) * 2 / len(rows)) + .005  # a false alarm in 10⁶
            soak.hold('synth %s keeps the share that is missing, %s, %s (%s)' % (method, column, name, kind), abs(before - after) <= error, (before, after))
            x, y = ([v for v in (number(q[h.index(column)]) for q in r) if v is not None] for h, r in ((head, rows), (head2, rows2)))
            if column in numbers and len(x) > 100 and len(y) > 100:
                x.sort(), y.sort()
                values = sorted(set(x + y))
                ks = max(abs(bisect.bisect_right(x, v) / len(x) - bisect.bisect_right(y, v) / len(y)) for v in values)
                soak.hold('synth %s keeps the distribution of %s, %s (%s)' % (method, column, name, kind), ks <= 2.8 * math.sqrt(1 / len(x) + 1 / len(y)) + .02, ks)  # a false alarm in 10⁶


CHECKS = [every_method, copy_is_worst, copy_is_worst_for_members, more_columns, order_free, monotone, independent, marginals]


def main():
    p = argparse.ArgumentParser()
    p.add_argument('program'), p.add_argument('data'), p.add_argument('--seeds', type=int, default=10), p.add_argument('--first', type=int, default=1), p.add_argument('--seconds', type=float, default=1e9)
    p.add_argument('--only', default=''), p.add_argument('--rows', type=int, default=1500), p.add_argument('--many', type=int, default=200000), p.add_argument('--report')
    p.add_argument('--file', default=''), p.add_argument('--kind', default='')
    soak = Soak(p.parse_args())
    names = [n for n in FILES if soak.a.file in n and os.path.exists(os.path.join(soak.a.data, n))]
    if not names: sys.exit('no file of the campaign is in %s' % soak.a.data)
    ended = False
    for seed in range(soak.a.first, soak.a.first + soak.a.seeds):
        for name in names:
            rng = random.Random('%s %d' % (name, seed))
            for kind, file in variants(soak, name, rng):
                for check in CHECKS:
                    if soak.a.only not in check.__name__ or soak.a.kind not in kind or (kind == 'many' and (check not in (every_method, monotone) or seed > soak.a.first)): continue
                    if time.time() - soak.began > soak.a.seconds: ended = True; continue
                    try: check(soak, name, kind, file, seed)
                    except Exception as e: soak.hold('%s on %s (%s) can be judged' % (check.__name__, name, kind), False, repr(e))
                os.remove(file)
    said = '%d commands, %d conditions, %d faults, %.0f s%s' % (soak.runs, soak.held, len(soak.faults), time.time() - soak.began, ', cut short by --seconds' if ended else '')
    print(said)
    for name, took in sorted(soak.slow.items(), key=lambda x: -x[1])[:5]: print('  slowest: %s %.1f s' % (name, took))
    if soak.a.report:
        with open(soak.a.report, 'w') as f: json.dump({'summary': said, 'faults': soak.faults}, f, indent=1)
    sys.exit(1 if soak.faults else 0)


main()
