"""The program with a PostgreSQL of its own on a private socket: the confidential table and the ledger both in it.

A release reads its table there, debits its ledger there, and answers the identical request from the ledger; budgets, plans, verification and exports work as with files. Skipped
(77) where no PostgreSQL is installed."""
import glob, json, os, shutil, subprocess, sys, tempfile

SCRIM = os.path.abspath(os.environ.get("SCRIM", "build/scrim"))
ROOT = os.getcwd()
binaries = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
if not binaries: sys.exit(77)
tools = os.path.dirname(binaries[-1])
folder = tempfile.mkdtemp(prefix="scrimtest-")
as_user = [] if os.getuid() else ["runuser", "-u", "postgres", "--"]  # root may not run one
if as_user: subprocess.run(["chown", "postgres", folder], check=True)
os.chmod(folder, 0o711)
socket = os.path.join(folder, "data")
work = tempfile.mkdtemp(prefix="scrimtest-")


def tool(name, *words, **more):
    return subprocess.run([*as_user, os.path.join(tools, name), *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)


def scrim(*words, code=0):
    told = subprocess.run([SCRIM, *map(str, words)], capture_output=True, text=True, cwd=work)
    assert told.returncode == code, (words, told.returncode, told.stdout[-500:], told.stderr[-500:])
    return json.loads(told.stdout) if "json" in words and not code else told.stdout + told.stderr


def released(*words, code=0):
    return scrim("release", data, *words, "--ledger", ledger, "--format", "json", code=code)


def numbers(made):
    return [row[1:] for row in made["tables"]["answers"]["rows"]]  # without the query, which is shown as it was written


tool("initdb", "-D", socket, "-A", "trust", "-U", "scrim", "--no-sync", check=True)
tool("pg_ctl", "-D", socket, "-w", "-o", f"-c listen_addresses='' -c unix_socket_directories={socket}", "-l", os.path.join(socket, "log"), "start", check=True)
try:
    database = f"postgresql:///postgres?host={socket}&user=scrim"
    data, ledger = database + "#clinic", f"postgresql:///books?host={socket}&user=scrim"
    tool("createdb", "-h", socket, "-U", "scrim", "books", check=True)
    scrim("convert", os.path.join(ROOT, "examples/clinic.csv"), data)
    with open(os.path.join(work, "schema.yaml"), "w") as out:
        out.write("unit: replace-one\ncolumns:\n  age: {type: integer, bounds: [18, 95]}\n  smoker: {type: integer, bounds: [0, 1]}\n  sex: {categories: [f, m]}\n")

    scrim("ledger", "create", ledger, "--budget", "epsilon=1,delta=1e-6", "--accounts", "census:0.8")
    first = released("--query", "mean(age); count() by sex", "--schema", "schema.yaml", "--epsilon", "0.5", "--account", "census")
    assert first["values"]["charged"] == "0.5" and first["values"]["left"] == "0.3", first["values"]
    again = released("--query", " mean( age );count() by sex", "--schema", "schema.yaml", "--epsilon", "0.50", "--account", "census")
    assert again["values"]["charged"] == "0" and numbers(again) == numbers(first), (first["tables"], again["tables"])
    refused = released("--query", "count() where smoker == 1", "--schema", "schema.yaml", "--epsilon", "0.4", "--account", "census", code=3)
    assert "0.3" in refused, refused
    other = released("--query", "count() where smoker == 1", "--epsilon", "0.1", "--account", "census", code=3)  # bound to the schema
    assert "schema" in other, other

    with open(os.path.join(work, "plan.csv"), "w") as out: out.write("query,schema,epsilon\ncount() where smoker == 1,schema.yaml,0.1\ncount() where (smoker == 1),schema.yaml,0.1\n")
    planned = scrim("ledger", "plan", ledger, data, "--releases", "plan.csv", "--format", "json")
    assert planned["values"]["cost"] == "0.1" and planned["values"]["left"] == "0.5" and planned["values"]["enough"] == "yes", planned["values"]

    shown = scrim("ledger", "show", ledger, "--format", "json")
    assert shown["values"]["spent"] == "0.5" and len(shown["tables"]["entries" if "entries" in shown["tables"] else "debits"]["rows"]) >= 1, shown
    head = scrim("ledger", "head", ledger, "--format", "json")["values"]["head"]
    scrim("ledger", "verify", ledger, "--head", head)
    scrim("ledger", "export", ledger, "audit.jsonl")
    subprocess.run([sys.executable, os.path.join(ROOT, "docs/verify_ledger.py"), os.path.join(work, "audit.jsonl"), head], check=True, stdout=subprocess.DEVNULL)

    # other bytes are another data set until they are bound as a version; then charges add up
    with open(os.path.join(work, "more.csv"), "w") as out: out.write(open(os.path.join(ROOT, "examples/clinic.csv")).read().rsplit("\n", 2)[0] + "\n")
    scrim("convert", "more.csv", data)
    assert "data" in released("--query", "mean(age)", "--schema", "schema.yaml", "--epsilon", "0.1", "--account", "census", code=3)
    scrim("ledger", "bind", ledger, data, "--schema", "schema.yaml")
    version = released("--query", "mean(age)", "--schema", "schema.yaml", "--epsilon", "0.1", "--account", "census")
    assert version["values"]["charged"] == "0.1" and version["values"]["left"] == "0.2", version["values"]
    print("a table and a ledger in PostgreSQL: release, plan, show, verify, export and bind hold")
finally:
    tool("pg_ctl", "-D", socket, "-m", "immediate", "stop")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.rmtree(work, ignore_errors=True)
