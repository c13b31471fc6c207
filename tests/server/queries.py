"""The query server: who may ask, that the answer is the program's own, that nothing is overspent or unpaid, and that refusals tell nothing of the data.

QUERIES_KILLS and QUERIES_CLIENTS make the campaign longer (make serve-campaign)."""
import concurrent.futures
import http.client
import json
import os
import random
import signal
import socket
import stat
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from serving import SCRIM, Folder, Server

KILLS, CLIENTS = int(os.environ.get("QUERIES_KILLS", 4)), int(os.environ.get("QUERIES_CLIENTS", 8))


def program(place, *words):
    return subprocess.run([SCRIM, *words], capture_output=True, text=True, cwd=place)


def prepare(folder, name, budget="epsilon=1,delta=1e-6", analysts="ann:0.5,bob:0.3", data=None):
    place = os.path.join(folder.path, name)
    os.mkdir(place)
    with open("examples/clinic.csv") as source, open(os.path.join(place, "clinic.csv"), "w") as out:
        out.write(data(source.read()) if data else source.read())
    with open("examples/schema.yaml") as source, open(os.path.join(place, "schema.yaml"), "w") as out:
        out.write(source.read().replace("\n", "  # told by the custodian alone\n"))
    made = program(place, "ledger", "create", "clinic.csv.ledger", "--budget", budget, *(["--analysts", analysts] if analysts else []))
    assert made.returncode == 0, made.stderr
    tokens = {n: program(place, "serve", "--tokens", "tokens", "--add-token", n).stdout.strip() for n in ("ann", "bob", "eve", "ann/x")}
    return place, tokens


class Asking(Server):
    def __init__(self, folder, place, *words):
        super().__init__(folder, "--queries", os.path.join(place, "clinic.csv"), "--tokens", os.path.join(place, "tokens"), *words)

    def query(self, token, **asked):
        status, _, text = self.ask("POST", "/v1/query", asked, token=token)
        return status, text


def who_may_ask(server, tokens, place):
    assert stat.S_IMODE(os.stat(os.path.join(place, "tokens")).st_mode) == 0o600
    kept = open(os.path.join(place, "tokens")).read()
    assert all(len(t) == 64 and t not in kept for t in tokens.values()), "the file keeps hashes"
    for token in ("", "0" * 64, tokens["ann"][:-1], kept.split()[1]):
        assert server.query(token, query="count", epsilon=0.1)[0] == 401
    assert server.ask("GET", "/v1/budget", token="")[0] == 401
    for host in ("evil.example", f"127.0.0.1:{server.port + 1}"):
        assert server.ask("GET", "/v1/openapi.json", token="", headers={"Host": host})[0] == 403
    assert server.ask("GET", "/v1/openapi.json", token="", headers={"Host": "stats.example"})[0] == 200  # --host
    assert server.ask("GET", "/api/session", token=tokens["ann"])[0] == 404  # no workbench here


def answers(server, tokens, place):
    """What is answered is what `scrim release` prints, byte for byte: asked there again it comes from the record."""
    asked = {"query": "mean(age) by sex; count where smoker == 1", "epsilon": 0.1}
    status, first = server.query(tokens["ann"], **asked)
    assert status == 200, first
    told = program(place, "release", "clinic.csv", "--schema", "schema.yaml", "--query", asked["query"], "--epsilon", "0.1", "--analyst", "ann", "--format", "json")
    ours, theirs = json.loads(first), json.loads(told.stdout)
    assert b"custodian" not in first and "categories" in ours["params"]["schema"], "comments of the schema stay here"
    assert ours["tables"]["answers"] == theirs["tables"]["answers"] and ours["values"]["promise"] == theirs["values"]["promise"] and ours["params"].keys() - {"schema"} == theirs["params"].keys() - {"schema"}
    status, again = server.query(tokens["ann"], **asked)
    assert status == 200 and json.loads(again)["tables"] == ours["tables"], "a repeated question has the recorded answer"
    assert json.loads(again)["values"]["left"] == ours["values"]["left"], "and costs nothing"
    spent = json.loads(server.ask("GET", "/v1/budget", token=tokens["bob"])[2])
    assert spent["analyst"] == "bob" and spent["data"]["clinic.csv"]["spent"] == "0.1" and spent["data"]["clinic.csv"]["own"] == {"budget": "0.3", "spent": "0", "left": "0.3"}, spent
    named = [server.query(tokens[n], query="median(age)", epsilon=0.05, request="first") for n in ("ann", "bob")]
    assert named[0][0] == named[1][0] == 200, "request ids are each analyst's own"
    named = [server.query(tokens[n], query=q, epsilon=0.01, request=r) for n, q, r in (("ann", "count where age > 41", "x/second"), ("ann/x", "count where age > 42", "second"))]
    assert named[0][0] == 200 and named[1][0] == 403, "whatever is in a name"
    assert server.query(tokens["ann"], query="mean(income)", epsilon=0.05, request="first")[0] in (400, 403, 200)
    assert server.query(tokens["ann"], data="clinic.csv", query="count", epsilon=0.01, **{"dry-run": True})[0] == 200


