"""The workbench over HTTP: who is let in, what is kept and what is left, and that it answers what the program answers."""
import json
import os
import signal
import stat
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from serving import SCRIM, Folder, Server

ROLES = {"keys": ["sex", "age", "region", "education"], "sensitive": ["diagnosis"], "numeric": ["income", "visits"], "weight": "w", "household": "hid",
         "identifiers": ["id", "name", "phone", "birthdate", "lat", "lon"]}
STEPS = [{"method": "protect.recode", "params": {"var": "age", "breaks": [0, 30, 45, 60, 75]}},
         {"method": "protect.noise", "params": {"vars": ["income"], "amount": 0.1}},
         {"method": "protect.top-bottom", "params": {"var": "bmi", "top-quantile": 0.98}, "off": True},
         {"method": "protect.suppress", "params": {"k": 5}}]
RULES = {"rules": ["risk.k-anonymity.k >= 3", "attack.homogeneity.certain == 0"]}
RECIPE = {"roles": ROLES, "steps": STEPS, "policy": RULES}
LIVE = ["risk.k-anonymity", "risk.individual", "attack.homogeneity", "utility.compare"]


def who_is_let_in(server):
    own = f"127.0.0.1:{server.port}"
    assert server.ask("GET", "/api/session")[0] == 200
    assert server.ask("GET", "/api/session", headers={"Host": f"localhost:{server.port}"})[0] == 200
    assert server.ask("GET", "/api/session", token="")[0] == 401
    assert server.ask("GET", "/api/session", token="0" * 32)[0] == 401
    assert server.ask("GET", "/api/session", token=server.token[:-1])[0] == 401
    for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1", f"127.0.0.1:{server.port + 1}"):
        assert server.ask("GET", "/api/session", headers={"Host": host})[0] == 403, host
        assert server.ask("GET", "/", headers={"Host": host})[0] == 403, host
    for origin in ("http://evil.example", "null", f"https://{own}", f"http://localhost:{server.port}"):
        assert server.ask("GET", "/api/session", headers={"Host": own, "Origin": origin})[0] == 403, origin
    assert server.ask("GET", "/api/session", headers={"Host": own, "Origin": f"http://{own}"})[0] == 200
    assert server.ask("POST", "/api/data?name=x.csv", b"a\n1\n", token="wrong")[0] == 401


def what_a_page_may_do(server):
    for path, kind in (("/", "text/html"), ("/app.js", "text/javascript"), ("/style.css", "text/css")):
        status, headers, body = server.ask("GET", path, token="")
        policy = headers["content-security-policy"]
        assert status == 200 and headers["content-type"].startswith(kind) and body, path
        assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff" and headers["cache-control"] == "no-store" and headers["referrer-policy"] == "no-referrer"
        assert b"http://" not in body.replace(b"http://www.w3.org/", b"") and b"https://" not in body, f"{path} names another place"
        assert server.token.encode() not in body
    assert server.ask("GET", "/../etc/passwd")[0] == 404 and server.ask("GET", "/web.h")[0] == 404
    assert server.ask("POST", "/", b"x")[0] == 405
    assert "default-src 'none'" in server.ask("GET", "/api/session")[1]["content-security-policy"]
    assert "script-src" not in server.ask("GET", "/api/session")[1]["content-security-policy"]


def what_is_taken(server, folder):
    assert server.ask("POST", "/api/preview", {})[0] == 409  # no data yet
    assert server.ask("POST", "/api/data?name=../x.csv", b"a\n1\n")[0] == 400
    assert server.ask("POST", "/api/data?name=.x.csv", b"a\n1\n")[0] == 400
    assert server.ask("POST", "/api/data", b"a\n1\n")[0] == 400
    assert server.ask("POST", "/api/data?name=x.csv", b"")[0] == 400
    assert server.ask("POST", "/api/data?name=x.csv", b"a,b\n1\n")[0] == 400
    assert server.ask("POST", "/api/data?name=big.csv", b"a\n" + b"1\n" * (1 << 20))[0] == 413  # the limit is 1 MiB here
    assert server.ask("PUT", "/api/recipe", b"[]")[0] == 400 and server.ask("PUT", "/api/recipe", b"{")[0] == 400
    private, = folder.left()
    where = os.path.join(folder.path, "run", private)
    assert stat.S_IMODE(os.stat(where).st_mode) == 0o700
    assert [n for n in os.listdir(where) if "big" in n or "upload" in n] == [], "a refused upload is not kept"
    with open("examples/clinic.csv", "rb") as data:
        told = server.json("POST", "/api/data?name=clinic.csv", data.read())
    assert told["data"]["rows"] == 300 and len(told["data"]["columns"]) == 22 and told["recipe"] == {"roles": {}, "steps": [], "policy": None}
    assert stat.S_IMODE(os.stat(os.path.join(where, "clinic.csv")).st_mode) == 0o600
    assert [n for n in os.listdir(where) if "upload" in n] == []


