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
    if callable(seen): return seen(true, released)
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
            sets = [list(s) for s in {repr(sorted(s, key=repr)): s for s in itertools.combinations(there, min(int(knows), len(there)))}.values()]
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
    for x in rows: truth.setdefault(x[1], []).append(tuple(x[2:]))
    for x in release:
        out.setdefault(x[1], []).append(x[2:])
        own.setdefault(x[1], []).append(tuple(rows[x[0]][2:]))
    found = 0
    for knows in ("1", "2", "all"):
        v = scrim("risk", "reidentification", o, r, "--keys", "sex,ward", "--id", "id", "--person", "pid", "--knows", knows)["values"]
        want = certain(truth, out, own, knows, seen)
        if v["truth"] != "id" or v["people"] != len(out): sys.exit(f"case {case}: {v}")
        if v["certain"] not in want: sys.exit(f"case {case}, {knows} known: certain is {v['certain']}, by enumeration {want}\n{rows}\n{release}")
        found += max(want)
    return found


def blank(rng, rows, columns, share):
    return [[("" if j in columns and rng.random() < share else x) for j, x in enumerate(r)] for r in rows]


def linked(case):
    """A recipe of two or three files: what is known of a person is spread over all of them. Suppression by the recipe, with holes of chance."""
    rng = random.Random(SEED * 15485863 + case)
    people, files = rng.randint(3, 6), rng.choice((2, 3))
    cell = lambda values: "" if rng.random() < .1 else rng.choice(values)
    patients = [[f"P{p}", cell("fm"), rng.choice("xyz")] for p in range(people)]
    visits = [[f"P{p}", rng.choice("abc")] for p in range(people) for _ in range(rng.randint(0, 2))]
    labs = [[f"P{p}", rng.choice("uv")] for p in range(people) for _ in range(rng.randint(0, 2))]
    if len(visits) < 2 or len(labs) < 2: return 0
    rng.shuffle(visits), rng.shuffle(labs)
    tables = [("patients", ["pid", "sex", "town"], patients), ("visits", ["pid", "ward"], visits), ("labs", ["pid", "test"], labs)][:files]
    recipe, knows = "files:\n", rng.choice(("1", "2", "all", "all"))
    for name, head, rows in tables:
        write(f"{name}{case}.csv", head, rows)
        recipe += f"  - {{name: {name}, input: {name}{case}.csv, person: pid, output: {name}{case}.out.csv, roles: {{keys: [{', '.join(head[1:])}], knows: {knows}}}}}\n"
    recipe += "steps:\n  - protect.recode: {var: town, merge: \"x,y=x\"}\n" if rng.random() < .5 else "steps:\n"
    recipe += f"  - protect.suppress: {{keys: [sex, town], k: {rng.choice((2, 2, 3))}}}\n"
    if rng.random() < .5: recipe += "  - protect.suppress: {keys: [ward], k: 2}\n"
    if files == 3 and rng.random() < .5: recipe += "  - protect.suppress: {keys: [test], k: 2}\n"
    path = os.path.join(folder, f"recipe{case}.yaml")
    with open(path, "w") as f: f.write(recipe)
    r = subprocess.run([SCRIM, "run", path, "--seed", "1", "--keep", "--format", "json", "--quiet"], capture_output=True, text=True, cwd=folder)
    if r.returncode not in (0, 3): return 0 if "Lower --k" in r.stderr else sys.exit(f"case {case}: {r.stderr}\n{recipe}")
    v = json.loads(r.stdout)["results"]["after"]["results"]["risk.reidentification"]["values"]
    out = [(name, rows, read(os.path.join(folder, f"{name}{case}.out.csv"))) for name, _, rows in tables]
    if any(len(was) != len(now) for _, was, now in out): return 0
    seen = {}
    for name, was, now in out:
        for k in range(1, len(was[0])):
            s = seen[name, k] = channels([(a[k:k + 1], b[k:k + 1]) for a, b in zip(was, now)], 1)[0]
            if {a[k] for a in was} - set(s) - {""}: return 0  # some value is nowhere to be seen
            s[""] = set()

    def history(which):
        """Person → records: the patient's beside each of the others, or alone."""
        people = {}
        for i, row in enumerate(out[0][which]): people[out[0][1][i][0]] = (row, [])
        for name, *both in out[1:]:
            for i, row in enumerate(both[which - 1]): people[both[0][i][0]][1].append((name, row))
        return {p: [(row, name, other) for name, other in others] or [(row, "patients", row)] for p, (row, others) in people.items()}

    def fits(t, r):
        same = lambda name, a, b: all(not y or y in seen[name, k].get(x, ()) for k, (x, y) in enumerate(zip(a[1:], b[1:]), 1))
        return t[1] == r[1] and same("patients", t[0], r[0]) and (t[1] == "patients" or same(t[1], t[2], r[2]))
    truth, release = history(1), history(2)
    want = certain(truth, release, truth, knows, fits)
    if v["truth"] == "unknown" or v["people"] != people: sys.exit(f"case {case}: {v}")
    if v["certain"] not in want: sys.exit(f"case {case}, {knows} known: certain is {v['certain']}, by enumeration {want}\n{recipe}{out}")
    return max(want)


with ThreadPoolExecutor(2) as pool: found = sum(pool.map(one, range(CASES))) + sum(pool.map(linked, range(CASES)))
if not found: sys.exit("nobody was certain in any case: the test tests nothing")
print(f"{CASES} sets of files hold, {found} people certain")