def refusals(server, tokens):
    before = server.ask("GET", "/v1/budget", token=tokens["ann"])[2]
    status, text = server.query(tokens["ann"], query="mean(age)", epsilon=0.9)
    assert status == 403 and "remains" in json.loads(text)["error"]["message"]
    assert server.query(tokens["eve"], query="mean(age)", epsilon=0.01)[0] == 403, "who has no budget has none"
    for more in ({"no-ledger": True}, {"insecure-reproducible": True}, {"show-scales": True}, {"ledger": "x"}, {"schema": "{}"}, {"universe": "/etc/passwd"}, {"analyst": "bob"},
                 {"priors": "x"}, {"force": True}, {"show-values": True}, {"query": "mean(agee)"}, {"query": "mean(age"}, {"epsilon": -1}, {"data": "other.csv"}, {"data": 3}, {"bounds": {"a": 1}}, {"where": True}, {"group": True}, {"dry-run": 1}):
        asked = {"query": "mean(age)", "epsilon": 0.01}
        asked.update(more)
        status, text = server.query(tokens["ann"], **asked)
        assert status == 400 and json.loads(text)["error"]["message"], (more, status, text)
    assert server.ask("POST", "/v1/query", b"{", token=tokens["ann"])[0] == 400
    assert server.ask("POST", "/v1/query", b"{" + b" " * 70000, token=tokens["ann"])[0] == 413
    assert server.ask("GET", "/v1/budget", token=tokens["ann"])[2] == before, "a refusal changes nothing"


def openapi(server):
    described = json.loads(server.ask("GET", "/v1/openapi.json", token="")[2])
    own = described["components"]["schemas"]["Question"]["properties"]
    declared = json.loads(subprocess.run([SCRIM, "methods", "release", "query", "--format", "json"], capture_output=True, text=True).stdout)["params"]
    hidden = {"data", "analyst", "no-ledger", "insecure-reproducible", "show-scales", "account", "person", "max-records"} | {p["name"] for p in declared if p["kind"] in ("table", "tables", "ledger", "schema")}
    assert set(own) - {"data"} == {p["name"] for p in declared} - hidden
    assert described["openapi"].startswith("3.1") and set(described["paths"]) == {"/v1/query", "/v1/budget"}
    assert own["unit"]["enum"] == ["replace-one", "add-remove"] and own["epsilon"]["type"] == "number"


def fixed_time(server, tokens, least):
    """No answer, refusal or mistake leaves before its time: a bound from below, which no slow machine breaks."""
    for asked in ({"query": "count", "epsilon": 0.01}, {"query": "count", "epsilon": 100}, {"query": "cout(", "epsilon": 1}):
        begin = time.monotonic()
        server.query(tokens["bob"], **asked)
        assert time.monotonic() - begin >= least, asked
    begin = time.monotonic()
    assert server.ask("GET", "/v1/budget", token=tokens["bob"])[0] == 200
    assert time.monotonic() - begin >= least, "the budget waits for questions, and must not tell how long they take"
    body = json.dumps({"query": "count", "epsilon": 100}).encode()
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as slow:
        slow.sendall(f"POST /v1/query HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {tokens['bob']}\r\nContent-Length: {len(body)}\r\n\r\n".encode())
        time.sleep(least * 0.8)  # had the time begun with the headers, the work's place in it could be chosen
        begin = time.monotonic()
        slow.sendall(body)
        assert slow.recv(12).endswith(b"403") and time.monotonic() - begin >= least