def program(folder, *words):
    return subprocess.run([SCRIM, *words], capture_output=True, text=True, env=folder.env)


def same_answers(server, folder):
    """A measure asked over HTTP is the program's --format json, but for the table's name."""
    server.json("PUT", "/api/recipe", RECIPE)
    got = server.job("/api/measure", {"method": "risk.individual", "params": {"keys": ["sex", "age"]}, "on": "data"})["answer"]
    told = json.loads(program(folder, "risk", "individual", "examples/clinic.csv", "--keys", "sex,age", "--weight", "w", "--household", "hid", "--format", "json").stdout)
    assert got["values"] == told["values"] and got["tables"] == told["tables"] and got["charts"] == told["charts"]
    profile = server.job("/api/profile", {})["answer"]
    told = json.loads(program(folder, "inspect", "examples/clinic.csv", "--charts", "--format", "json").stdout)
    assert profile["tables"] == told["tables"] and profile["charts"] == told["charts"]
    refused = server.job("/api/measure", {"method": "release.query", "params": {"query": "count"}})
    assert refused["state"] == "failed"
    outside = server.job("/api/measure", {"method": "risk.presence", "params": {"population": os.path.abspath("examples/population.csv")}})
    assert outside["state"] == "failed" and "no table" in outside["error"]["message"], "a path is no table here"
    methods = server.json("GET", "/api/methods")
    assert len(methods) > 100 and all("params" in m for m in methods)


def before_and_after(server):
    told = server.job("/api/preview", {"only": LIVE})
    assert told["state"] == "done", told
    answer = told["answer"]
    assert answer["before"]["results"]["risk.k-anonymity"]["values"]["k"] == 1
    assert answer["before"]["results"]["risk.k-anonymity"]["values"]["uniques"] == 256  # as `scrim audit` counts them: in an original a missing key is a value
    assert answer["after"]["results"]["risk.k-anonymity"]["values"]["k"] >= 4
    assert [step is None for step in answer["steps"]] == [False, False, True, False]
    assert answer["after"]["values"]["rules"] == 2
    picture = server.job("/api/picture", {"step": 1, "columns": ["income"]})
    series = picture["answer"]["charts"][0]["series"]
    assert [s["name"] for s in series] == ["before", "after"] and series[0]["y"] != series[1]["y"]
    status, headers, svg = server.ask("GET", f"/api/jobs/{picture['id']}/chart?index=0&width=300&height=200")
    assert status == 200 and headers["content-type"] == "image/svg+xml" and b"<svg" in svg
    assert server.ask("GET", f"/api/jobs/{picture['id']}/chart?index=7")[0] == 404
    broken = dict(RECIPE, steps=[STEPS[0], {"method": "protect.noise", "params": {"vars": ["income"], "amount": -1}}])
    server.json("PUT", "/api/recipe", broken)
    answer = server.job("/api/preview", {"only": LIVE})["answer"]
    assert answer["failed"] == 1 and answer["error"]["parameter"] == "amount"
    assert server.ask("PUT", "/api/recipe", dict(RECIPE, steps=[{"method": "protect.nothing"}]))[0] == 400
    server.json("PUT", "/api/recipe", RECIPE)
    people = server.job("/api/people", {"count": 3})["answer"]["people"]
    assert len(people) == 3 and people[0]["risk"] >= people[2]["risk"] and any("unique" in n for n in people[0]["result"]["notes"])


