"""pandas, polars, pyarrow and DuckDB: in without a copy, back as the same kind of frame with every column as it was."""
import datetime
import io
import unittest
from unittest import mock

import duckdb
import numpy
import pandas
import polars
import pyarrow

import scrim
from scrim._progress import Progress
from tests import support


def mixed():
    """A frame with a column of every kind that there is."""
    n = 6
    return pandas.DataFrame(
        {
            "i8": numpy.array([1, 2, 3, 4, 5, 6], dtype="int8"),
            "u4": numpy.arange(n, dtype="uint32"),
            "i64": numpy.arange(n) * 10**12,
            "nullable": pandas.array([1, None, 3, 4, None, 6], dtype="Int16"),
            "f4": numpy.linspace(0, 1, n).astype("float32"),
            "f64": [0.5, numpy.nan, 1, 2, 3, 4],
            "nullable_real": pandas.array([0.5, None, 1, 2, 3, 4], dtype="Float64"),
            "flag": [True, False] * 3,
            "nullable_flag": pandas.array([True, None] * 3, dtype="boolean"),
            "words": ["a", "b", None, "c", "née", "a"],
            "objects": numpy.array(["a", "b", None, "c", "a", "b"], dtype=object),
            "string": pandas.array(["a", None, "b", "c", "a", "b"], dtype="string"),
            "category": pandas.Categorical(["z", "y", None, "z", "x", "y"], categories=["z", "y", "x"]),
            "ordered": pandas.Categorical(["lo", "hi", "lo", "mid", "hi", None], categories=["lo", "mid", "hi"], ordered=True),
            "numbers": pandas.Categorical([30, 10, 20, 10, 30, None], categories=[30, 20, 10]),
            "stamp": pandas.date_range("2020-02-28", periods=n, freq="13h"),
            "zoned": pandas.date_range("2020-03-28", periods=n, freq="7h", tz="Europe/Vienna"),
            "day": numpy.array([datetime.date(2000, 1, 1 + i) for i in range(n - 1)] + [None], dtype=object),
            "midnight": pandas.date_range("2020-02-28", periods=n),
            "nothing": numpy.array([None] * n, dtype=object),
            "arrow": pandas.array([1, None, 3, 4, 5, 6], dtype=pandas.ArrowDtype(pyarrow.int32())),
            "arrow_words": pandas.array(["a", None, "b", "c", "a", "b"], dtype=pandas.ArrowDtype(pyarrow.string())),
            "to_go": range(n),
        },
        index=[10, 20, 30, 40, 50, 60],
    )


