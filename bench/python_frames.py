#!/usr/bin/env python3
"""usage: bench/python_frames.py [ROWS]: a frame across to the library and back, beside writing and reading it as CSV; and how soon Ctrl-C is heard.

To reach: a tenth of the time that pandas takes to write and read it (scrim's own CSV stands beside it); a tenth of a second. Needs the package scrim, and
pandas; polars and pyarrow where they are there."""
import os
import signal
import sys
import tempfile
import threading
import time

import numpy
import pandas

import scrim


def people(rows):
    draw = numpy.random.default_rng(1)
    frame = pandas.DataFrame({f"real{i}": draw.normal(size=rows) for i in range(4)})
    for i in range(3):
        frame[f"whole{i}"] = draw.integers(0, 10**6, rows)
    frame["nullable"] = pandas.array(draw.integers(0, 100, rows), dtype="Int64")
    frame["category"] = pandas.Categorical.from_codes(draw.integers(0, 5, rows), categories=list("abcde"))
    frame["words"] = draw.choice(numpy.array(["north", "south", "east", "west"], dtype=object), rows)
    frame["when"] = numpy.datetime64("2000-01-01T00:00:01", "us") + draw.integers(0, 10**9, rows)
    return frame


def best(action, times=3):
    """Seconds of processor time, all threads together, of the fastest of some runs: other programs on the machine do not count."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        action()
        taken.append(time.process_time() - start)
    return min(taken)


def across_and_back(frame):
    kind = scrim._frames.taken(frame, "frame")
    return kind.frame(kind.table)


def by_csv(frame, path):
    frame.to_csv(path, index=False)
    pandas.read_csv(path)


def by_our_csv(table, path):
    table.write(path)
    scrim.read(path)


def interrupted(delay):
    """Seconds from the signal to the exception."""
    draw = numpy.random.default_rng(1)
    table = scrim.table({f"k{i}": draw.integers(0, 5, 100000) for i in range(14)})
    sent = []

    def send():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(delay, send)
    timer.start()
    try:
        scrim.risk.suda(table, keys=table.columns, max_size=6)
    except KeyboardInterrupt:
        return time.perf_counter() - sent[0]
    timer.cancel()
    return None


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1000000
    frame = people(rows)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "frame.csv")
        csv = best(lambda: by_csv(frame, path), 1)
        ours = best(lambda: by_our_csv(scrim.table(frame), path), 2)
        print(f"{rows} rows, {frame.shape[1]} columns: CSV by pandas {csv:.2f} s, by scrim {ours:.2f} s")
        frames = {"pandas": frame}
        for name in ("polars", "pyarrow"):
            try:
                __import__(name)
                frames[name] = getattr(scrim.table(frame), "to_" + name)()
            except ImportError:
                pass
        for name, some in frames.items():
            taken = best(lambda: across_and_back(some))
            print(f"{name}: across and back {taken:.3f} s, 1/{csv / taken:.0f} of pandas' CSV, 1/{ours / taken:.0f} of scrim's: {'reached' if taken < csv / 10 else 'NOT reached'}")
    waits = [wait for wait in map(interrupted, (0.1, 0.4, 0.9, 1.5)) if wait is not None]
    print("Ctrl-C heard after", ", ".join(f"{wait:.3f} s" for wait in waits))


main()
