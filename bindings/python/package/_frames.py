"""Frames of every kind into tables and back: what comes out is of the kind that went in."""
import datetime
import json
import os
import sys
from collections.abc import Mapping

from . import _columns
from ._table import Table

MARK = "scrim"  # under which a frame says that it is a release, and of which columns the values were changed at random


def is_frame(value):
    """A table of some kind, not the name of one."""
    return isinstance(value, (Table, Mapping)) or kind_of(value) is not None


def kind_of(frame):
    """Who understands this kind of frame; None where nobody does."""
    if isinstance(frame, Table):
        return Same
    module, name = type(frame).__module__.split(".")[0], type(frame).__name__
    if module == "pandas" and name == "DataFrame":
        return Pandas
    if module == "polars" and name in ("DataFrame", "LazyFrame"):
        return Polars
    if module == "pyarrow" and name in ("Table", "RecordBatch"):
        return PyArrow
    if name in ("Series", "Array", "ChunkedArray", "Scalar"):
        return None  # a column
    if hasattr(frame, "__arrow_c_stream__") or hasattr(frame, "__arrow_c_array__"):
        return Arrow
    if isinstance(frame, Mapping):
        return Dict
    return None


def taken(frame, name):
    """The kind of a frame, with its table in `.table`."""
    kind = kind_of(frame)
    if hasattr(frame, "_output_count"):
        raise TypeError(f"{name}: a result is no table: give one of its outputs")
    if kind is None:
        raise TypeError(
            f"{name}: {type(frame).__name__} is no table: give a data frame (pandas, polars, pyarrow, DuckDB or another that speaks "
            "the Arrow PyCapsule interface), a dict of columns, or the path of a file"
        )
    return kind(frame, name)


def from_arrow(frame, name):
    """By the Arrow PyCapsule interface."""
    if hasattr(frame, "__arrow_c_stream__"):
        table = Table._from_stream(name, frame.__arrow_c_stream__())
    else:
        table = Table._from_array(name, *frame.__arrow_c_array__())
    return table._settle()


class Same:
    """A table of the library's own."""

    mutable = False  # may its owner change the cells that the table shares?

    def __init__(self, frame, name):
        self.table = frame

    def frame(self, table):
        """A table as this kind of frame, each column as its namesake of the input was."""
        return table

    def plain(self, table):
        """A table that has nothing to do with the input's columns, as this kind of frame."""
        return table

    def records(self, table):
        """Per-record columns of this input."""
        return self.plain(table)


class Arrow(Same):
    """Whatever else speaks Arrow: tables come back as scrim.Table, which does, too."""

    def __init__(self, frame, name):
        self.table = from_arrow(frame, name)


# ---- dicts of columns ----


class Dict(Same):
    mutable = True

    def __init__(self, frame, name):
        made = [(str(column), *_columns.of_anything(str(column), values)) for column, values in frame.items()]
        rows = {count for _, count, _ in made}
        if len(rows) > 1:
            raise ValueError(f"{name}: its columns have different lengths: " + ", ".join(f"'{c}' {n}" for c, n, _ in made[:10]))
        if not made:
            raise ValueError(f"{name}: a table without a column")
        self.arrays = {str(c) for c, v in frame.items() if hasattr(v, "__array_interface__")}
        self.flags = {str(c) for c, v in frame.items() if getattr(getattr(v, "dtype", None), "kind", None) == "b"}
        self.table = Table._from_columns(name, rows.pop(), [column for _, _, column in made])._settle()
        self.names = {str(c) for c in frame}

    def frame(self, table):
        return {name: self.column(table, i, name, type) for i, (name, type) in enumerate(table._columns())}

    def plain(self, table):
        make = as_array if self.arrays else as_list
        return {name: make(table, i, type) for i, (name, type) in enumerate(table._columns())}

    def column(self, table, i, name, type):
        """An array where the column came as one (a new one: where any did), else a list."""
        if name in self.arrays or (name not in self.names and self.arrays):
            column = as_array(table, i, type)
            return column.astype(bool) if name in self.flags and type == "integer" and table._mask(i) is None else column
        return as_list(table, i, type)


