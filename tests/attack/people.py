"""Enumeration over people with several records, against scrim's counts: shares no code with it.

Random small tables with missing values: k and uniques for an intruder who knows one, two, three or all of a person's records, over every set of records; individual risk; the
fewest values of which each person of a class has one; and the people of whom a value is certain. CASES makes it longer; SEED draws others."""
import csv, itertools, json, math, os, random, subprocess, sys, tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

SCRIM = os.path.abspath(os.environ.get("SCRIM", "build/scrim"))
CASES, SEED = int(os.environ.get("CASES", 60)), int(os.environ.get("SEED", 1))
folder = tempfile.mkdtemp(prefix="scrimtest-")


def scrim(*words):
    r = subprocess.run([SCRIM, *map(str, words), "--format", "json", "--quiet"], capture_output=True, text=True, cwd=folder)
    if r.returncode not in (0, 3): sys.exit(f"scrim {' '.join(map(str, words))}: {r.stderr}")
    return json.loads(r.stdout)["values"]


def write(name, head, rows):
    path = os.path.join(folder, name)
    with open(path, "w", newline="") as f: csv.writer(f).writerows([head] + rows)
    return path


def people_of(rows):
    """A record without a person is a person of its own."""
    people = {}
    for i, row in enumerate(rows): people.setdefault(row[0] or ("nobody", i), []).append(tuple(row[1:]))
    return list(people.values())


def candidates(people, mine, knows):
    if knows == "all": return sum(Counter(other) == Counter(mine) for other in people)
    size = min(int(knows), len(mine))
    return min(sum(not Counter(known) - Counter(other) for other in people) for known in itertools.combinations(mine, size))


def least_values(sets):
    sets = [s for s in sets if s]
    if not sets: return math.nan
    values = sorted(set().union(*sets))
    return next(n for n in range(1, len(values) + 1) if any(all(s & set(c) for s in sets) for c in itertools.combinations(values, n)))


def check(case, what, got, want):
    if got is None or abs(got - want) > 1e-9: sys.exit(f"case {case}: {what} is {got}, by enumeration {want}")


def one(case):
    rng = random.Random(SEED * 1000003 + case)
    cell = lambda values: "" if rng.random() < .15 else rng.choice(values)
    number = rng.randint(1, 7)
    rows = [[cell([str(p) for p in range(number)]), cell("xy"), cell("uvw"), cell("abcd")] for _ in range(rng.randint(1, 14))]
    path = write(f"t{case}.csv", ["who", "a", "b", "s"], rows)
    people, found = people_of([r[:3] for r in rows]), 0
    for knows in ("1", "2", "3", "all"):
        counts = [candidates(people, mine, knows) for mine in people]
        v = scrim("risk", "k-anonymity", path, "--keys", "a,b", "--person", "who", "--knows", knows)
        check(case, f"k of {knows}", v["k"], min(counts))
        check(case, f"uniques of {knows}", v["uniques"], counts.count(1))
        check(case, f"below_3 of {knows}", v["below_3"], sum(c < 3 for c in counts))
        check(case, "people", v["people"], len(people))
        found += counts.count(1)
    v = scrim("risk", "individual", path, "--keys", "a,b", "--person", "who")
    check(case, "individual risk", v["expected_reidentifications"], sum(1 / candidates(people, mine, 1) for mine in people))
    classes = {}
    for i, (who, a, b, s) in enumerate(rows): classes.setdefault((a, b), {}).setdefault(who or ("nobody", i), set()).update({s} - {""})
    least = [least_values(list(c.values())) for c in classes.values()]
    v = scrim("risk", "l-diversity", path, "--keys", "a,b", "--sensitive", "s", "--person", "who")
    if not all(math.isnan(x) for x in least): check(case, "l", v["l"], min(x for x in least if not math.isnan(x)))
    certain = set()
    for c in classes.values():
        told = [s for s in c.values() if s]
        shared = set.intersection(*told) if told else set()
        certain |= {who for who, s in c.items() if s & shared}
    v = scrim("attack", "homogeneity", path, "--keys", "a,b", "--sensitive", "s", "--person", "who")
    check(case, "certain", v["certain"], len(certain))
    full = [[w, a or "x", b or "u", i] for i, (w, a, b, _) in enumerate(rows)]
    path, people = write(f"f{case}.csv", ["who", "a", "b", "row"], full), people_of([r[:3] for r in full])
    for knows in ("1", "2", "all"):
        v = scrim("risk", "reidentification", path, path, "--keys", "a,b", "--person", "who", "--id", "row", "--knows", knows)
        check(case, "people in the release", v["people"], len(people))
        check(case, f"by_counting of {knows}", v["by_counting"], sum(1 / candidates(people, mine, knows) for mine in people))
    return found


