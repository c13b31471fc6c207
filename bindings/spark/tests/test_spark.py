"""On a real cluster of two executors: the same answers as the program's, whatever the partitions, and after an executor is killed."""
import csv
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
import unittest

import pyspark
import scrim
import scrim.spark
from pyspark.sql import SparkSession

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
CLINIC = os.path.join(TOP, "examples", "clinic.csv")
SCRIM = os.environ.get("SCRIM", os.path.join(TOP, "build", "scrim"))


def descendants(pid):
    """Processes that this one started, and those that they did: ours to end."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat") as file:
                parent = int(file.read().rsplit(")", 1)[1].split()[1])
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                command = file.read()
        except OSError:
            continue
        found.append((int(entry), parent, command))
    mine, grew = {pid}, True
    while grew:
        more = {p for p, parent, _ in found if parent in mine} - mine
        grew = bool(more)
        mine |= more
    return [(p, command) for p, _, command in found if p in mine]


def program(*words):
    """What the program says, as JSON."""
    said = subprocess.run([SCRIM, *words, "--format", "json", "--quiet"], check=True, capture_output=True, text=True).stdout
    return json.loads(said)


def cells(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


class Spark(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.spark = (
            SparkSession.builder.master("local-cluster[2,1,1024]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.warehouse.dir", cls.folder.name)
            .config("spark.executor.memory", "512m")
            .config("spark.log.level", "ERROR")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .getOrCreate()
        )
        cls.table = cls.spark.read.csv(CLINIC, header=True, inferSchema=True)

    @classmethod
    def tearDownClass(cls):
        cls.spark.stop()
        cls.folder.cleanup()

    def same_as_program(self, df, method, given, words):
        """The frame's changed columns and the result, against the program on the file."""
        out = os.path.join(self.folder.name, "program.csv")
        wanted = program(*method.split("."), CLINIC, *words, "-o", out)
        made = scrim.spark.run(df, method, seed=4, **given)
        for name, value in wanted["values"].items():
            self.assertEqual(made.result[name], value, name)
        header, *rows = cells(out)
        frame = made.frame.toPandas()
        self.assertEqual(list(frame.columns), header)
        self.assertEqual(len(frame), len(rows))
        for j, name in enumerate(header):
            for i, cell in enumerate(frame[name]):
                text = rows[i][j]
                if text == "":
                    self.assertTrue(cell is None or cell != cell, f"{name} {i}")
                elif isinstance(cell, str):
                    self.assertEqual(cell, text)
                elif isinstance(cell, (int, float)):
                    self.assertEqual(float(cell), float(text), f"{name} {i}")

    def test_noise(self):
        words = ("--vars", "income,bmi", "--amount", "0.2", "--strata", "sex", "--seed", "4")
        given = {"vars": ["income", "bmi"], "amount": 0.2, "strata": ["sex"]}
        for partitions in (1, 3):
            self.same_as_program(spread(self.table, partitions), "protect.noise", given, words)

    def test_classes(self):
        df = spread(self.table, 3)
        self.same_as_program(df, "risk.k-anonymity", {"keys": ["sex", "age", "region"], "weight": "w"}, ("--keys", "sex,age,region", "--weight", "w"))
        self.same_as_program(df, "risk.individual", {"keys": ["sex", "age"], "household": "hid"}, ("--keys", "sex,age", "--household", "hid"))
        self.same_as_program(df, "protect.recode", {"var": "age", "breaks": [0, 30, 60]}, ("--var", "age", "--breaks", "0,30,60"))

    def test_suppress(self):
        """Records of one kind lose different cells, whatever partition they are in."""
        self.same_as_program(spread(self.table, 4), "protect.suppress", {"keys": ["sex", "age", "region"], "k": 3}, ("--keys", "sex,age,region", "--k", "3"))

    def test_compare(self):
        """Two frames, however each is partitioned, and one of them shorter."""
        released = os.path.join(TOP, "examples", "clinic-released.csv")
        names = ["age", "income", "visits", "region", "education", "bmi"]
        short = os.path.join(self.folder.name, "short.csv")
        with open(released, encoding="utf-8") as file, open(short, "w", encoding="utf-8") as out:
            out.writelines(file.readlines()[:201])
        for path, partitions in ((released, (1, 3)), (released, (4, 2)), (short, (2, 3))):
            wanted = program("utility", "compare", CLINIC, path, "--vars", ",".join(names))
            other = self.spark.read.csv(path, header=True, inferSchema=True)
            made = scrim.spark.run(spread(self.table, partitions[0]), "utility.compare", released=spread(other, partitions[1]), vars=names)
            self.assertIsNone(made.frame)
            for name, value in wanted["values"].items():
                self.assertEqual(made.result[name], value, name)

        for given in ({"original": other}, {"released": other, "original": other}, {"released": {"age": [1]}}, {}):
            with self.assertRaisesRegex(ValueError, "takes the first of its tables as `df` and `released`"):
                scrim.spark.run(self.table, "utility.compare", **given)
        with self.assertRaisesRegex(ValueError, "population is a Spark data frame"):
            scrim.spark.run(self.table, "risk.presence", keys=["sex"], population=other)

    def test_sample(self):
        self.same_as_program(spread(self.table, 3), "protect.sample", {"fraction": 0.3, "strata": ["sex"]}, ("--fraction", "0.3", "--strata", "sex", "--seed", "4"))

    def test_pieces(self):
        """States that are large go through the shuffle in pieces; those of other partitions may be whole."""
        large, scrim.spark.LARGE = scrim.spark.LARGE, 2000
        try:
            self.same_as_program(spread(self.table, 4), "risk.k-anonymity", {"keys": ["sex", "age", "region"]}, ("--keys", "sex,age,region"))
        finally:
            scrim.spark.LARGE = large

    def test_release(self):
        """A release is of the whole table: sums of the partitions, and noise that is drawn once."""
        released = scrim.spark.release.query(spread(self.table, 3), query="count() by sex; mean(age)", bounds={"age": (18, 95)}, epsilon=900.0, delta=1e-9, no_ledger=True)
        self.assertIsNone(released.frame)
        with open(CLINIC, encoding="utf-8") as file:
            ages = [int(line.split(",")[4]) for line in list(file)[1:] if line.split(",")[4]]
        self.assertAlmostEqual(released.result.tables["answers"]["answer"][-1], sum(ages) / len(ages), delta=0.1)

    def test_submit(self):
        """A recipe under spark-submit, on a cluster of its own."""
        recipe, out = os.path.join(self.folder.name, "recipe.json"), os.path.join(self.folder.name, "submitted")
        with open(recipe, "w", encoding="utf-8") as file:
            json.dump({"steps": [{"protect.recode": {"var": "age", "breaks": [0, 30, 60]}}, {"protect.suppress": {"keys": ["sex", "age", "region"], "k": 3}}]}, file)
        submit = os.path.join(os.path.dirname(pyspark.__file__), "bin", "spark-submit")
        script = os.path.join(TOP, "bindings", "spark", "scrim_recipe.py")
        words = [submit, "--master", "local[2]", "--conf", "spark.ui.enabled=false", script, recipe, "--input", CLINIC, "--output", out]
        said = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()[-1])
        self.assertGreaterEqual(said[1]["k"], 3)
        rows = [row for name in sorted(os.listdir(out)) if name.endswith(".csv") for row in cells(os.path.join(out, name))[1:]]
        self.assertEqual(len(rows), 300)

    def test_pram(self):
        self.same_as_program(
            spread(self.table, 4), "protect.pram", {"vars": ["region"], "keep": 0.8, "invariant": True}, ("--vars", "region", "--keep", "0.8", "--invariant", "--seed", "4")
        )

    def test_recipe(self):
        steps = [{"protect.recode": {"var": "age", "breaks": [0, 30, 60]}}, {"protect.noise": {"vars": ["income"], "amount": 0.1}}, {"risk.k-anonymity": {"keys": ["sex", "age"]}}]
        frame, results = scrim.spark.recipe(spread(self.table, 3), steps, seed=1)
        self.assertEqual(frame.count(), 300)
        self.assertGreater(results[2]["k"], 1)
        with self.assertRaisesRegex(ValueError, "whole table"):
            scrim.spark.recipe(self.table, [{"protect.microaggregate": {"vars": ["income"], "k": 3}}])

    def test_functions(self):
        self.assertIn("noise", dir(scrim.spark.protect))
        made = scrim.spark.risk.k_anonymity(spread(self.table, 2), keys=["sex", "region"])
        self.assertEqual(made.result["k"], program("risk", "k-anonymity", CLINIC, "--keys", "sex,region")["values"]["k"])
        with self.assertRaisesRegex(AttributeError, "does not run in parts"):
            scrim.spark.protect.microaggregate

    def test_bad(self):
        with self.assertRaisesRegex(ValueError, "whole table"):
            scrim.spark.run(self.table, "protect.microaggregate", vars=["income"], k=3)
        with self.assertRaisesRegex(Exception, "nobody"):
            scrim.spark.run(self.table, "protect.noise", vars=["nobody"], amount=0.1)

    def test_killed(self):
        """An executor dies while the job runs: Spark starts its tasks again, and the answer is the same."""
        copies = self.spark.range(20).withColumnRenamed("id", "copy")
        df = self.table.crossJoin(copies).orderBy("copy", "id")
        wanted = scrim.spark.run(df, "protect.noise", seed=4, vars=["income"], amount=0.2)
        before = [tuple(r) for r in wanted.frame.select("income").toPandas().itertuples(index=False)]
        df.unpersist()
        killed = []

        def kill():
            time.sleep(2)  # the job takes longer on any machine: three passes, each started by Spark
            for pid, command in descendants(os.getpid()):
                if b"CoarseGrainedExecutorBackend" in command and not killed:
                    killed.append(pid)
                    os.kill(pid, signal.SIGKILL)

        thread = threading.Thread(target=kill)
        thread.start()
        again = scrim.spark.run(df, "protect.noise", seed=4, vars=["income"], amount=0.2)
        after = [tuple(r) for r in again.frame.select("income").toPandas().itertuples(index=False)]
        thread.join()
        self.assertTrue(killed)
        self.assertEqual(repr(before), repr(after))
        self.assertEqual(again.result["cells"], wanted.result["cells"])


def spread(df, partitions):
    """The same records in the same order, in so many partitions."""
    spark = df.sparkSession
    return spark.createDataFrame(spark.sparkContext.parallelize(df.collect(), partitions), df.schema)


if __name__ == "__main__":
    unittest.main()
