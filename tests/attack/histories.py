"""Enumeration of all assignments of released people to people, against `certain` of risk reidentification: shares no code with it.

Random small sets of one to three linked files with missing values, recoding, suppression and dropped records. CASES makes it longer; SEED draws others."""
import csv, itertools, json, os, random, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

SCRIM = os.path.abspath(os.environ.get("SCRIM", "build/scrim"))
CASES, SEED = int(os.environ.get("CASES", 60)), int(os.environ.get("SEED", 1))
folder = tempfile.mkdtemp(prefix="scrimtest-")


def scrim(*words):
    r = subprocess.run([SCRIM, *map(str, words), "--format", "json", "--quiet"], capture_output=True, text=True, cwd=folder)
    if r.returncode not in (0, 3): sys.exit(f"scrim {' '.join(map(str, words))}: {r.stderr}")
    return json.loads(r.stdout)


def write(name, head, rows):
    path = os.path.join(folder, name)
    with open(path, "w", newline="") as f: csv.writer(f).writerows([head] + rows)
    return path


def read(path):
    with open(path, newline="") as f: return [list(r.values()) for r in csv.DictReader(f)]


def channels(pairs, keys):
    """What each true value is seen to have become, by key; what nobody's kept cell shows may be any of the released values."""
    seen = [{} for _ in range(keys)]
    for true, released in pairs:
        for k in range(keys):
            if released[k]: seen[k].setdefault(true[k], set()).add(released[k])
    return seen


def record_fits(true, released, seen):
    return all(not r or r in s.get(t, ()) for t, r, s in zip(true, released, seen))


def injection(small, large, fits):
    """Can each of `small` be given to another one of `large`?"""
    partner = {}

    def place(i, met):
        for j in range(len(large)):
            if j in met or not fits(small[i], large[j]): continue
            met.add(j)
            if j not in partner or place(partner[j], met):
                partner[j] = i
                return True
        return False
    return len(small) <= len(large) and all(place(i, set()) for i in range(len(small)))


def possible(known, released, knows, equal, seen):
    """known: records; whole: all of them are known."""
    if knows == "all":
        return (not equal or len(known) == len(released)) and injection(released, known, lambda r, t: record_fits(t, r, seen))
    return injection(known, released, lambda t, r: record_fits(t, r, seen))


def determined(fits):
    """People (released) who have one partner in all complete assignments: every one is listed. fits[r]: who it may be."""
    partners = [set() for _ in fits]

    def walk(i, used):
        if i == len(fits): return True
        found = False
        for who in fits[i] - used:
            if walk(i + 1, used | {who}):
                partners[i].add(who)
                found = True
        return found
    if not walk(0, frozenset()): sys.exit("the truth does not fit")
    return partners


def certain(truth, release, own, knows, seen):
    """truth: person → all records; release: released person → records; own: released person → the person's records that were released.
    A released person is re-identified where the person has no other and can be no other's, over assignments of everybody. Where several sets of known
    records fit equally few people, any may be the one: all results are returned."""
    equal = all(len(truth[p]) == len(release[p]) for p in release)
    people, choices = list(release), []
    for p in truth:
        if knows == "all": sets = [truth[p]]
        else:
            there = own.get(p, truth[p])
            sets = [list(s) for s in {tuple(sorted(map(tuple, s))) for s in itertools.combinations(there, min(int(knows), len(there)))}]
        fitting = [frozenset(i for i, q in enumerate(people) if possible(s, release[q], knows, equal, seen)) for s in sets]
        choices.append(sorted({f for f in fitting if len(f) == min(map(len, fitting))}, key=sorted))
    results = set()
    for chosen in itertools.islice(itertools.product(*choices), 300):
        fits = [{p for p, f in zip(truth, chosen) if i in f} for i in range(len(people))]
        partners = determined(fits)
        results.add(sum(partners[i] == {q} and not complete([f - {q} for f in fits]) for i, q in enumerate(people)))
    return results


def complete(fits):
    return injection(list(range(len(fits))), sorted(set().union(*fits)) if fits else [], lambda i, who: who in fits[i])


def one(case):
    rng = random.Random(SEED * 1000003 + case)
    people = rng.randint(2, 6)
    cell = lambda values: "" if rng.random() < .1 else rng.choice(values)
    rows = [[p, cell("fm"), cell("abcd")] for p in range(people) for _ in range(rng.randint(1, 3))]
    rng.shuffle(rows)
    rows = [[i] + r for i, r in enumerate(rows)]
    merged = dict(a="a", b=rng.choice("ab"), c="c", d=rng.choice("cd"))
    dropped = rng.choice((0, 0, .2))
    release = []
    for i, p, sex, ward in rows:
        if rng.random() < dropped: continue
        release.append([i, p, "" if rng.random() < .3 else sex, "" if rng.random() < .3 else merged.get(ward, "")])
    for k, name in ((2, "sex"), (3, "ward")):  # every true value is seen somewhere
        for value in sorted({r[k] for r in rows} - {""}):
            there = [r for r in release if rows[r[0]][k] == value]
            if not there: return 0
            if not any(r[k] for r in there): there[0][k] = value if k == 2 else merged[value]
    if not release: return 0
    rng.shuffle(release)
    o, r = write(f"o{case}.csv", ["id", "pid", "sex", "ward"], rows), write(f"r{case}.csv", ["id", "pid", "sex", "ward"], release)
    seen = channels([(rows[x[0]][2:], x[2:]) for x in release], 2)
    for k in (0, 1): seen[k][""] = set()
    truth, out, own = {}, {}, {}
    for x in rows: truth.setdefault(x[1], []).append(x[2:])
    for x in release:
        out.setdefault(x[1], []).append(x[2:])
        own.setdefault(x[1], []).append(rows[x[0]][2:])
    found = 0
    for knows in ("1", "2", "all"):
        v = scrim("risk", "reidentification", o, r, "--keys", "sex,ward", "--id", "id", "--person", "pid", "--knows", knows)["values"]
        want = certain(truth, out, own, knows, seen)
        if v["truth"] != "id" or v["people"] != len(out): sys.exit(f"case {case}: {v}")
        if v["certain"] not in want: sys.exit(f"case {case}, {knows} known: certain is {v['certain']}, by enumeration {want}\n{rows}\n{release}")
        found += max(want)
    return found


with ThreadPoolExecutor(2) as pool: found = sum(pool.map(one, range(CASES)))
if not found: sys.exit("nobody was certain in any case: the test tests nothing")
print(f"{CASES} sets of files hold, {found} people certain")