def release(server, folder):
    """The recipe that is downloaded gives the same bytes by `scrim run`, and what was previewed is what was released."""
    made = server.job("/api/release", {})
    assert made["state"] == "done", made
    names = [f["name"] for f in made["answer"]["files"]]
    assert names == ["clinic-released.csv", "recipe.yaml", "clinic-released.csv.manifest.json", "clinic-released.csv.seed", "report.html"], names
    assert folder.path not in json.dumps(made["answer"]), "no path of the private folder is told"
    assert made["answer"]["result"]["values"]["rules_broken"] == 0
    place = os.path.join(folder.path, "again")
    os.mkdir(place)
    files = {}
    for name in names:
        status, headers, files[name] = server.ask("GET", "/api/files/" + name)
        assert status == 200 and name in headers["content-disposition"] and folder.path.encode() not in files[name], name
        with open(os.path.join(place, name if "released" not in name else "was-" + name), "wb") as out:
            out.write(files[name])
    os.chmod(os.path.join(place, "was-clinic-released.csv.seed"), 0o600)
    subprocess.run(["cp", "examples/clinic.csv", place], check=True)
    run = subprocess.run([SCRIM, "run", "recipe.yaml", "--seed-file", "was-clinic-released.csv.seed", "-q"], cwd=place, capture_output=True, text=True, env=folder.env)
    assert run.returncode == 0, run.stderr
    with open(os.path.join(place, "clinic-released.csv"), "rb") as again:
        assert again.read() == files["clinic-released.csv"], "scrim run gives other bytes"
    assert server.ask("GET", "/api/recipe")[2] == files["recipe.yaml"]
    preview = server.job("/api/preview", {"only": LIVE})["answer"]["after"]["results"]
    after = made["answer"]["result"]["results"]["after"]["results"]
    for name in ("risk.k-anonymity", "attack.homogeneity"):
        assert preview[name]["values"] == after[name]["values"], name
    first = server.job("/api/preview", {"only": LIVE})["answer"]["before"]["results"]
    before = made["answer"]["result"]["results"]["before"]["results"]
    assert all(first[name]["values"] == before[name]["values"] for name in ("risk.k-anonymity", "risk.individual", "attack.homogeneity"))
    assert preview["utility.compare"]["values"] == made["answer"]["result"]["results"]["utility"]["results"]["utility.compare"]["values"]
    reads_recipes(server)
    public = server.job("/api/release", {"public": True})
    assert "report-public.html" in [f["name"] for f in public["answer"]["files"]]
    assert server.ask("GET", "/api/files/clinic-released.csv")[2] == files["clinic-released.csv"]
    assert server.ask("GET", "/api/files/..%2Frecipe.yaml")[0] == 404 and server.ask("GET", "/api/files/.lock")[0] == 404
    server.json("PUT", "/api/recipe", dict(RECIPE, policy={"rules": ["risk.k-anonymity.k >= 299"]}))
    kept = server.job("/api/release", {})["answer"]
    assert kept["result"]["values"]["rules_broken"] == 1 and "clinic-released.csv" not in [f["name"] for f in kept["files"]], "a broken policy writes no release"
    server.json("PUT", "/api/recipe", RECIPE)


def reads_recipes(server):
    """The recipe that is offered reads back as what it was made of; so do the project's own example, and a manifest."""
    text = server.ask("GET", "/api/recipe")[2]
    again = server.json("POST", "/api/recipe", text)
    assert again == {"roles": ROLES, "steps": [{"method": s["method"], "params": s["params"]} for s in STEPS if "off" not in s], "policy": RULES}, again
    with open("examples/recipe.yaml", "rb") as example:
        read = server.json("POST", "/api/recipe", example.read())
    assert read["steps"][0] == {"method": "protect.recode", "params": {"var": "age", "breaks": [0, 30, 45, 60, 75]}} and "roles" not in read and read["policy"] == "policy.yaml"
    manifest = server.json("POST", "/api/recipe", server.ask("GET", "/api/files/clinic-released.csv.manifest.json")[2])
    assert [s["method"] for s in manifest["steps"]] == ["protect.recode", "protect.noise", "protect.suppress"]
    codes = server.json("POST", "/api/recipe", b"steps:\n  - protect.recode: {breaks: [01, 3, -4, 0.5, 12345678901234567890]}\n")
    assert codes["steps"][0]["params"]["breaks"] == ["01", 3, -4, 0.5, "12345678901234567890"], "a code keeps its zeros"
    for bad in (b"", b"a: 1", b"- x", b"{", b"steps: 3", b"&a [*a]", b"\xff\xfe\x00"):
        assert server.ask("POST", "/api/recipe", bad)[0] == 400, bad