def read(path):
    with open(path, newline="") as f: return list(csv.DictReader(f))


def protect(case, words, rows, head, keep):
    """The release with the person of each record, by the number of the record that goes along."""
    source, out = write(f"p{case}.csv", head + ["row"], [r + [i] for i, r in enumerate(rows)]), os.path.join(folder, f"o{case}.csv")
    r = subprocess.run([SCRIM, "protect", words[0], source, *words[1:], "-o", out, "--quiet"], capture_output=True, text=True, cwd=folder)
    if r.returncode: return r.stderr
    released = read(out)
    return [(rows[int(x["row"])], x) for x in released]


def owner(record, x): return record[0] or ("nobody", x["row"])


def alike(case, what, released, columns):
    seen = {}
    for record, x in released: seen.setdefault(owner(record, x), set()).add(tuple(x[c] for c in columns))
    if any(len(s) > 1 for s in seen.values()): sys.exit(f"case {case}: {what} changed one person's records in two ways")


def protected(case):
    """One value of a and b for each person; w varies."""
    rng = random.Random(SEED * 7919 + case)
    people = [[str(p) if rng.random() < .95 else "", rng.choice("xyz"), rng.choice("pqrs"), str(rng.randint(1, 9) * 10)] for p in range(rng.randint(9, 25))]
    rows = [p + [rng.choice("AB")] for p in people for _ in range(rng.randint(1, 3))]
    rng.shuffle(rows)
    head, k = ["who", "a", "b", "n", "w"], rng.choice((2, 3))
    for what in ("suppress", "mondrian", "argus"):
        for keys in ("a,b", "a,b,w"):
            if what == "mondrian" and "w" in keys and case % 2: continue
            if what == "argus" and "w" in keys: continue
            released = protect(case, [what, "--keys", keys, "--k", str(k), "--person", "who"], rows, head, keys)
            if isinstance(released, str): sys.exit(f"case {case}: protect {what} --keys {keys}: {released}")
            classes = {}
            for record, x in released: classes.setdefault(tuple(x[c] for c in keys.split(",")), set()).add(owner(record, x))
            if what != "argus" and min(map(len, classes.values())) < k: sys.exit(f"case {case}: protect {what} --keys {keys} --k {k} left {min(map(len, classes.values()))} people alike")
            alike(case, what, released, ["a", "b"])
    for words in (["swap", "--vars", "a", "--rate", "0.5"], ["pram", "--vars", "a,b", "--keep", "0.6"], ["microaggregate", "--vars", "n", "--k", "3"], ["sample", "--fraction", "0.5"]):
        released = protect(case, words + ["--person", "who", "--seed", str(case)], rows, head, "")
        if isinstance(released, str): sys.exit(f"case {case}: protect {words[0]}: {released}")
        alike(case, words[0], released, ["a", "b", "n"])
        whole, there = Counter(r[0] for r in rows if r[0]), Counter(r[0] for r, x in released if r[0])
        if any(whole[p] != n for p, n in there.items()): sys.exit(f"case {case}: {words[0]} kept some of a person's records")
        if words[0] != "sample" and whole != there: sys.exit(f"case {case}: {words[0]} lost people")
        if words[0] == "swap":
            own = lambda pick: Counter(dict(((owner(r, x), pick(r, x)) for r, x in released)).values())
            if own(lambda r, x: x["a"]) != own(lambda r, x: r[1]): sys.exit(f"case {case}: swap changed how many people have each value")
    mixed = protect(case, ["pram", "--vars", "a,w", "--keep", "0.6", "--person", "who"], rows, head, "")
    if not isinstance(mixed, str) and any(r[0] and Counter(q[0] for q in rows)[r[0]] > 1 for r in rows) and len({(r[0], r[4]) for r in rows if r[0]}) > len({r[0] for r in rows if r[0]}):
        sys.exit(f"case {case}: pram took a constant attribute and one that varies together")


with ThreadPoolExecutor(2) as pool: found = sum(pool.map(one, range(CASES)))
if not found: sys.exit("nobody was unique in any case: the test tests nothing")
with ThreadPoolExecutor(2) as pool: list(pool.map(protected, range(CASES // 3)))
print(f"{CASES} tables hold")