def as_list(table, i, type):
    cells = table._cells(i)
    if type == "date":
        return [None if c is None else datetime.date.fromordinal(c + _columns.EPOCH) for c in cells]
    if type == "datetime":
        start = datetime.datetime(1970, 1, 1)
        return [None if c is None else start + c * _columns.MICROSECOND for c in cells]
    return cells


class Memory:
    """Cells of a table, for numpy to copy."""

    def __init__(self, table, i, typestr):
        self.table = table
        self.__array_interface__ = {"version": 3, "shape": (table._shape()[0],), "typestr": typestr, "data": (table._address(i), True)}


TYPES = {"real": "<f8", "integer": "<i8", "category": "<i4", "date": "<i4", "datetime": "<i8"}


def cells(table, i, type):
    """The bare cells as an array of the caller's own, and which of them are missing (or None)."""
    import numpy

    typestr = TYPES[type] if sys.byteorder == "little" else TYPES[type].replace("<", ">")
    values = numpy.array(Memory(table, i, typestr)) if table._shape()[0] else numpy.empty(0, typestr)
    mask = table._mask(i)
    return values, None if mask is None else numpy.frombuffer(mask, dtype=bool)


def as_array(table, i, type):
    """A column as numpy has it: whole numbers with missing ones among them are reals, words are objects."""
    import numpy

    if type in ("text", "category"):
        words = numpy.empty(table._shape()[0], dtype=object)
        words[:] = table._cells(i)
        return words
    values, mask = cells(table, i, type)
    if type in ("date", "datetime"):
        values = values.astype("i8").view("M8[D]" if type == "date" else "M8[us]")
        if mask is not None:
            values[mask] = numpy.datetime64("NaT")
    elif mask is not None:
        values = values.astype("f8")
        values[mask] = numpy.nan
    return values


# ---- pandas ----


class Pandas(Same):
    mutable = True

    def __init__(self, frame, name):
        names = [str(c) for c in frame.columns]
        columns = [_columns.of_series(c, frame.iloc[:, i]) for i, c in enumerate(names)]
        if not columns:
            raise ValueError(f"{name}: a table without a column")
        self.table = Table._from_columns(name, len(frame), columns)._settle()
        marks = frame.attrs.get(MARK)
        marked(self.table, marks if isinstance(marks, dict) else None)
        self.index = frame.index
        self.columns = dict(zip(names, frame.columns))
        self.dtypes = {c: frame.dtypes.iloc[i] for i, c in enumerate(names)}
        # which columns of objects are days: numbers of 32 bits, of days
        self.days = {c for c, made in zip(names, columns) if self.dtypes[c] == object and made[1] == "tdD"}

    def frame(self, table):
        strings = {}  # columns of strings that Arrow holds, as it gives them

        def restore(name, type, series):
            if type in WORDS and getattr(self.dtypes.get(name), "storage", None) == "pyarrow":
                return arrow_strings(table, name, self.dtypes[name], strings)
            return self.restored(name, type, series)

        made = to_pandas(table, restore)
        made.columns = [self.columns.get(c, c) for c in made.columns]
        return made

    def plain(self, table):
        return to_pandas(table)

    def records(self, table):
        made = to_pandas(table)
        made.index = self.index
        return made

    def restored(self, name, type, series):
        """A column as its namesake of the input was, where it still can be."""
        dtype = self.dtypes.get(name)
        if dtype is None:
            return series
        try:
            return restored(series, type, dtype, name in self.days)
        except (TypeError, ValueError, OverflowError):
            return series


def arrow_strings(table, name, dtype, known):
    """A column of words as the strings that pandas keeps in Arrow's memory."""
    import pandas
    import pyarrow

    if not known:
        known[""] = pyarrow.table(table)
    cells = known[""].column(name).combine_chunks().cast(pyarrow.large_string())
    return pandas.Series(dtype.__from_arrow__(cells), copy=False)