class Pandas(unittest.TestCase):
    def test_every_kind_comes_back_as_it_was(self):
        frame = mixed()
        out = scrim.protect.drop(frame, vars=["to_go"]).outputs[0]
        want = frame.drop(columns="to_go").reset_index(drop=True)
        self.assertEqual({c: str(t) for c, t in out.dtypes.items()}, {c: str(t) for c, t in want.dtypes.items()})
        for column in want:
            if column in ("category", "ordered", "numbers"):
                self.assertEqual(list(out[column].cat.categories), list(want[column].cat.categories), column)
                self.assertEqual(out[column].cat.ordered, want[column].cat.ordered, column)
            pandas.testing.assert_series_equal(out[column], want[column], obj=column)

    def test_numbers_are_not_copied(self):
        values = numpy.arange(1000.0)
        frame = pandas.DataFrame({"x": values}, copy=False)
        table = scrim.table(frame)
        self.assertEqual(table._address(0), frame["x"].to_numpy().__array_interface__["data"][0])
        whole = pandas.DataFrame({"x": pandas.array(range(1000), dtype="Int64")})
        self.assertEqual(scrim.table(whole)._address(0), whole["x"].to_numpy(dtype="int64").__array_interface__["data"][0])

    def test_the_caller_may_change_the_input(self):
        frame = pandas.DataFrame({"x": numpy.arange(5.0), "y": list("abcde")})
        r = scrim.protect.drop(frame, vars=["y"])
        frame.loc[:, "x"] = -1.0
        frame["x"].to_numpy()
        self.assertEqual(r.outputs[0]["x"].tolist(), [0, 1, 2, 3, 4])
        out = r.outputs[0]
        out.loc[0, "x"] = 7.0
        self.assertEqual(out["x"][0], 7)

    def test_columns_have_the_index(self):
        frame = mixed()
        r = scrim.risk.k_anonymity(frame, keys=["category", "flag"])
        self.assertEqual(list(r.columns.index), list(frame.index))
        joined = frame.join(r.columns)
        self.assertEqual(len(joined), 6)
        self.assertIsInstance(r.tables["keys"], pandas.DataFrame)

    def test_tables_are_their_own(self):
        frame = pandas.DataFrame({"records": pandas.Categorical([1, 1, 2]), "classes": numpy.array([1, 1, 2], dtype="int8")})
        table = scrim.risk.k_anonymity(frame, keys=["records", "classes"]).tables["frequencies"]
        self.assertEqual(str(table["records"].dtype), "int64")

    def test_outputs_have_an_index_of_their_own(self):
        out = scrim.protect.reorder(mixed(), seed=1).outputs[0]
        self.assertEqual(list(out.index), list(range(6)))

    def test_scalars_of_numpy(self):
        moment, late = numpy.datetime64("2020-01-01T00:00:01", "ns"), datetime.datetime(2020, 1, 1, 0, 0, 1)
        self.assertEqual(scrim.table({"a": [moment, None]}).to_dict(), {"a": [late, None]})
        self.assertEqual(scrim.table({"a": [numpy.longdouble(1.5), None]}).to_dict(), {"a": [1.5, None]})
        for cell in (numpy.timedelta64(1, "ns"), numpy.array([1]), numpy.complex128(1)):
            with self.assertRaisesRegex(TypeError, "column 'a' holds"):
                scrim.table({"a": [cell, cell]})

    def test_pandas_on_arrow_with_missing_times(self):
        day, moment = datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1, 1)
        for type, cell in ((pyarrow.date32(), day), (pyarrow.timestamp("us"), moment), (pyarrow.timestamp("ns"), moment)):
            frame = pandas.DataFrame({"a": pandas.array([cell, None, cell], dtype=pandas.ArrowDtype(type)), "x": [1, 2, 3]})
            self.assertEqual(scrim.table(frame).to_dict()["a"], [cell, None, cell])
            out = scrim.protect.drop(frame, vars=["x"]).outputs[0]
            pandas.testing.assert_series_equal(out["a"], frame["a"])
        with self.assertRaisesRegex(TypeError, "column 'a' holds"):
            scrim.table(pandas.DataFrame({"a": pandas.array([[1], None], dtype=pandas.ArrowDtype(pyarrow.list_(pyarrow.int64())))}))

    def test_suppressed_integers_become_nullable(self):
        frame = pandas.DataFrame({"a": [1, 1, 1, 2], "b": ["x", "x", "x", "x"]})
        out = scrim.protect.suppress(frame, keys=["a", "b"], k=2).outputs[0]
        self.assertIn(str(out["a"].dtype), ("Int64", "int64"))
        self.assertEqual(int(out.isna().sum().sum()) > 0, True)

    def test_a_release_knows_what_it_is(self):
        frame = pandas.DataFrame({"x": numpy.arange(20.0), "k": [1, 2] * 10})
        out = scrim.protect.noise(frame, vars=["x"], amount=0.1, seed=1).outputs[0]
        self.assertEqual(out.attrs["scrim"], {"released": True, "perturbed": ["x"]})
        with self.assertRaisesRegex(ValueError, "perturbed|random"):
            scrim.risk.k_anonymity(out, keys=["x"])
        table = scrim.protect.noise(scrim.table(frame), vars=["x"], amount=0.1, seed=1).outputs[0]
        for made in (table.to_pandas(), table.to_pyarrow()):
            self.assertEqual((scrim.table(made).released, scrim.table(made).perturbed), (True, ["x"]))

    def test_dropped_categories_are_gone(self):
        frame = pandas.DataFrame({"c": pandas.Categorical(["a", "a", "rare"])})
        out = scrim.protect.suppress_records(frame, where="c == 'rare'").outputs[0]
        self.assertEqual(list(out["c"].cat.categories), ["a"])

    def test_examples_by_pandas(self):
        """A CSV that pandas reads gives what the program says of it."""
        frame = pandas.read_csv(support.EXAMPLES + "/clinic.csv")
        r = scrim.risk.individual(frame, keys=["sex", "age", "region"], weight="w", household="hid")
        s = scrim.risk.individual(support.EXAMPLES + "/clinic.csv", keys=["sex", "age", "region"], weight="w", household="hid")
        self.assertEqual(dict(r), dict(s))

    def test_categories_that_are_no_words(self):
        ages = pandas.cut(pandas.Series([1, 15, 25, 15]), [0, 10, 20, 30])
        days = pandas.Categorical(pandas.to_datetime(["2000-01-01", "2001-01-01", "2000-01-01", None]))
        frame = pandas.DataFrame({"ages": ages, "days": days, "x": range(4)})
        out = scrim.protect.drop(frame, vars=["x"]).outputs[0]
        pandas.testing.assert_frame_equal(out, frame.drop(columns="x"))

    def test_bad(self):
        k = scrim.risk.k_anonymity
        for frame, kind, words in (
            (pandas.DataFrame({"a": [1, "x"]}), TypeError, "column 'a' mixes kinds"),
            (pandas.DataFrame([[1, 2]], columns=["a", "a"]), ValueError, "two columns are named 'a'"),
            (pandas.DataFrame({"a": []}), ValueError, "no records"),
            (pandas.DataFrame(), ValueError, "without a column"),
            (pandas.DataFrame({"a": [b"x"]}), TypeError, "bytes"),
            (pandas.DataFrame({"a": [1j]}), TypeError, "complex128"),
            (pandas.DataFrame({"a": pandas.to_timedelta([1])}), TypeError, "timedelta"),
            (pandas.DataFrame({"a": pandas.period_range("2020", periods=1)}), TypeError, "period"),
            (pandas.DataFrame({"a": pandas.Categorical([1, "1"])}), ValueError, "read the same"),
            (pandas.DataFrame({"a": [[1], [2]]}), TypeError, "list"),
            (pandas.DataFrame({"a": numpy.array([2**63], dtype="uint64")}), ValueError, "2^63"),
        ):
            with self.assertRaises(kind) as caught:
                k(frame, keys=["a"])
            self.assertIn(words, str(caught.exception))
        wide = pandas.DataFrame(numpy.zeros((3, 1000)), columns=[f"c{i}" for i in range(1000)])
        self.assertEqual(k(wide, keys=["c0", "c999"]).k, 3)

    def test_names_that_are_no_text(self):
        frame = pandas.DataFrame({0: [1, 1], ("a", 1): [2, 3]})
        out = scrim.protect.drop(frame, vars=["0"]).outputs[0]
        self.assertEqual(list(out.columns), [("a", 1)])


