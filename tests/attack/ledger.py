"""The strongest adversary of small tables against the ledger's books: shares no code with scrim.

Random releases of sums, counts and histograms are debited to random ledgers. For each, every pair of neighbouring tables in the ledger's own unit is gone through by brute
force: what one person (or a group) contributes, replaced by anything that one could contribute, or added and removed. The largest distance between their exact statistics, over
the scale that was printed, is the true ε of the discrete Laplace, ρ and μ of normal noise. No charge and no total may be below it, and where a release is refused nothing may be
spent. CASES makes it longer; SEED draws others."""
import itertools, json, math, os, random, subprocess, sys, tempfile

SCRIM = os.path.abspath(os.environ.get("SCRIM", "build/scrim"))
CASES, rng = int(os.environ.get("CASES", 25)), random.Random(int(os.environ.get("SEED", 1)))
folder = tempfile.mkdtemp(prefix="scrimtest-")


def scrim(*words):
    return subprocess.run([SCRIM, *map(str, words)], capture_output=True, text=True, cwd=folder)


def contributions(values, most, person, unit):
    """What one person, or one record, can be in a table; None: not in it. A person who is in it has one record or more, of which `most` count."""
    sizes = range(1, most + 1) if person else [1]
    real = [c for k in sizes for c in itertools.combinations_with_replacement(values, k)]
    return real, [()] if unit == "add-remove" else real


def statistic(query, records):
    kind, at, bins = query
    if kind == "sum": return (sum(records),)
    if kind == "count": return (sum(x > at for x in records),)
    return tuple(sum(x == b for x in records) for b in bins)


def distance(query, values, most, person, unit, group, norm):
    here, there = contributions(values, most, person, unit)
    moves = {tuple(a - b for a, b in zip(statistic(query, c), statistic(query, d))) for c in here for d in there}
    moves |= {tuple(-a for a in m) for m in moves}
    whole = moves
    for _ in range(group - 1): whole = {tuple(a + b for a, b in zip(m, n)) for m in whole for n in moves}
    return max(sum(abs(a) ** norm for a in m) ** (1 / norm) for m in whole)


def case(number):
    low = rng.randrange(-2, 3)
    values = list(range(low, low + rng.randrange(1, 4) + 1))
    with open(os.path.join(folder, "t.csv"), "w") as out:
        out.write("id,x\n" + "".join(f"{rng.randrange(4)},{rng.choice(values)}\n" for _ in range(8)))
    person, most = rng.random() < 0.5, rng.randrange(1, 4)
    if not person: most = 1
    ours, theirs = rng.choice(["replace-one", "add-remove"]), rng.choice(["replace-one", "add-remove"])
    currency = rng.choice(["epsilon", "zcdp", "gdp"])
    ledger = f"{number}.ledger"
    assert scrim("ledger", "create", ledger, "--budget", currency + "=1000", "--unit", ours).returncode == 0
    truth, refused = {"epsilon": 0, "zcdp": 0, "gdp": 0}, 0
    for turn in range(rng.randrange(1, 3)):
        query = rng.choice([("sum", 0, 0), ("count", rng.choice(values) - 0.5, 0), ("histogram", 0, values)])
        words = {"sum": "sum(x)", "count": f"count() where x > {query[1]}", "histogram": "histogram(x)"}[query[0]] + (f" [{turn + 1}]" if turn else "")
        normal, group, amount = rng.random() < 0.5, rng.choice([1, 1, 2]), rng.choice([0.1, 0.25, 1, 1.5])
        arguments = ["release", "t.csv", "--query", words, "--bounds", f"x:{values[0]}:{values[-1]}", "--unit", theirs, "--group", group, "--ledger", ledger, "--format", "json",
                     "--zcdp" if normal else "--epsilon", amount] + (["--person", "id", "--max-records", most] if person else [])
        told = scrim(*arguments)
        if told.returncode == 3:
            refused += 1
            continue
        assert told.returncode == 0, (arguments, told.stderr)
        told = json.loads(told.stdout)
        parts = told["tables"]["parts"]
        scale = dict(zip(parts["columns"], parts["rows"][0]))["scale"]
        far = distance(query, values, most, person, ours, group, 2 if normal else 1) / scale  # in the ledger's own unit
        true = {"epsilon": math.inf, "zcdp": far ** 2 / 2, "gdp": far ** 2} if normal else {"epsilon": far, "zcdp": far * math.tanh(far / 2) / 2, "gdp": 0}
        charged = float(told["values"]["charged"])
        assert charged >= true[currency] * (1 - 1e-8), (arguments, currency, charged, true)
        for k in truth: truth[k] += true[k]
    shown = json.loads(scrim("ledger", "show", ledger, "--delta", "1e-9", "--format", "json").stdout)["values"]
    assert float(shown["spent"]) ** (2 if currency == "gdp" else 1) >= truth[currency] * (1 - 1e-6) or not math.isfinite(truth[currency]), (shown, truth)
    total = shown.get("total_zcdp") or 0
    assert total >= truth["zcdp"] * (1 - 1e-6), (number, shown, truth)
    assert (shown.get("total_gdp") or 0) ** 2 >= truth["gdp"] * (1 - 1e-6), (number, shown, truth)
    if math.isfinite(truth["epsilon"]) and truth["epsilon"] <= 1.5:  # at δ = 1e-9 pure ε of one release loses next to nothing
        assert (shown.get("total_epsilon") or 0) >= 0.9 * truth["epsilon"], (number, shown, truth)
    os.remove(os.path.join(folder, ledger))
    return refused


refused = sum(case(i) for i in range(CASES))
subprocess.run(["rm", "-rf", folder])
print(f"1 passed, 0 failed ({CASES} ledgers, {refused} releases refused)")