def restored(series, type, dtype, days):
    import numpy
    import pandas

    is_type = pandas.api.types
    if isinstance(dtype, pandas.CategoricalDtype):
        return categories_again(series, dtype) if type == "category" else series
    if dtype == object and series.isna().all():
        return series.astype(object).where(series.notna(), None)
    if type in ("category", "text"):
        return spelled_out(series).astype(dtype) if is_type.is_string_dtype(dtype) or dtype == object else series
    if type == "date" and days:
        return pandas.Series(series.dt.date, dtype=object).where(series.notna(), None)
    if type in ("date", "datetime") and isinstance(dtype, pandas.DatetimeTZDtype):
        return series.dt.tz_localize("UTC").dt.tz_convert(dtype.tz).astype(dtype)
    if type in ("date", "datetime"):
        return series.astype(dtype) if is_type.is_datetime64_any_dtype(dtype) else series
    if type == "integer" and is_type.is_bool_dtype(dtype):
        if not series.dropna().isin((0, 1)).all():
            return series
        return series.astype("boolean" if series.isna().any() and dtype == bool else dtype)
    if type == "integer" and is_type.is_integer_dtype(dtype):
        if series.isna().any() and isinstance(dtype, numpy.dtype):
            return series.astype(dtype.name.replace("int", "Int").replace("uI", "UI"))
        if str(series.dtype) == str(dtype):
            return series
        narrow = series.astype(dtype)
        return narrow if (narrow.astype("Int64") == series.astype("Int64")).all() else series
    if type in ("integer", "real") and is_type.is_float_dtype(dtype):
        return series.astype(dtype)
    return series


def spelled_out(series):
    """Categories as the words that they are."""
    import numpy
    import pandas

    if series.dtype == object:
        return series
    words = numpy.empty(len(series.cat.categories) + 1, dtype=object)
    words[:-1] = series.cat.categories
    return pandas.Series(words[series.cat.codes.to_numpy()], index=series.index, dtype=object)


def categories_again(series, dtype):
    """The words in the order that the input's categories had, as what they were there; only those that still occur."""
    import numpy
    import pandas

    known = {_columns.word(c): c for c in dtype.categories}
    words = [str(w) for w in series.cat.categories]
    old = [w for w in known if w in set(words)]
    new = [w for w in words if w not in known]
    ordered = bool(dtype.ordered and not new)
    if new and series.cat.ordered:
        return series
    order = old + new
    place = {w: i for i, w in enumerate(order)}
    codes = numpy.array([place[w] for w in words] + [-1])[series.cat.codes.to_numpy()]  # -1, missing, is the last
    categories = pandas.Index([known[w] for w in order], dtype=dtype.categories.dtype) if not new else order
    return pandas.Series(pandas.Categorical.from_codes(codes, categories=categories, ordered=ordered), index=series.index)


def to_pandas(table, restore=None):
    import pandas

    made = {}
    for i, (name, type) in enumerate(table._columns()):
        series = pandas_column(table, i, type)
        made[name] = restore(name, type, series) if restore else series
    frame = pandas.DataFrame(made, index=pandas.RangeIndex(table._shape()[0]), copy=False)
    marks = marks_of(table)
    if marks:
        frame.attrs[MARK] = marks
    return frame


def pandas_column(table, i, type):
    import pandas

    if type == "text":
        return pandas.Series(table._cells(i), dtype=object, copy=False)
    if type == "real":
        return pandas.Series(as_array(table, i, type), copy=False)
    if type in ("date", "datetime"):
        values = as_array(table, i, type)
        return pandas.Series(values.astype("M8[s]") if type == "date" else values, copy=False)
    values, mask = cells(table, i, type)
    if type == "integer":
        return pandas.Series(values if mask is None else pandas.arrays.IntegerArray(values, mask.copy()), copy=False)
    if mask is not None:
        values[mask] = -1
    words, ordered = table._words(i)
    return pandas.Series(pandas.Categorical.from_codes(values, categories=words, ordered=ordered))


# ---- polars and pyarrow ----

WORDS = ("category", "text")