class Polars(unittest.TestCase):
    def frame(self):
        return polars.DataFrame(
            {
                "i8": polars.Series([1, None, 3], dtype=polars.Int8),
                "f4": polars.Series([0.5, None, 1], dtype=polars.Float32),
                "flag": [True, False, None],
                "words": ["a longer word than twelve", None, "née"],
                "category": polars.Series(["z", "a", None], dtype=polars.Categorical),
                "enum": polars.Series(["lo", "hi", None], dtype=polars.Enum(["lo", "hi"])),
                "day": [datetime.date(2000, 1, 1), None, datetime.date(1, 1, 1)],
                "stamp": polars.Series([datetime.datetime(2000, 1, 1, 12), None, datetime.datetime(1960, 1, 1)], dtype=polars.Datetime("ms")),
                "zoned": polars.Series([datetime.datetime(2000, 1, 1, 12)] * 3).dt.replace_time_zone("Europe/Vienna"),
                "to_go": [1, 2, 3],
            }
        )

    def test_round(self):
        frame = self.frame()
        out = scrim.protect.drop(frame, vars=["to_go"]).outputs[0]
        self.assertIsInstance(out, polars.DataFrame)
        self.assertEqual(dict(out.schema), dict(frame.drop("to_go").schema))
        self.assertTrue(out.equals(frame.drop("to_go")), out)
        lazy = scrim.protect.drop(frame.lazy(), vars=["to_go"]).outputs[0]
        self.assertTrue(lazy.equals(out))

    def test_values(self):
        r = scrim.risk.k_anonymity(self.frame(), keys=["words", "flag"])
        self.assertEqual(r.k, 1)
        self.assertEqual(r.columns["fk"].to_list(), [1, 1, 1])

    def test_chunks(self):
        frame = polars.concat([self.frame()] * 3, rechunk=False)
        self.assertEqual(scrim.risk.k_anonymity(frame, keys=["words", "category"]).k, 3)

    def test_columns_of_a_dict(self):
        data = {"a": polars.Series([1, 1]), "b": pandas.Series(["x", "x"]), "c": pyarrow.array([1, 1]), "d": numpy.array([1.5, 1.5])}
        self.assertEqual(scrim.risk.k_anonymity(data, keys=list(data)).k, 2)


