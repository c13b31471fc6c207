"""The query server under load: 64 clients, each asking as fast as it is answered; requests per second, p50, p99, and that nothing was overspent.

    bench/serve.py [SECONDS [CLIENTS]]

Once with the ledger in memory (/dev/shm: what the server itself takes) and once on the disk (what durable debits take). The answer time is 1 ms, so that
the figures show the work and not the waiting."""
import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

SCRIM = os.path.abspath(os.environ.get("SCRIM", "build/scrim"))
SECONDS, CLIENTS = float(sys.argv[1]) if len(sys.argv) > 1 else 60, int(sys.argv[2]) if len(sys.argv) > 2 else 64


def scrim(place, *words):
    return subprocess.run([SCRIM, *words], capture_output=True, text=True, cwd=place, check=True).stdout.strip()


def client(port, token, number, until, times, answered):
    connection, made = http.client.HTTPConnection("127.0.0.1", port, timeout=120), 0
    while time.monotonic() < until:
        made += 1
        repeated = made % 4 == 0  # one in four was asked before
        asked = json.dumps({"query": f"count where age > {20 + made % 70}", "epsilon": 0.001, "request": f"{number}-{made}"} if repeated else
                           {"query": f"mean(income) where age > {20 + (made * 7 + number) % 70}", "epsilon": 0.0001 * (1 + number) + 1e-9 * made})
        begin = time.monotonic()
        connection.request("POST", "/v1/query", asked, {"Authorization": "Bearer " + token})
        reply = connection.getresponse()
        reply.read()
        times.append(time.monotonic() - begin)
        answered.append(reply.status)


def load(where, base):
    place = tempfile.mkdtemp(prefix="scrim-bench-", dir=base)
    try:
        for name in ("clinic.csv", "schema.yaml"):
            shutil.copy(os.path.join("examples", name), place)
        scrim(place, "ledger", "create", "clinic.csv.ledger", "--budget", "epsilon=5")
        token = scrim(place, "serve", "--tokens", "tokens", "--add-token", "ann")
        server = subprocess.Popen([SCRIM, "serve", "-q", "--queries", "clinic.csv", "--schema", "schema.yaml", "--tokens", "tokens", "--answer-time", "0.001"], stdout=subprocess.PIPE, text=True, cwd=place)
        port = int(server.stdout.readline().split(":")[2].split("/")[0])
        times, answered, until = [], [], time.monotonic() + SECONDS
        threads = [threading.Thread(target=client, args=(port, token, n, until, times, answered)) for n in range(CLIENTS)]
        begin = time.monotonic()
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        took = time.monotonic() - begin
        server.terminate()
        server.wait()
        times.sort()
        shown = json.loads(scrim(place, "ledger", "show", "clinic.csv.ledger", "--format", "json"))
        scrim(place, "ledger", "verify", "clinic.csv.ledger")
        assert float(shown["values"]["spent"]) <= 5 and set(answered) <= {200, 403}, set(answered)
        print(f"ledger {where}: {CLIENTS} clients, {took:.0f} s: {len(times) / took:.0f} requests a second, p50 {1000 * times[len(times) // 2]:.0f} ms, p99 {1000 * times[len(times) * 99 // 100]:.0f} ms; "
              f"{answered.count(200)} answered, {answered.count(403)} refused, {len(shown['tables']['debits']['rows'])} debits, spent {shown['values']['spent']} of 5", flush=True)
    finally:
        shutil.rmtree(place, ignore_errors=True)


if os.path.isdir("/dev/shm"):
    load("in memory", "/dev/shm")
load("on the disk", None)