class Polars(Same):
    def __init__(self, frame, name):
        if type(frame).__name__ == "LazyFrame":
            frame = frame.collect()
        self.table = from_arrow(frame, name)
        self.schema = dict(frame.schema)

    def frame(self, table):
        made = to_polars(table)
        for name, type in table._columns():
            if name in self.schema:
                made = self.restored(made, name, type, self.schema[name])
        return made

    def plain(self, table):
        return to_polars(table)

    def restored(self, made, name, type, dtype):
        import polars

        if dtype == polars.Null and made[name].null_count() == len(made):
            return made.with_columns(polars.lit(None).alias(name))
        words = isinstance(dtype, (polars.String, polars.Categorical, polars.Enum))
        if type in WORDS and words or type == "real" and dtype.is_float() or type == "integer" and dtype.is_integer():
            pass
        elif type == "integer" and dtype == polars.Boolean and made[name].drop_nulls().is_in([0, 1]).all():
            pass
        elif not (type in ("date", "datetime") and dtype.is_temporal()):
            return made
        try:
            column = polars.col(name)
            if type == "datetime" and getattr(dtype, "time_zone", None):
                column = column.dt.replace_time_zone("UTC")
            return made.with_columns(column.cast(polars.String) if type == "category" and dtype == polars.String else column.cast(dtype))
        except polars.exceptions.PolarsError:
            return made


def to_polars(table):
    import polars

    return polars.DataFrame(table)


class PyArrow(Same):
    def __init__(self, frame, name):
        self.table = from_arrow(frame, name)
        self.schema = frame.schema
        text = (frame.schema.metadata or {}).get(MARK.encode())
        if text:
            marked(self.table, json.loads(text))

    def frame(self, table):
        made = to_pyarrow(table)
        for i, (name, type) in enumerate(table._columns()):
            if self.schema.get_field_index(name) >= 0:
                made = self.restored(made, i, type, self.schema.field(name).type)
        return made.combine_chunks()

    def plain(self, table):
        return to_pyarrow(table)

    def restored(self, made, i, type, wanted):
        import pyarrow

        is_type = pyarrow.types
        string = is_type.is_string(wanted) or is_type.is_large_string(wanted) or str(wanted) == "string_view"
        same = (
            (type in WORDS and (string or is_type.is_dictionary(wanted)))
            or (type == "real" and is_type.is_floating(wanted))
            or (type == "integer" and (is_type.is_integer(wanted) or is_type.is_boolean(wanted)))
            or (type in ("date", "datetime") and is_type.is_temporal(wanted))
        )
        if not same:
            return made
        column = made.column(i)
        try:
            if type == "integer" and is_type.is_boolean(wanted) and not set(column.drop_null().to_pylist()) <= {0, 1}:
                return made
            if type == "category" and string:
                column = column.cast(pyarrow.large_string())
            if type == "datetime" and getattr(wanted, "tz", None):
                column = column.cast(pyarrow.timestamp("us", tz="UTC"))
            return made.set_column(i, pyarrow.field(made.field(i).name, wanted), column.cast(wanted))
        except pyarrow.ArrowException:
            return made


def to_pyarrow(table):
    import pyarrow

    made, marks = pyarrow.table(table), marks_of(table)
    return made.replace_schema_metadata({**(made.schema.metadata or {}), MARK: json.dumps(marks)}) if marks else made


# ---- marks, names ----


def marks_of(table):
    """What a frame made of this table says of itself, for :func:`marked`; None where that is nothing."""
    released, perturbed = table._marks()
    return {"released": released, "perturbed": perturbed} if released or perturbed else None


def marked(table, marks):
    """Says of a table what its frame says of itself: that it is a release, and what was changed at random."""
    if not marks:
        return
    names = {c for c, _ in table._columns()}
    if marks.get("released"):
        table._mark(None)
    for column in marks.get("perturbed", ()):
        if column in names:
            table._mark(column)


def labelled(frame, label):
    """A table of the library's own under another name."""
    if not isinstance(frame, Table):
        return frame
    table = Table._from_array(label, *frame.__arrow_c_array__())
    marked(table, marks_of(frame))
    return table


def path_of(value):
    """The path that a text or a path object is; None where it is neither."""
    return os.fspath(value) if isinstance(value, (str, os.PathLike)) else None