def plans(server):
    """The map of `plan`: each recipe of its front can be taken over."""
    told = server.job("/api/explore", {"method": "plan", "params": {"candidates": 12}, "on": "whole"})
    assert told["state"] == "done", told
    rows = told["answer"]["tables"]["recipes"]["rows"]
    assert rows and all(server.json("POST", "/api/recipe", row[1].encode())["steps"] for row in rows)


def stops(server):
    number = server.json("POST", "/api/audit", {"method": "audit", "params": {}})["job"]
    server.json("DELETE", f"/api/jobs/{number}")
    assert server.json("GET", f"/api/jobs/{number}?wait=20000")["state"] in ("stopped", "done")
    assert server.ask("GET", "/api/jobs/999999")[0] == 404


def loses_nothing(folder):
    """A killed server's work is there again; what it left is swept away by the next one."""
    with Server(folder, "examples/clinic.csv") as server:
        assert server.confined()
        told = server.json("GET", "/api/session")
        assert told["restored"] and told["recipe"] == RECIPE, "the bytes are the same, whatever the file's name was"
        changed = dict(RECIPE, policy="unece")
        server.json("PUT", "/api/recipe", changed)
        assert server.end(signal.SIGKILL) == -signal.SIGKILL
    assert len(folder.left()) == 1
    saved, = os.listdir(os.path.join(folder.path, "state", "scrim"))
    assert stat.S_IMODE(os.stat(os.path.join(folder.path, "state", "scrim", saved)).st_mode) == 0o600
    with Server(folder, "examples/clinic.csv") as server:
        assert server.json("GET", "/api/session")["recipe"] == changed
        assert len(folder.left()) == 1, "what the killed one left is gone"
        assert server.end(signal.SIGINT) == 0
    assert folder.left() == []


def what_was_judged(folder):
    """The release is of the bytes that were judged, and of no file that was not given."""
    place = os.path.join(folder.path, "judged")
    os.makedirs(os.path.join(place, "tmp"))
    data, hidden = os.path.join(place, "mine.csv"), os.path.join(place, "hidden")
    os.mkdir(hidden)
    with open(os.path.join(hidden, "sex.csv"), "w") as out:
        out.write("f,*\nm,*\n")
    with open("examples/clinic.csv", "rb") as source, open(data, "wb") as out:
        first = source.read()
        out.write(first)
    plain = {"roles": {"keys": ["sex"]}, "steps": [], "policy": None}
    with Server(folder, data) as server:
        server.json("PUT", "/api/recipe", plain)
        assert server.ask("POST", "/api/data?name=mine.csv", b"\0" * 9)[0] == 400
        assert server.ask("POST", "/api/data?name=mine.csv&beside=1", b"a,b\n1,2\n")[0] == 400
        asked = server.ask("POST", "/api/data?name=duckdb:%3Fquery=select%201%20as%20a", b"a,b\n1,2\n")
        assert asked[0] == 400 and b"plain name" in asked[2], "a name is no question to a database"
        assert server.job("/api/release", {})["state"] == "done", "a file that was not taken replaces nothing"
        step = {"method": "protect.generalize", "params": {"hierarchies": hidden, "k": 2}}
        server.json("PUT", "/api/recipe", dict(plain, steps=[step]))
        made = server.job("/api/release", {})
        assert made["state"] == "failed" and "upload it first" in made["error"]["message"], made
        assert server.ask("PUT", "/api/recipe", dict(plain, policy="/etc/passwd"))[0] == 400
        server.json("PUT", "/api/recipe", plain)
        with open(data, "ab") as out:
            out.write(first.splitlines(True)[1])
        made = server.job("/api/release", {})
        assert made["state"] == "failed" and "changed" in made["error"]["message"], made
        assert server.end() == 0
    env = dict(folder.env, TMPDIR=os.path.relpath(os.path.join(place, "tmp")))
    del env["XDG_RUNTIME_DIR"]
    with Server(folder, env=env) as server:
        assert server.ask("POST", "/api/data?name=mine.csv", first)[0] == 200
        assert server.end() == 0
    assert os.listdir(os.path.join(place, "tmp")) == [], "a folder named from here is removed from there, too"


