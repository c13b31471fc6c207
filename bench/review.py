#!/usr/bin/env python3
"""Runs the loop of `scrim scrub review` against marks that exist already, in the reviewer's place.

usage: bench/review.py NOTES MARKS KINDS [--rounds N] [--questions N] [--seed N] [--pool N] [--target T]

NOTES is a table with a column `note`, MARKS one with row, start, end and kind, KINDS one with kind and as: marks of other kinds do not
count. The first POOL notes are reviewed, the others are held back. For each round it prints the estimate with its interval, the true recall
of the same model over the same passages, and at the end the recall on the notes that were held back, before and after."""
import argparse, csv, json, os, subprocess, tempfile

HOME = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
SCRIM = os.environ.get('SCRIM', os.path.join(HOME, 'build', 'scrim'))


def rows(path):
    with open(path, encoding='utf-8', newline='') as f: return list(csv.DictReader(f))


def write(path, table):
    with open(path, 'w', encoding='utf-8', newline='') as f:
        w = csv.DictWriter(f, list(table[0]))
        w.writeheader()
        w.writerows(table)


def scrim(*words):
    return json.loads(subprocess.run([SCRIM, *words, '--format', 'json', '--quiet'], check=True, stdout=subprocess.PIPE).stdout)['values']


def covered(notes, report, model):
    """The characters of each note that a run replaces."""
    words = ['scrub', notes, '--columns', 'note', '--report', report] + (['--model', model] if model else [])
    subprocess.run([SCRIM, *words, '--replace', 'label', '--quiet'], check=True, stdout=subprocess.DEVNULL)
    places = {}
    for r in rows(report): places.setdefault(int(r['row']), set()).update(range(int(r['start']), int(r['end'])))
    return places


def recall(notes, marks, places, reviewed=()):
    """Whole marks and all marks, without those that begin in a reviewed passage."""
    whole = count = 0
    for row, start, end, _ in marks:
        if any(row == n and a <= start < b for n, a, b in reviewed): continue
        count += 1
        found = places.get(row, ())
        whole += all(i in found for i in range(start, end) if notes[row]['note'][i].isalnum())
    return whole, count


def answer(path, notes, marks):
    """What a reviewer who misses nothing writes into the column `answer`."""
    table = rows(path)
    passages = {}
    for r in table: passages.setdefault(r['passage'], []).append(r)
    for group in passages.values():
        head = next(r for r in group if r['state'] == 'passage')
        if head['answer']: continue
        row, a, b = int(head['row']), int(head['start']), int(head['end'])
        here = [(max(a, s), min(b, e), k) for n, s, e, k in marks if n == row and s < b and a < e]
        finds = [r for r in group if r['state'] == 'found']
        cover = {i for r in finds for i in range(int(r['start']), int(r['end']))}
        for r in finds:
            if not any(s < int(r['end']) and int(r['start']) < e for s, e, _ in here): r['answer'] = 'no'
        text = notes[row]['note']
        missing = ['%s=%s' % (k, text[s:e]) for s, e, k in here if any(i not in cover for i in range(s, e) if text[i].isalnum())]
        head['answer'] = ' | '.join(m.replace('|', ' ') for m in missing) or 'none'
    write(path, table)
    return [(int(g['row']), int(g['start']), int(g['end'])) for g in table if g['state'] == 'passage']


def main():
    p = argparse.ArgumentParser()
    p.add_argument('notes')
    p.add_argument('marks')
    p.add_argument('kinds')
    p.add_argument('--rounds', type=int, default=4)
    p.add_argument('--questions', type=int, default=200)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--pool', type=int, default=250)
    p.add_argument('--target', default='0.98')
    a = p.parse_args()
    names = {r['kind']: r['as'] for r in rows(a.kinds)}
    notes = [{'note': r['note']} for r in rows(a.notes)]
    marks = [(int(r['row']), int(r['start']), int(r['end']), names[r['kind']]) for r in rows(a.marks) if names.get(r['kind'])]
    with tempfile.TemporaryDirectory() as folder:
        at = lambda name: os.path.join(folder, name)
        pool, held = notes[:a.pool], notes[a.pool:]
        write(at('pool.csv'), pool)
        write(at('held.csv'), held)
        inside, outside = [m for m in marks if m[0] < a.pool], [(m[0] - a.pool, *m[1:]) for m in marks if m[0] >= a.pool]
        base = ['scrub', 'review', '--notes', at('pool.csv'), '--questions', str(a.questions), '--seed', str(a.seed), '--target', a.target]
        print('passages to review: %d' % scrim(*base, '-o', at('q0.csv'))['passages'])
        model, reviewed = None, []
        before = recall(held, outside, covered(at('held.csv'), at('r.csv'), None))
        print('round passages marks missed estimate interval          truth  enough')
        for n in range(a.rounds):
            sheet, following, made = at('q%d.csv' % n), at('q%d.csv' % (n + 1)), at('m%d.csv' % n)
            whole, count = recall(pool, inside, covered(at('pool.csv'), at('r.csv'), model), reviewed)
            reviewed = answer(sheet, pool, inside)
            v = scrim(*base, '--answers', sheet, '-o', following, '-o', made)
            print('%5d %8d %5d %6d %8.4f %.4f to %.4f %8.4f %5d' % (v['round'], v['answered'], v['marks'], v['missed'], v['recall_whole'],
                  v['recall_whole_low'], v['recall_whole_high'], whole / count, v['enough']), flush=True)
            model = made
            if v['enough']: break
        after = recall(held, outside, covered(at('held.csv'), at('r.csv'), model))
        print('notes held back: %d marks, whole %.4f before, %.4f after' % (before[1], before[0] / before[1], after[0] / after[1]))


if __name__ == '__main__': main()