def counts(server):
    text = server.ask("GET", "/metrics", token="")[2].decode()
    lines = {l.split(" ")[0]: int(l.split(" ")[1]) for l in text.splitlines() if not l.startswith("#")}
    assert lines['scrim_questions_total{outcome="answered"}'] >= 5 and lines['scrim_questions_total{outcome="strangers"}'] >= 4
    assert not any(word in text for word in ("second_bucket", "sum", "age", "mean"))


def tokens_anew(server, place):
    late = program(place, "serve", "--tokens", "tokens", "--add-token", "bob").stdout.strip()
    assert server.query(late, query="count", epsilon=0.01)[0] == 401
    server.process.send_signal(signal.SIGHUP)
    for _ in range(200):
        if server.query(late, query="count", epsilon=0.01)[0] == 200:
            return
        time.sleep(0.02)
    raise AssertionError("the tokens were not read anew")


def neighbours(folder):
    """Two tables that differ by a person: every mistake and refusal is the same, byte for byte."""
    def other(text):
        lines = text.splitlines(True)
        cells = lines[7].split(",")
        cells[3], cells[4], cells[5], cells[11] = "m" if cells[3] == "f" else "f", "97", "", ""
        return "".join(lines[:7] + [",".join(cells)] + lines[8:])
    questions = [{"query": q, "epsilon": e} for q in ("mean(agee)", "mean(sex)", "sum(name)", "count where age >", "median(region)", "count by lat", "mean(income) where region == 'Nowhere'", "mean(age)") for e in (5, -1)]
    told = []
    for name, data in (("one", None), ("two", other)):
        place, tokens = prepare(folder, name, data=data)
        with Asking(folder, place, "--schema", os.path.join(place, "schema.yaml"), "--answer-time", "0.001") as server:
            told.append([server.query(tokens["ann"], **q) for q in questions])
            assert server.end() == 0
    assert told[0] == told[1] and all(status in (400, 403) for status, _ in told[0]), [t[0] for t in told[0]]


def spent_of(place):
    return json.loads(program(place, "ledger", "show", "clinic.csv.ledger", "--format", "json").stdout)


def brief(place):
    return json.loads(program(place, "ledger", "show", "clinic.csv.ledger", "--brief", "--format", "json").stdout)["values"]


def at_once(folder):
    """More questions at once than the budget holds: exactly as many are answered as it holds."""
    place, tokens = prepare(folder, "race", budget="epsilon=0.2", analysts=None)
    with Asking(folder, place, "--answer-time", "0.001", "--schema", os.path.join(place, "schema.yaml")) as server, concurrent.futures.ThreadPoolExecutor(16) as pool:
        assert server.confined()
        got = list(pool.map(lambda i: server.query(tokens["ann"], query=f"count where age > {20 + i}", epsilon=0.01)[0], range(40)))
        assert sorted(set(got)) == [200, 403] and got.count(200) == 20, got
        assert server.end() == 0
    assert brief(place)["left"] == "0"