class PyArrow(unittest.TestCase):
    def table(self):
        return pyarrow.table(
            {
                "i16": pyarrow.array([1, None, 3], pyarrow.int16()),
                "text": pyarrow.array(["a", None, "b"]),
                "view": pyarrow.array(["a", None, "more than twelve bytes"], pyarrow.string_view()),
                "dictionary": pyarrow.array(["x", "y", None]).dictionary_encode(),
                "day": pyarrow.array([1, None, 3], pyarrow.date32()),
                "zoned": pyarrow.array([10**9, None, 3], pyarrow.timestamp("s", tz="Europe/Vienna")),
                "flag": pyarrow.array([True, None, False]),
                "to_go": [1, 2, 3],
            }
        )

    def test_round(self):
        table = self.table()
        out = scrim.protect.drop(table, vars=["to_go"]).outputs[0]
        want = table.drop_columns(["to_go"])
        self.assertEqual(out.schema.names, want.schema.names)
        for name in want.schema.names:
            self.assertEqual(out[name].to_pylist(), want[name].to_pylist(), name)
            if name != "dictionary":
                self.assertEqual(out.schema.field(name).type, want.schema.field(name).type, name)

    def test_slices_and_batches(self):
        sliced = self.table().slice(1, 2)
        self.assertEqual(scrim.table(sliced).to_dict()["text"], [None, "b"])
        batch = self.table().to_batches()[0].slice(2, 1)
        self.assertEqual(scrim.table(batch).to_dict()["i16"], [3])
        self.assertEqual(scrim.table(batch).to_dict()["view"], ["more than twelve bytes"])
        decimals = pyarrow.table({"d": pyarrow.array([1, 2]).cast(pyarrow.decimal128(21, 2))})
        self.assertEqual(scrim.table(decimals).to_dict(), {"d": [1.0, 2.0]})

    def test_numbers_are_not_copied(self):
        table = pyarrow.table({"x": pyarrow.array(range(1000))})
        self.assertEqual(scrim.table(table)._address(0), table["x"].chunk(0).buffers()[1].address)

    def test_marks(self):
        table = pyarrow.table({"x": [float(i) for i in range(20)]})
        out = scrim.protect.noise(table, vars=["x"], amount=0.1, seed=1).outputs[0]
        self.assertEqual(scrim.table(out).perturbed, ["x"])

    def test_bad(self):
        for column, words in (
            (pyarrow.array([[1]]), "not one that a table holds"),
            (pyarrow.array([b"x"]), "not one that a table holds"),
            (pyarrow.Array.from_buffers(pyarrow.string(), 1, [None, pyarrow.py_buffer(b"\0\0\0\0\1\0\0\0"), pyarrow.py_buffer(b"\xff")]), "not UTF-8"),
        ):
            with self.assertRaises(ValueError) as caught:
                scrim.risk.k_anonymity(pyarrow.table({"a": column}), keys=["a"])
            self.assertIn(words, str(caught.exception))
            self.assertEqual(caught.exception.column, "a")


