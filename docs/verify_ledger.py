#!/usr/bin/env python3
"""Verifies what `scrim ledger export` wrote, without scrim: the chain of hashes and every running total. docs/ledger.md has the format.

    python3 verify_ledger.py audit.jsonl [HASH that was kept earlier]"""
import hashlib, json, sys

TEXTS = ["kind", "at", "analyst", "account", "request", "identity", "query", "answer", "unit", "person", "neighbours", "detail"]
FIELDS = ["entry"] + TEXTS + ["units", "delta", "of", "total", "total_delta", "total_analyst", "total_account"]


def digest(data): return hashlib.blake2b(data, digest_size=32).hexdigest()


def framed(value):  # eight bytes of length, least first (-1: null), then the text; numbers as decimal digits
    data = b"" if value is None else str(value).encode()
    return (-1 if value is None else len(data)).to_bytes(8, "little", signed=True) + data


def field(entry, name):  # the secret key and answers enter as their own hash
    if name + "_hash" in entry: return entry[name + "_hash"]
    return digest(entry[name].encode()) if name in ("identity", "answer") and entry[name] is not None else entry[name]


def check(condition, entry, what):
    if not condition: sys.exit(f"entry {entry}: {what}")


previous, spent, delta, own, kept = "", 0, 0, {}, sys.argv[2:]
for number, line in enumerate(open(sys.argv[1], encoding="utf-8"), 1):
    entry = json.loads(line)
    check(entry["entry"] == number, number, "an entry is lost")
    check(digest(framed(previous) + b"".join(framed(field(entry, name)) for name in FIELDS)) == entry["hash"], number, "it was altered, or the one before it was")
    previous, debit = entry["hash"], entry["kind"] == "debit"
    spent, delta = spent + debit * entry["units"], delta + debit * entry["delta"]
    check((spent, delta) == (entry["total"], entry["total_delta"]), number, "its running total is not the sum of the debits")
    for kind in ("analyst", "account"):
        who = (kind, entry[kind])
        if debit and entry[kind] is not None: own[who] = own.get(who, 0) + entry["units"]
        check(entry["total_" + kind] == (own.get(who, 0) if debit else 0), number, f"the total of its {kind} is wrong")
    kept = [h for h in kept if h != previous]
    if number == 1: budget = (entry["query"], entry["units"])
check(not kept, number, "no entry has the hash that was kept: the ledger was cut short or rolled back")
check(spent <= budget[1], number, "more was spent than there was")
print(f"{number} entries hold; spent {spent / 10**12:g} of {budget[1] / 10**12:g} ({budget[0]}); last hash {previous}")