def killed(folder):
    """Killed again and again while clients ask: no answer was shown that is not paid for, nothing is overspent, and what was asked is charged once."""
    place, tokens = prepare(folder, "killed", budget="epsilon=1000", analysts=None)
    shown, lock, stop, place_of = {}, threading.Lock(), threading.Event(), {}

    def client(number):
        made = 0
        while not stop.is_set():
            made += 1
            asked = {"query": f"count where age > {20 + made % 70}", "epsilon": (1 + number) / 1000, "request": f"{number}-{made}"}
            while not stop.is_set():
                try:
                    connection = http.client.HTTPConnection("127.0.0.1", place_of["port"], timeout=30)
                    connection.request("POST", "/v1/query", json.dumps(asked), {"Authorization": "Bearer " + tokens["ann"]})
                    reply = connection.getresponse()
                    text = reply.read()
                    connection.close()
                    assert reply.status == 200, (reply.status, text)
                    with lock:
                        shown[asked["request"]] = (asked, json.loads(text)["tables"]["answers"])
                    break
                except (OSError, http.client.HTTPException):
                    time.sleep(0.01)  # the server is down: ask again, under the same id

    threads = [threading.Thread(target=client, args=(n,), daemon=True) for n in range(CLIENTS)]
    chance = random.Random(7)
    for kill in range(KILLS + 1):
        with Asking(folder, place, "--answer-time", "0.001", "--schema", os.path.join(place, "schema.yaml")) as server:
            place_of["port"] = server.port
            if kill == 0:
                for t in threads:
                    t.start()
            time.sleep(0.05 + 0.25 * chance.random())
            if kill == KILLS:
                stop.set()
                for t in threads:
                    t.join()
            server.end(signal.SIGKILL)
    assert len(shown) > KILLS, len(shown)
    verified = program(place, "ledger", "verify", "clinic.csv.ledger", "--format", "json")
    assert verified.returncode == 0, verified.stdout + verified.stderr
    debits = spent_of(place)["tables"]["debits"]  # works out what all of it promises: once, for it takes long
    ids = [row[debits["columns"].index("request")] for row in debits["rows"]]
    costs = [row[debits["columns"].index("cost")] for row in debits["rows"]]
    # The identical question under another id is answered from the record, for nothing: its first asker paid.
    paid = {(row[debits["columns"].index("query")], row[debits["columns"].index("cost")]) for row in debits["rows"]}
    assert len(ids) == len(set(ids)) and len(paid) == len(debits["rows"]), "nothing is charged twice"
    priced = {(query.split("> ")[1], float(cost)) for query, cost in paid}
    assert all((asked["query"].split("> ")[1], asked["epsilon"]) in priced for asked, _ in shown.values()), "an answer was not paid for"
    units = sum(round(float(c) * 10**12) for c in costs)
    assert round(float(brief(place)["spent"]) * 10**12) == units
    with Asking(folder, place, "--answer-time", "0.001", "--schema", os.path.join(place, "schema.yaml")) as server:
        for request, (asked, answer) in list(shown.items())[:: max(1, len(shown) // 60)]:
            status, text = server.query(tokens["ann"], **asked)
            assert status == 200 and json.loads(text)["tables"]["answers"] == answer, "asked again, another answer"
        assert server.end() == 0
    assert round(float(brief(place)["spent"]) * 10**12) == units, "asked again, it costs nothing"
    return len(shown)


def several(folder):
    """Two data sets, each with its own ledger: asked by name."""
    place, tokens = prepare(folder, "several", analysts=None)
    os.rename(os.path.join(place, "clinic.csv.ledger"), os.path.join(place, "one.ledger"))
    subprocess.run(["cp", "examples/population.csv", place], check=True)
    assert program(place, "ledger", "create", "population.csv.ledger", "--budget", "epsilon=1").returncode == 0
    with Server(folder, "--tokens", os.path.join(place, "tokens"), "--ledger", os.path.join(place, "one.ledger"), "--answer-time", "0.001", "--queries", os.path.join(place, "clinic.csv"), os.path.join(place, "population.csv")) as server:
        ask = lambda **asked: server.ask("POST", "/v1/query", asked, token=tokens["ann"])[0]
        assert ask(data="clinic.csv", query="count", epsilon=0.1) == 200 and ask(data="population.csv", query="count", epsilon=0.2) == 200
        assert ask(query="count", epsilon=0.1) == 400 and ask(data="../clinic.csv", query="count", epsilon=0.1) == 400
        told = json.loads(server.ask("GET", "/v1/budget", token=tokens["ann"])[2])["data"]
        assert told["clinic.csv"]["spent"] == "0.1" and told["population.csv"]["spent"] == "0.2", told
        assert server.end() == 0


def nobody_is_shut_out(folder):
    """Questions of an absurd precision, half-sent requests and a signal: others are answered all the same, and the server ends."""
    place, tokens = prepare(folder, "crowd", budget="gdp=4", analysts=None)
    with Asking(folder, place, "--schema", os.path.join(place, "schema.yaml"), "--answer-time", "0.01", "--time-limit", "20") as server:
        began = time.time()
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            absurd = [pool.submit(server.query, tokens["ann"], **{"query": "sum(age); sum(smoker)", "gdp": g, "dry-run": True}) for g in (1e9, 1e4, 1e9)]
            assert server.query(tokens["bob"], query="count", gdp=0.1)[0] == 200
            assert all(a.result()[0] in (200, 400, 403) for a in absurd) and time.time() - began < 15, time.time() - began
        for own in ("person", "max-records", "account"):  # who a person is, and who pays, is the steward's to say
            assert server.query(tokens["ann"], query="count", gdp=0.1, **{own: "sex"})[0] == 400
        half = []
        for i in range(1100):
            try:
                half.append(socket.create_connection(("127.0.0.1", server.port), timeout=2))
                half[-1].send(b"POST /v1/query HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n" % server.port)
            except OSError:
                pass
        assert server.query(tokens["bob"], query="count", gdp=0.1)[0] == 200, "half-sent requests shut nobody out"
        for s in half:
            s.close()
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(timeout=20) in (0, -signal.SIGTERM)


def accounts(folder):
    """An analyst's token names the account that pays."""
    place, _ = prepare(folder, "accounts", analysts=None)
    assert program(place, "ledger", "account", "clinic.csv.ledger", "census", "--budget", "0.1").returncode == 0
    tokens = {n: program(place, "serve", "--tokens", "tokens", "--add-token", n, *more).stdout.strip() for n, more in (("kim", ["--account", "census"]), ("lee", []))}
    with Asking(folder, place, "--schema", os.path.join(place, "schema.yaml"), "--answer-time", "0.01") as server:
        assert server.query(tokens["lee"], query="count", epsilon=0.1)[0] == 403
        assert server.query(tokens["kim"], query="count", epsilon=0.1)[0] == 200
        assert server.query(tokens["kim"], query="mean(age)", epsilon=0.1)[0] == 403


def bad_starts(folder):
    place, _ = prepare(folder, "bad")
    inside = lambda *words: program(place, "serve", *words)
    for words in (["--queries", "clinic.csv"], ["--queries", "--tokens", "tokens"], ["--queries", "none.csv", "--tokens", "tokens"], ["--queries", "clinic.csv", "--tokens", "none"],
                  ["--queries", "clinic.csv", "--ledger", "none", "--tokens", "tokens"], ["--queries", "clinic.csv", "--tokens", "schema.yaml"], ["x.csv", "--queries", "clinic.csv", "--tokens", "tokens"],
                  ["--queries", "clinic.csv", "--tokens", "tokens", "--answer-time", "0"], ["--queries", "clinic.csv", "clinic.csv", "--tokens", "tokens"], ["--add-token", "ann"], ["--tokens", "tokens", "--add-token", "a b"]):
        ended = inside(*words)
        assert ended.returncode in (1, 2) and ended.stderr.startswith("scrim: ") and not ended.stdout, (words, ended)
    for more in (["--schema", "schema.yaml"] * 2, ["--ledger", "clinic.csv.ledger"] * 2):
        assert "more --" in inside("--queries", "clinic.csv", "--tokens", "tokens", *more).stderr
    with open(os.path.join(place, "tokens"), "r+") as file:  # an editor left the last line open
        kept = file.read().rstrip("\n")
        file.seek(0)
        file.truncate()
        file.write(kept)
    assert inside("--tokens", "tokens", "--add-token", "zoe").returncode == 0
    lines = open(os.path.join(place, "tokens")).read().splitlines()
    assert lines[:-1] == kept.splitlines() and lines[-1].startswith("zoe ")
    os.chmod(os.path.join(place, "tokens"), 0o666)
    assert inside("--queries", "clinic.csv", "--tokens", "tokens").returncode == 2


with Folder() as folder:
    place, tokens = prepare(folder, "first")
    with Asking(folder, place, "--schema", os.path.join(place, "schema.yaml"), "--answer-time", "0.05", "--host", "stats.example") as server:
        who_may_ask(server, tokens, place)
        answers(server, tokens, place)
        refusals(server, tokens)
        openapi(server)
        fixed_time(server, tokens, 0.05)
        counts(server)
        tokens_anew(server, place)
        assert server.end() == 0
    neighbours(folder)
    several(folder)
    at_once(folder)
    nobody_is_shut_out(folder)
    accounts(folder)
    shown = killed(folder)
    bad_starts(folder)
print(f"1 passed, 0 failed ({shown} answers across {KILLS} kills)")