class Others(unittest.TestCase):
    def test_progress_bars(self):
        with mock.patch.object(Progress, "can_show", staticmethod(lambda: True)), mock.patch("sys.stderr", io.StringIO()) as said:
            bar = Progress("risk.suda", None)
            bar.show("unique sets", 0.5)
            self.assertEqual((bar.bar.n, bar.bar.total), (50, 100))
            bar.end()
            self.assertFalse(Progress("risk.suda", False).wanted)
        self.assertNotIn("Traceback", said.getvalue())

    def test_duckdb(self):
        relation = duckdb.sql("select range % 3 as a, 'w' || (range % 2) as b, 1.25::decimal(5,2) as d, date '2000-01-01' as day from range(12)")
        r = scrim.risk.k_anonymity(relation, keys=["a", "b"])
        self.assertEqual(r.k, 2)
        self.assertIsInstance(r.tables["keys"], scrim.Table)
        keys = r.tables["keys"].to_pyarrow()
        self.assertEqual(duckdb.sql("select count(*) from keys").fetchall(), [(2,)])

    def test_numpy(self):
        data = {"x": numpy.arange(6.0), "s": numpy.array(list("aabbcc")), "t": numpy.array(["2000-01-01"] * 6, dtype="M8[D]"), "f": numpy.array([True] * 6)}
        out = scrim.protect.reorder(data, seed=1).outputs[0]
        self.assertEqual(sorted(out["x"].tolist()), sorted(data["x"].tolist()))
        self.assertEqual((out["t"].dtype, out["f"].dtype, out["s"].dtype), (data["t"].dtype, bool, object))
        masked = numpy.ma.array([1, 2, 3], mask=[0, 1, 0])
        self.assertEqual(scrim.table({"m": masked}).to_dict(), {"m": [1, None, 3]})
        strided = numpy.arange(10)[::2]
        self.assertEqual(scrim.table({"m": strided}).to_dict(), {"m": [0, 2, 4, 6, 8]})
        swapped = numpy.arange(3).astype(">i8")
        self.assertEqual(scrim.table({"m": swapped}).to_dict(), {"m": [0, 1, 2]})
        halves = numpy.array([0.5, 65504, numpy.nan], dtype="f2")
        self.assertEqual(scrim.table({"m": halves}).to_dict(), {"m": [0.5, 65504.0, None]})

    def test_kinds_agree(self):
        """The same people as any kind of frame give the same answer, to the last digit and for the same seed."""
        table = scrim.read(support.EXAMPLES + "/clinic.csv")
        frames = [table, table.to_dict(), table.to_pandas(), table.to_polars(), table.to_pyarrow()]
        for call in (
            lambda f: scrim.risk.individual(f, keys=["sex", "age", "region"], weight="w"),
            lambda f: scrim.protect.pram(f, vars=["region"], keep=0.9, seed=3),
            lambda f: scrim.synth.cart(f, vars=["sex", "age", "income"], seed=3),
        ):
            said = [{k: v for k, v in call(f).to_dict().items() if k != "params"} for f in frames]
            for other in said[1:]:
                self.assertEqual(other, said[0])


if __name__ == "__main__":
    unittest.main()
