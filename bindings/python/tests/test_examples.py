"""Every method's example, run through the package on tables in memory, gives what the program prints, value for value."""
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

import scrim
from scrim import _core

from tests import support

# Noise with a formal guarantee is fresh at each run, by design, unless a test asks for what could be drawn again.
FRESH = ("release.query", "synth.private", "tabular.noise")
OPTIONS = ("--seed", "-o", "--output", "--report")  # the program's, each with a value
# Verbs that write, that read what another wrote, or that refuse a seed: tests of their own.
APART = ("run", "convert", "ledger.create", "ledger.show", "ledger.head", "ledger.verify", "ledger.account", "ledger.bind", "ledger.plan")


def without_options(words):
    kept, seed = [], None
    words = iter(words)
    for word in words:
        if word in OPTIONS:
            value = next(words)
            seed = int(value) if word == "--seed" else seed
        else:
            kept.append(word)
    return kept, seed


def frame(path):
    """As somebody would have it in memory: lists by name."""
    return scrim.read(path).to_dict()


def arguments(method, words):
    """The command's words as a call's arguments: tables in memory, lists as lists."""
    passes = ["scrub.text"] if method == "scrub" else [m for m in words if m in scrim.methods()]  # takes that one's parameters, too
    known = {p["name"]: p for m in passes + [method] for p in scrim.describe(m)["params"] + scrim.describe(m)["common"]}
    given = {}
    for name, items in _core.words(method, words, list(known)).items():
        kind = known[name]["kind"]
        python = scrim._call.python_name(name)
        if kind == "flag":
            given[python] = True
        elif kind == "table":
            given[python] = frame(items[0])
        elif kind == "tables" and not os.path.isdir(items[0]):
            given[python] = {path: frame(path) for path in items}
        else:
            given[python] = items if len(items) > 1 else items[0]
    return given


def named_function(method):
    """The function that the registry's name stands for."""
    described = scrim.describe(method)
    place = scrim if described["group"] == "verb" else getattr(scrim, described["group"])
    place = scrim.scrub if method == "scrub" else place
    return getattr(place, "run_recipe" if method == "run" else scrim._call.python_name(described["name"]))


def named_tables(method, words):
    """For each word, the parameter whose table it names, or None."""
    tables = [p["name"] for p in scrim.describe(method)["params"] if p["kind"] == "table"]
    bound = _core.words(method, words, tables) if method == "plan" else {}
    return [next((name for name, items in bound.items() if word in items), None) for word in words]


class Examples(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        os.symlink(os.path.join(support.TOP, "examples"), os.path.join(self.folder, "examples"))
        self.before = os.getcwd()
        os.chdir(self.folder)
        subprocess.run([support.SCRIM, "ledger", "create", "clinic.ledger", "--budget", "epsilon=10"], check=True, capture_output=True)

    def tearDown(self):
        os.chdir(self.before)
        shutil.rmtree(self.folder)

    def program(self, words, seed):
        said = subprocess.run([support.SCRIM, *words, "--seed", str(seed), "--format", "json", "--quiet"], capture_output=True, text=True)
        self.assertIn(said.returncode, (0, 3), said.stderr)
        self.last = said.stdout
        return said.stdout

    def compare(self, method, ours, theirs):
        for part in ("method", "version", "values", "tables", "charts", "notes", "results", "outputs"):
            self.assertEqual(comparable(ours[part]), comparable(theirs[part]), f"{method}: {part}")

    def compare_docstring(self, method, seed, text):
        """The docstring's example, on files as the program's is: the same JSON to the last byte."""
        function = named_function(method)
        call = function.__doc__.split(">>> ")[1].split("\n")[0].replace(f", seed={seed})", ")").replace(f"seed={seed})", ")")
        more = f", seed={seed}" + (", insecure_reproducible=True" if method in FRESH else "") + (", check=False" if "check" in function.__doc__ else "")
        call = re.sub(r', output="[^"]*"', "", call)  # the program's was left out, too
        said = eval(call[:-1] + more + ")", {"scrim": scrim})
        self.assertEqual(json.loads(said.to_json()), json.loads(text), call)

    def test_every_example(self):
        count = 0
        for method in scrim.methods():
            example = scrim.describe(method)["example"]
            if method in APART or not example:
                continue
            with self.subTest(method):
                words, seed = without_options(shlex.split(example)[1:])
                words += ["--insecure-reproducible"] if method in FRESH else []
                name, used = _core.find(words)
                self.assertEqual(name, method)
                given = arguments(method, words[used:]) if method != "tune" else support.tune_arguments(words[used:])
                seed = 7 if seed is None else seed
                result = scrim.call(method, seed=seed, check=False, **given)
                text = self.program(words, seed)
                for path, name in zip(words[used:], named_tables(method, words[used:])):
                    text = text.replace(path, name) if name else text  # a table in memory is called as its parameter is
                self.compare(method, result.to_dict(), json.loads(text))
                self.compare_docstring(method, seed, self.last)
                count += 1
        self.assertGreater(count, 100)


def comparable(part):
    """Names of files, and results within, which repeat them in their parameters, aside."""
    if isinstance(part, dict):
        return {k: comparable(v) for k, v in part.items() if k not in ("params", "files", "title", "verdict")}
    return [comparable(p) for p in part] if isinstance(part, list) else part


if __name__ == "__main__":
    unittest.main()
