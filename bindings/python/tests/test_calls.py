"""Arguments, answers and errors, without any other package."""
import array
import ast
import datetime
import decimal
import functools
import inspect
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

import scrim
from tests import support


class Inputs(unittest.TestCase):
    def setUp(self):
        self.people = {"sex": ["m", "f", "m", "f", "m"], "age": [30, 41, 30, None, 30], "w": array.array("d", [1, 2, 3, 4, 5])}

    def test_lists_and_arrays(self):
        r = scrim.risk.k_anonymity(self.people, keys=["sex", "age"], weight="w")
        self.assertEqual((r.k, r["classes"], r.uniques), (1, 3, 2))
        self.assertEqual(r.columns["fk"], [3, 1, 3, 1, 3])
        self.assertEqual(r.columns["Fk"], [9.0, 2.0, 9.0, 4.0, 9.0])
        self.assertEqual(r.tables["keys"]["missing"], [0, 1])

    def test_one_key_is_no_list_of_letters(self):
        self.assertEqual(scrim.risk.k_anonymity(self.people, keys="sex").k, 2)

    def test_a_column_that_has_a_comma_in_its_name(self):
        self.assertEqual(scrim.risk.k_anonymity({"a,b": [1, 1]}, keys=["a,b"]).k, 2)

    def test_every_type_comes_back(self):
        data = {
            "whole": [1, None, -(2**62)],
            "real": [1.5, float("inf"), None],
            "word": ["a", None, "née"],
            "day": [datetime.date(2000, 2, 29), None, datetime.date(1, 1, 1)],
            "moment": [datetime.datetime(1969, 12, 31, 23, 59, 59, 999999), None, datetime.datetime(9999, 12, 31)],
            "flag": [True, False, None],
            "price": [decimal.Decimal("1.25"), None, decimal.Decimal(3)],
            "nothing": [None, None, float("nan")],
        }
        back = scrim.table(data)
        self.assertEqual(back.shape, (3, 8))
        types = ["integer", "real", "category", "date", "datetime", "integer", "real", "real"]
        self.assertEqual(list(back.types.values()), types)
        want = {**data, "flag": [1, 0, None], "price": [1.25, None, 3.0], "nothing": [None] * 3}
        self.assertEqual(back.to_dict(), want)

    def test_the_capsules_go_round(self):
        table = scrim.table(self.people)
        for again in (scrim.table(Streams(table)), scrim.table(Arrays(table))):
            self.assertEqual(again.to_dict(), table.to_dict())
            self.assertEqual(again.types, table.types)

    def test_outputs_do_not_follow_the_input(self):
        values = array.array("d", [1.0, 2.0, 3.0, 4.0])
        r = scrim.protect.drop({"x": values, "name": ["a", "b", "c", "d"]}, vars=["name"])
        values[0] = 99
        self.assertEqual(r.outputs[0], {"x": [1.0, 2.0, 3.0, 4.0]})

    def test_where_and_flags(self):
        r = scrim.risk.k_anonymity(self.people, keys=["sex"], where="age == 30", show_records=True, force=False)
        self.assertEqual(r.k, 3)

    def test_files(self):
        path = os.path.join(support.EXAMPLES, "clinic.csv")
        from_file = scrim.risk.k_anonymity(path, keys=["sex", "region"])
        in_memory = scrim.risk.k_anonymity(support.clinic(), keys=["sex", "region"])
        self.assertEqual(dict(from_file), dict(in_memory))
        self.assertIsInstance(from_file.tables["keys"], scrim.Table)

    def test_tables_by_name(self):
        """Hierarchies as a folder, as dicts and as tables of the library's own."""
        folder = os.path.join(support.EXAMPLES, "hierarchies")
        tables = {name[:-4]: scrim.read(os.path.join(folder, name)) for name in os.listdir(folder)}
        dicts = {name: table.to_dict() for name, table in tables.items()}
        given = {"keys": ["sex", "age", "region"], "k": 5, "max_suppression": 0.02}
        said = [dict(scrim.protect.generalize(support.clinic(), hierarchies=h, **given)) for h in (folder, tables, dicts)]
        self.assertEqual(said[0], said[1])
        self.assertEqual(said[0], said[2])

    def test_thousand_columns(self):
        wide = {f"c{i}": [i, i, i + 1] for i in range(1000)}
        self.assertEqual(scrim.risk.k_anonymity(wide, keys=list(wide)[:3]).k, 1)
        self.assertEqual(len(scrim.protect.reorder(wide, seed=1).outputs[0]), 1000)


