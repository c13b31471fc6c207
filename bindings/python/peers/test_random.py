"""Frames at random, of every kind of column, go across and come back as they were."""
import datetime
import unittest

import numpy
import pandas
import polars
import pyarrow

import scrim

WORDS = numpy.array(["a", "b", "née", "x y", "", 'Z"q,', "longer than twelve bytes"], dtype=object)


def moments(draw, n, unit, missing):
    values = draw.integers(-(10**9), 10**9, n).astype("M8[s]").astype(f"M8[{unit}]")
    values[missing] = numpy.datetime64("NaT")
    return values


def categories(draw, n, words, missing):
    codes = numpy.where(missing, -1, draw.integers(0, len(words), n))
    made = pandas.Categorical.from_codes(codes, categories=words, ordered=bool(draw.random() < 0.5))
    return pandas.Series(made).cat.remove_unused_categories()


def column(draw, n):
    """A column of a kind drawn at random, with cells missing or not."""
    gone = draw.random(n) < draw.choice([0, 0.2, 1], p=[0.5, 0.45, 0.05])
    words, reals, whole = draw.choice(WORDS, n), draw.normal(size=n), draw.integers(0, 100, n)
    kinds = [lambda t=t: whole.astype(t) for t in ("int8", "uint8", "int16", "uint32", "int64", "uint64")]
    kinds += [lambda t=t: numpy.where(gone, numpy.nan, reals).astype(t) for t in ("float32", "float64")]
    kinds += [lambda t=t: pandas.arrays.IntegerArray(whole.astype(t), gone) for t in ("int8", "uint16", "int64")]
    kinds += [lambda t=t: pandas.Series(numpy.where(gone, None, words), dtype=t) for t in (object, "str", "string")]
    kinds += [lambda t=t: moments(draw, n, t, gone) for t in ("s", "ms", "us", "ns")]
    kinds += [
        lambda: pandas.array(numpy.where(gone, None, reals), dtype="Float64"),
        lambda: whole < 50,
        lambda: pandas.arrays.BooleanArray(whole < 50, gone),
        lambda: categories(draw, n, list(dict.fromkeys(words)), gone),
        lambda: categories(draw, n, [30, 20, 10], gone),
        lambda: pandas.Series(moments(draw, n, "us", gone)).dt.tz_localize("UTC").dt.tz_convert("America/New_York"),
        lambda: moments(draw, n, "s", gone).astype("M8[D]").astype("M8[s]"),
        lambda: pandas.Series([None if m else datetime.date(2000, 1, 1) + datetime.timedelta(int(x)) for m, x in zip(gone, whole)], dtype=object),
        lambda: pandas.array(numpy.where(gone, None, whole), dtype=pandas.ArrowDtype(pyarrow.int16())),
    ]
    return pandas.Series(kinds[draw.integers(len(kinds))]())


def same(a, b):
    """Equal cell by cell; missing is missing, None or NaN."""
    return len(a) == len(b) and all(x == y or (x is None or x != x) and (y is None or y != y) for x, y in zip(a, b))


class Random(unittest.TestCase):
    def test_round(self):
        draw = numpy.random.default_rng(7)
        for _ in range(150):
            frame = pandas.DataFrame({f"c{i}": column(draw, n) for n in [int(draw.integers(1, 40))] for i in range(draw.integers(1, 7))})
            frame["dropped"] = 1
            want = frame.drop(columns="dropped")
            pandas.testing.assert_frame_equal(scrim.protect.drop(frame, vars=["dropped"]).outputs[0], want)
            arrow = pyarrow.Table.from_pandas(frame, preserve_index=False)
            made = scrim.protect.drop(arrow, vars=["dropped"]).outputs[0]
            for name in want:
                self.assertTrue(same(made[name].to_pylist(), arrow[name].to_pylist()), arrow.schema.field(name))
            other = polars.from_arrow(arrow)
            made = scrim.protect.drop(other, vars=["dropped"]).outputs[0]
            for name in want:
                self.assertTrue(same(made[name].to_list(), other[name].to_list()), other.schema[name])
                self.assertEqual(made.schema[name].base_type(), other.schema[name].base_type(), name)


if __name__ == "__main__":
    unittest.main()