def reads_as_told(folder):
    """How the file was read is in the recipe: scrim run needs no options to give the same bytes."""
    place = os.path.join(folder.path, "told-how")
    os.mkdir(place)
    with open("examples/clinic.csv") as source, open(os.path.join(place, "clinic.csv"), "w") as out:
        out.write(source.read().replace(".", "#").replace(",", ";").replace("#", ",").replace(";HIV;", ";?;"))
    words = ["--na", "?,-8", "--decimal", ",", "--separator", ";", "--types", "smoker:category"]
    with Server(folder, os.path.join(place, "clinic.csv"), *words) as server:
        assert {c["name"]: c["type"] for c in server.json("GET", "/api/session")["data"]["columns"]}["smoker"] == "category"
        server.json("PUT", "/api/recipe", dict(RECIPE, steps=[STEPS[0], STEPS[3]], policy=None))
        made = server.job("/api/release", {})
        assert made["state"] == "done", made
        released, recipe = (server.ask("GET", "/api/files/" + name)[2] for name in ("clinic-released.csv", "recipe.yaml"))
        assert server.end() == 0
    with open(os.path.join(place, "recipe.yaml"), "wb") as out:
        out.write(recipe)
    run = subprocess.run([SCRIM, "run", "recipe.yaml", "-q"], cwd=place, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    with open(os.path.join(place, "clinic-released.csv"), "rb") as again:
        assert again.read() == released and b"?" not in released


def opens_the_browser(folder):
    """--open hands the browser a file that leads to the page: the token stands on no command line."""
    bin_, told = os.path.join(folder.path, "bin"), os.path.join(folder.path, "told")
    os.mkdir(bin_)
    with open(os.path.join(bin_, "xdg-open"), "w") as script:
        script.write(f'#!/bin/sh\nstat -c %a "$1" > "{told}.part"\necho "$@" >> "{told}.part"\ncat "$1" >> "{told}.part"\nmv "{told}.part" "{told}"\n')
    os.chmod(os.path.join(bin_, "xdg-open"), 0o755)
    with Server(folder, "--open", env=dict(folder.env, PATH=bin_ + ":" + os.environ["PATH"])) as server:
        until = time.monotonic() + 60
        while not os.path.exists(told):
            assert time.monotonic() < until, "the browser was not called"
            time.sleep(0.02)
        mode, words, page = open(told).read().split("\n")[:3]
        assert mode == "600" and server.token not in words and words.startswith(folder.path) and server.address in page
        assert server.end() == 0


def file_becomes_shorter(folder):
    """Whenever that is: the file is read or it is an error, and nothing stays behind."""
    path = os.path.join(folder.path, "large.csv")
    for k in range(8):
        with open(path, "w") as file:
            file.write("a,b\n" + "".join("%d.25,w%d\n" % (i, i % 1000) for i in range(4096)) * 500)
        process = subprocess.Popen([SCRIM, "serve", "-q", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=folder.env)
        time.sleep(0.015 * k)
        os.truncate(path, len("a,b\n"))
        if process.stdout.readline():
            process.send_signal(signal.SIGTERM)
        errors = process.communicate(timeout=60)[1]
        assert process.returncode in ((1, 2) if errors else (0,)), (process.returncode, errors)
        assert folder.left() == [], errors
    os.unlink(path)


def only_here(folder):
    with Server(folder) as server:
        listening = open("/proc/net/tcp").read() if os.path.exists("/proc/net/tcp") else ""
        lines = [l.split() for l in listening.splitlines()[1:] if l.split()[1].endswith(":%04X" % server.port) and l.split()[3] == "0A"]
        assert all(l[1].startswith("0100007F:") for l in lines), "it listens elsewhere than on 127.0.0.1"
        taken = program(folder, "serve", "--port", str(server.port))
        assert taken.returncode == 1 and "cannot listen" in taken.stderr
    for words in (["--port", "x"], ["--port", "70000"], ["--nothing"], ["a.csv", "b.csv"], ["there-is-none.csv"]):
        bad = program(folder, "serve", *words)
        assert bad.returncode in (1, 2) and bad.stderr.startswith("scrim: ") and bad.stdout == "", (words, bad)
    assert folder.left() == []


with Folder() as folder:
    with Server(folder, "--upload-limit", "1") as server:
        who_is_let_in(server)
        what_a_page_may_do(server)
        what_is_taken(server, folder)
        same_answers(server, folder)
        before_and_after(server)
        plans(server)
        release(server, folder)
        stops(server)
        assert server.end() == 0
    assert folder.left() == [], "the private folder is gone"
    loses_nothing(folder)
    opens_the_browser(folder)
    what_was_judged(folder)
    reads_as_told(folder)
    file_becomes_shorter(folder)
    only_here(folder)
print("1 passed, 0 failed")