class Streams:
    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


class Arrays(Streams):
    __arrow_c_stream__ = property()

    def __arrow_c_array__(self, requested_schema=None):
        return self.table.__arrow_c_array__(requested_schema)


class Bad(unittest.TestCase):
    """One clear error each, of the kind that Python has for it; and it never shows a cell."""

    def check(self, kind, words, function, *args, **given):
        with self.assertRaises(kind) as caught:
            function(*args, **given)
        for word in words.split("|"):
            self.assertIn(word, str(caught.exception))
        self.assertNotIn("secret", str(caught.exception))
        return caught.exception

    def test_arguments(self):
        data, k = {"a": [1, 2], "b": ["secret", "x"]}, scrim.risk.k_anonymity
        self.check(TypeError, "has no parameter 'kees'|Did you mean 'keys'?", k, data, kees=["a"])
        self.check(TypeError, "--keys|is needed", k, data)
        self.check(TypeError, "needs an input", k, keys=["a"])
        error = self.check(ValueError, "there is no column 'c'", k, data, keys=["c"])
        self.assertEqual((error.parameter, error.status), ("keys", 2))
        self.check(ValueError, "has no value|wildcard", k, data, keys=["a"], missing="wild")
        self.check(TypeError, "takes 1 arguments by their places", k, data, ["a"])
        self.check(TypeError, "two values for data", k, data, data=data)
        self.check(TypeError, "expects a number, not list", scrim.protect.noise, data, vars=["a"], amount=[1])
        self.check(ValueError, "must be more than 0", scrim.protect.noise, data, vars=["a"], amount=-1)
        self.check(ValueError, "needs numbers", scrim.protect.noise, data, vars=["b"], amount=1)
        self.check(TypeError, "seed: expects a whole number", scrim.protect.reorder, data, seed=1.5)
        self.check(ValueError, "more than 64 bits", scrim.protect.reorder, data, seed=2**70)
        self.check(ValueError, "hexadecimal", scrim.protect.reorder, data, seed="abc")
        self.check(ValueError, "there is no", scrim.call, "risk.nothing")

    def test_tables(self):
        k = scrim.risk.k_anonymity
        self.check(TypeError, "int is no table", k, 3, keys=["a"])
        self.check(TypeError, "give one of its outputs", k, scrim.protect.reorder({"a": [1, 2]}), keys=["a"])
        self.check(TypeError, "list is no table", k, [1, 2], keys=["a"])
        self.check(ValueError, "without a column", k, {}, keys=["a"])
        self.check(ValueError, "no records", k, {"a": []}, keys=["a"])
        self.check(ValueError, "different lengths|'a' 2|'b' 1", k, {"a": [1, 2], "b": [1]}, keys=["a"])
        self.check(TypeError, "column 'a'|record 1", k, {"a": [1, "secret"]}, keys=["a"])
        self.check(TypeError, "column 'a'|record 2", k, {"a": ["secret", None, 2.5]}, keys=["a"])
        self.check(TypeError, "column 'a'|bytes", k, {"a": [b"secret"]}, keys=["a"])
        self.check(TypeError, "column 'a'|dict", k, {"a": [{}]}, keys=["a"])
        self.check(ValueError, "NUL", k, {"a": [1], "b\0": [1]}, keys=["a"])
        self.check(ValueError, "not UTF-8", k, {"a": [1], "\ud800": [1]}, keys=["a"])
        zone = datetime.timezone(datetime.timedelta(hours=-5))
        self.check(ValueError, "column 'a'|beyond", k, {"a": [datetime.datetime.max.replace(tzinfo=zone)]}, keys=["a"])
        self.assertEqual(scrim.table({"a": [decimal.Decimal("sNaN"), decimal.Decimal(1)]}).to_dict(), {"a": [None, 1.0]})
        self.check(TypeError, "column 'a'|record 1", k, {"a": [datetime.date(2000, 1, 1), datetime.datetime(2000, 1, 1)]}, keys=["a"])
        self.check(TypeError, "column 'a' is str", k, {"a": "secret"}, keys=["a"])
        self.check(TypeError, "column 'a' is int", k, {"a": 5}, keys=["a"])
        self.check(ValueError, "column 'a'|2^63", k, {"a": [2**63]}, keys=["a"])
        self.check(ValueError, "column 'a'|UTF-8", k, {"a": ["\udc80"]}, keys=["a"])
        self.check(ValueError, "NUL", k, {"a": ["a\0b"]}, keys=["a"])
        self.check(ValueError, "two columns are named '1'", k, {1: [1], "1": [2]}, keys=["1"])
        self.check(ValueError, "nowhere.csv", k, "nowhere.csv", keys=["a"])
        table = scrim.table({"a": [1]})
        stream = table.__arrow_c_stream__()
        scrim.Table._from_stream("once", stream)
        self.check(ValueError, "already taken", scrim.Table._from_stream, "twice", stream)
        self.check(ValueError, "PyCapsule", scrim.Table._from_stream, "none", table.__arrow_c_schema__())

    def test_files_without_records(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "empty.csv")
            with open(path, "w", encoding="utf-8") as file:
                file.write("a,b\n")
            self.check(ValueError, "no records", scrim.risk.k_anonymity, path, keys=["a"])
            self.assertEqual(scrim.inspect(path)["records"], 0)

    def test_rubbish_is_refused_everywhere(self):
        """Whatever stands where a method wants something else: an exception of Python's kind, never a crash."""
        rubbish = [5, -1.5, "", "nothing", [], [[]], [None], {"": []}, {"a": [1, "x"]}, object(), b"x", float("nan"), {"a": object()}, lambda: 0]
        data, calls = {"a": [1, 2, 2], "b": ["x", "y", None]}, 0
        for method in scrim.methods():
            known = scrim._call.parameters(method)
            tables = {n: data for n, p in known.items() if p["kind"] == "table" and p["required"]}
            for i, (name, param) in enumerate(known.items()):
                if param["kind"] == "ledger" or name in ("output", "report", "ledger") or method in ("convert", "ledger.create"):
                    continue  # they would write
                for junk in (rubbish[i % len(rubbish)], rubbish[(7 * i + 3) % len(rubbish)]):
                    calls += 1
                    try:
                        scrim.call(method, **{**tables, name: junk}, time_limit=1, check=False)
                    except (TypeError, ValueError, scrim.ScrimError):
                        pass
        self.assertGreater(calls, 1000)

    def test_nothing_is_made_by_hand(self):
        for kind in (scrim.Table, scrim.Result, scrim._core.Table, scrim._core.Result):
            self.assertRaises(TypeError, kind)

    def test_policy(self):
        with self.assertRaises(scrim.PolicyError) as caught:
            scrim.audit(support.clinic(), roles={"keys": ["sex", "age"]}, policy={"rules": ["risk.k-anonymity.k >= 3"]})
        self.assertEqual(caught.exception.rules, ["risk.k-anonymity.k >= 3 (observed: 1)"])
        self.assertEqual(caught.exception.result.rules_broken, 1)
        r = scrim.audit(support.clinic(), roles={"keys": ["sex", "age"]}, policy={"rules": ["risk.k-anonymity.k >= 3"]}, check=False)
        self.assertEqual(r.results["risk.k-anonymity"].k, 1)

    def test_budget(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.ledger")
            scrim.ledger.create(path, budget="epsilon=1")
            asked = {"query": "count()", "epsilon": 0.75, "ledger": path}
            scrim.release.query({"age": [30, 40]}, **asked)
            more = {**asked, "query": "count() where age > 35"}
            error = self.check(scrim.BudgetError, "the budget is too small", scrim.release.query, {"age": [30, 40]}, **more)
            self.assertEqual(len(error.rules), 1)
            self.check(scrim.BudgetError, "no ledger was given", scrim.release.query, {"age": [30]}, query="count()", epsilon=1)
            self.assertEqual(scrim.ledger.show(path).currency, "epsilon")


class Answers(unittest.TestCase):
    def setUp(self):
        self.result = scrim.risk.k_anonymity(support.clinic(), keys=["sex", "region"])

    def test_a_mapping(self):
        r = self.result
        self.assertEqual(dict(r), r.to_dict()["values"])
        self.assertEqual((r["k"], r.get("nothing", 5), len(r) > 3, "k" in r), (r.k, 5, True, True))
        self.assertIn("k", dir(r))
        with self.assertRaisesRegex(AttributeError, "has no 'nothing'; its values are k"):
            r.nothing
        self.assertEqual(r.method, "risk.k-anonymity")
        self.assertEqual(r.params["keys"], ["sex", "region"])

    def test_shown(self):
        r = self.result
        self.assertIn("<svg", r.svg(0))
        self.assertIn("<svg", r.charts[0]._repr_svg_())
        self.assertEqual(r.charts[0]["kind"], "bar")
        self.assertEqual(r.plot()._repr_html_().count("<svg"), len(r.charts))
        self.assertEqual((len(r.plot([0])), repr(r.plot([0]))), (1, "<scrim.Pictures: 1>"))
        page = r._repr_html_()
        self.assertTrue(page.startswith("<iframe srcdoc="))
        self.assertIn("&lt;svg", page)
        self.assertIn("risk.k-anonymity", repr(r))
        self.assertRaises(ValueError, r.svg, 7)

    def test_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.html", "a.json", "a.svg"):
                self.result.save(os.path.join(folder, name))
                self.assertGreater(os.path.getsize(os.path.join(folder, name)), 100)
            made = scrim.protect.noise(support.clinic(), vars=["income"], amount=0.1, seed=1)
            made.save(os.path.join(folder, "out.csv"))
            with open(os.path.join(folder, "out.csv.manifest.json"), encoding="utf-8") as file:
                self.assertEqual(json.load(file)["schema"], 1)
            back = scrim.read(os.path.join(folder, "out.csv"))
            self.assertEqual(back.perturbed, ["income"])
            self.assertRaises(ValueError, self.result.save, os.path.join(folder, "a.nothing"))

    def test_modes(self):
        """What is given away follows the umask; what tells of records does not get beyond their file's mode."""
        before = os.umask(0o022)
        self.addCleanup(os.umask, before)
        with tempfile.TemporaryDirectory() as folder:
            place = functools.partial(os.path.join, folder)
            shutil.copy(os.path.join(support.EXAMPLES, "clinic.csv"), place("in.csv"))
            os.chmod(place("in.csv"), 0o600)
            table = scrim.read(place("in.csv"))
            made = scrim.protect.microaggregate(table, vars=["income"], k=3)
            made.save(place("given.csv"))
            made.save(place("page.html"))
            made.outputs[0].write(place("given.tsv"))
            table.write(place("copy.csv"))
            scrim.risk.k_anonymity(place("in.csv"), keys=["sex"]).save(place("risk.json"))
            scrim.tabular.build(table, dims=["sex"], response="income").save(place("cells.csv"))
            modes = {name: os.stat(place(name)).st_mode & 0o777 for name in os.listdir(folder)}
        given = {name for name, mode in modes.items() if mode == 0o644}
        self.assertEqual(given, {"given.csv", "given.tsv"})
        self.assertEqual(set(modes.values()), {0o644, 0o600})

    def test_tables_are_pickled(self):
        table = scrim.protect.noise(scrim.read(os.path.join(support.EXAMPLES, "clinic.csv")), vars=["income"], amount=0.1).outputs[0]
        again = pickle.loads(pickle.dumps(table))
        self.assertEqual(again.to_dict(), table.to_dict())
        self.assertEqual(again.types, table.types)
        self.assertEqual((again.released, again.perturbed), (True, ["income"]))

    def test_inputs_are_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "people.csv")
            with open(path, "w", encoding="utf-8") as file:
                file.write("a,b\n1,x\n2,y\n")
            made = scrim.protect.drop(path, vars=["b"])
            with self.assertRaisesRegex(ValueError, "is an input"):
                made.save(os.path.join(folder, ".", "people.csv"))
            with self.assertRaisesRegex(ValueError, "is an input"):
                scrim.protect.noise(path, vars=["a"], amount=0.1, max_memory="64M", output=path)
            self.assertEqual(scrim.read(path).columns, ["a", "b"])

    def test_pickled(self):
        again = pickle.loads(pickle.dumps(self.result))
        self.assertEqual(again.to_dict()["values"], self.result.to_dict()["values"])
        self.assertEqual(again.columns["fk"], self.result.columns["fk"])

    def test_the_same_seed(self):
        noisy = [scrim.protect.noise(support.clinic(), vars=["income"], amount=0.1, seed=s).outputs[0]["income"] for s in (1, 1, 2, "ab" * 32)]
        self.assertEqual(noisy[0], noisy[1])
        self.assertNotEqual(noisy[0], noisy[2])
        self.assertNotEqual(noisy[0], noisy[3])

    def test_roles_fill(self):
        roles = {"keys": ["sex", "region"], "weight": "w"}
        self.assertEqual(scrim.risk.k_anonymity(support.clinic(), roles=roles).k, self.result.k)

    def test_recipes(self):
        recipe = {
            "input": "people",
            "roles": {"keys": ["sex", "age", "region"], "identifiers": ["name", "phone"]},
            "steps": [{"protect.recode": {"var": "age", "breaks": [0, 30, 60]}}, {"protect.suppress": {"k": 2}}],
        }
        r = scrim.run_recipe(recipe, tables={"people": support.clinic()}, seed=1)
        self.assertNotIn("name", r.outputs[0])
        self.assertEqual(len(r.outputs[0]["age"]), 300)

    def test_tuned(self):
        r = scrim.tune("protect", "noise", support.clinic(), vars=["income"], over="amount=0.1:0.2:0.1", risk="linkage", utility="compare.hellinger", seed=1)
        self.assertEqual(r.method, "tune")

    def test_signatures(self):
        said = inspect.signature(scrim.protect.noise)
        self.assertEqual(said.parameters["method"].default, "independent")
        self.assertEqual(said.parameters["amount"].default, inspect.Parameter.empty)
        self.assertIn("Parameters\n", scrim.protect.noise.__doc__)
        for name in scrim.methods():
            described = scrim.describe(name)
            place = scrim if described["group"] == "verb" else getattr(scrim, described["group"])
            if name == "scrub":
                place = scrim.scrub
            function = getattr(place, "run_recipe" if name == "run" else scrim._call.python_name(described["name"]))
            self.assertEqual(function.method, name)
            self.assertIn(described["summary"], function.__doc__)


class Stubs(unittest.TestCase):
    def test_stubs_say_what_the_functions_take(self):
        folder = os.path.dirname(scrim.__file__)
        checked = 0
        for name in os.listdir(folder):
            if not name.endswith(".pyi") or name == "_core.pyi":
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                tree = ast.parse(file.read())
            module = scrim if name in ("_verbs.pyi", "__init__.pyi") else getattr(scrim, name[:-4])
            for said in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
                names = [a.arg for a in said.args.args + said.args.kwonlyargs]
                self.assertEqual(names, list(inspect.signature(getattr(module, said.name)).parameters), said.name)
                checked += 1
        self.assertEqual(checked, len(scrim.methods()))


class Running(unittest.TestCase):
    def test_threads(self):
        data, answers = support.clinic(), []
        tasks = [threading.Thread(target=lambda: answers.append(scrim.risk.suda(data, keys=["sex", "age", "region"]).to_json())) for _ in range(8)]
        for task in tasks:
            task.start()
        for task in tasks:
            task.join()
        self.assertEqual(len(answers), 8)
        self.assertEqual(len(set(answers)), 1)

    def test_progress(self):
        told = []
        big = {"a": list(range(200000)), "b": [i % 7 for i in range(200000)]}
        scrim.protect.mondrian(big, keys=["a", "b"], k=3, progress=lambda what, share: told.append(share))
        self.assertTrue(all(0 <= share <= 1 for share in told))

    def test_progress_may_stop_it(self):
        def stop(what, share):
            raise LookupError("enough")

        with self.assertRaisesRegex(LookupError, "enough"):
            support.slow(progress=stop)

    def test_interrupts(self):
        """Ctrl-C ends the computation, not the interpreter."""
        code = (
            "import os, signal, threading, scrim\nfrom tests import support\n"
            "later = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))\n"
            "try:\n    support.slow(later.start)\n    print('ended')\nexcept KeyboardInterrupt:\n"
            "    print('stopped', scrim.risk.k_anonymity({'a': [1, 1]}, keys='a').k)\n"
        )
        here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        path = os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])
        said = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}, timeout=300)
        self.assertEqual(said.stdout, "stopped 2\n", said.stderr)


class Memory(unittest.TestCase):
    def test_flat_over_ten_thousand_calls(self):
        data = {"sex": ["m", "f", "m", "f"], "age": [30, 41, 30, None], "w": array.array("d", [1, 2, 3, 4])}

        def rounds(count):
            for _ in range(count):
                r = scrim.risk.k_anonymity(data, keys=["sex", "age"], weight="w", threads=1)
                r.columns, r.tables["keys"], dict(r)
                scrim.table(data).__arrow_c_stream__()
                try:
                    scrim.risk.k_anonymity(data, keys=["nobody"])
                except ValueError:
                    pass

        def resident():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        rounds(1000)
        before = resident()
        rounds(10000)
        self.assertLess(resident() - before, 8 << 20)


if __name__ == "__main__":
    unittest.main()
