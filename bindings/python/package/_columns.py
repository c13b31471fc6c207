"""Columns of other kinds as the buffers that the library reads: where they lie, if they can stay there."""
import array
import datetime
import decimal
import sys

from . import _core

ORDERED = 1
INTEGERS = {("i", 1): "c", ("i", 2): "s", ("i", 4): "i", ("i", 8): "l", ("u", 1): "C", ("u", 2): "S", ("u", 4): "I", ("u", 8): "L"}
REALS = {2: "e", 4: "f", 8: "g"}
EPOCH = datetime.date(1970, 1, 1).toordinal()
MICROSECOND = datetime.timedelta(microseconds=1)


def spec(name, format, data, *, flags=0, valid=None, mask=None, more=None, words=None, keep=None):
    """A column as the extension takes it; each part an address, bytes, or None."""
    if "\0" in name or not is_utf8(name):
        raise ValueError(f"column {name!a}: its name holds a NUL byte, or is not UTF-8")
    return (name, format, flags, valid, mask, data, more, words, keep)


def unusable(name, what):
    return TypeError(f"column '{name}' holds {what}: cast it to whole numbers, numbers, text, categories or dates")


# ---- cells one by one ----


def missing_objects():
    """What other packages write for a missing cell, beside None and NaN."""
    pandas = sys.modules.get("pandas")
    return (pandas.NA, pandas.NaT) if pandas else ()


def of_cells(name, cells):
    """A list of Python objects."""
    none = missing_objects()
    try:
        made = _core.encode(cells, none)
    except OverflowError:
        raise ValueError(f"column '{name}' has a whole number beyond 2^63") from None
    except UnicodeEncodeError:
        raise ValueError(f"column '{name}' has text that is not UTF-8") from None
    if isinstance(made, int):
        return of_others(name, cells, made, none)
    format, valid, data, more = made
    return spec(name, format, data, valid=valid, more=more, keep=made)


def of_others(name, cells, odd, none):
    """Dates, times, decimals and numpy's scalars; anything else is refused, and the first that does not fit is named."""
    first = cells[odd]
    if is_scalar(first):
        return of_cells(name, [plain_scalar(name, c) if is_scalar(c) else c for c in cells])
    for kind, but, format, number, code in OTHERS:
        if isinstance(first, kind) and not isinstance(first, but):
            fits = [missing(c, none) or (isinstance(c, kind) and not isinstance(c, but)) for c in cells]
            if not all(fits):
                mixed(name, fits.index(False))
            gone = bytes(missing(c, none) for c in cells)
            try:
                numbers = array.array(code, [0 if lost else number(c) for c, lost in zip(cells, gone)])
            except OverflowError:
                raise ValueError(f"column '{name}' has a time beyond what can be counted") from None
            return spec(name, format, numbers.tobytes() or None, mask=gone if any(gone) else None)
    if isinstance(first, (bytes, bytearray)):
        raise unusable(name, "bytes, in an encoding that it does not say")
    if isinstance(first, (str, int, float)):
        mixed(name, odd)
    raise unusable(name, f"objects of type {type(first).__name__}")


def is_scalar(cell):
    """A number, a word or a moment of numpy's: not an array, though that of one cell has an item, too."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(cell, numpy.generic)


def plain_scalar(name, cell):
    """As Python has it; a moment with nanoseconds, which Python has as a bare number, to the microsecond."""
    kind = cell.dtype.kind
    if kind == "M":
        plain = cell.astype("M8[us]").item() if sys.modules["numpy"].datetime_data(cell.dtype)[0] != "D" else cell.item()
        if isinstance(plain, int):
            raise ValueError(f"column '{name}' has a time beyond what can be counted")
        return plain
    if kind == "f":
        return float(cell)
    if kind not in "biuUS":
        raise unusable(name, f"objects of type {type(cell).__name__}")
    return cell.item()


def missing(cell, none):
    if isinstance(cell, decimal.Decimal):
        return cell.is_nan()  # also the NaN that refuses to be compared
    return cell is None or cell != cell or any(cell is one for one in none)


def mixed(name, row):
    raise TypeError(f"column '{name}' mixes kinds, text with numbers or the like, first in record {row}: make it one of them")


def microseconds(moment):
    if moment.tzinfo is not None:
        moment = moment.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return (moment - datetime.datetime(1970, 1, 1)) // MICROSECOND


OTHERS = (  # kind, but not, format, its number, how wide that is
    (datetime.datetime, (), "tsu:", microseconds, "q"),
    (datetime.date, datetime.datetime, "tdD", lambda day: day.toordinal() - EPOCH, "i"),
    (decimal.Decimal, (), "g", float, "d"),
)


# ---- arrays ----


def of_array(name, values, mask=None):
    """A numpy array of one dimension; `mask` another, of flags, true where a cell is missing."""
    numpy = sys.modules["numpy"]
    if values.ndim != 1:
        raise TypeError(f"column '{name}' has {values.ndim} dimensions")
    if isinstance(values, numpy.ma.MaskedArray):
        mask = numpy.ma.getmaskarray(values)
        values = values.data
    kind, size = values.dtype.kind, values.dtype.itemsize
    if kind in "OU":
        cells = values.tolist()
        return of_cells(name, cells if mask is None else [None if m else c for c, m in zip(cells, mask.tolist())])
    if kind == "M":
        return of_moments(name, values, mask)
    format = "C" if kind == "b" else REALS.get(size) if kind == "f" else INTEGERS.get((kind, size))
    if not format:
        raise unusable(name, f"{values.dtype}")
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    return of_numbers(name, format, numpy.ascontiguousarray(values), mask)


def of_numbers(name, format, values, mask, **more):
    if mask is not None:
        mask = sys.modules["numpy"].ascontiguousarray(mask, dtype=bool)
        if not mask.any():
            mask = None
    return spec(name, format, where(values), mask=None if mask is None else where(mask), keep=(values, mask), **more)


def where(values):
    """The address of an array's first cell; None where there is none."""
    return values.__array_interface__["data"][0] if values.size else None


def of_moments(name, values, mask):
    """datetime64: days are dates, seconds and less are times."""
    numpy = sys.modules["numpy"]
    unit = numpy.datetime_data(values.dtype)
    empty = numpy.isnat(values)
    mask = empty if mask is None else mask | empty
    if unit == ("D", 1):
        days = numpy.where(mask, 0, values.astype("i8"))
        if days.size and (days.max() >= 2**31 or days.min() < -(2**31)):
            raise ValueError(f"column '{name}' has a date beyond what 32 bits of days can count")
        return of_numbers(name, "tdD", days.astype("i4"), mask)
    if unit[0] not in ("s", "ms", "us", "ns") or unit[1] != 1:
        values, unit = values.astype("M8[us]"), ("us", 1)
    whole = numpy.ascontiguousarray(values).view("i8")
    if mask.any():
        whole = numpy.where(mask, 0, whole)
    return of_numbers(name, f"ts{unit[0][0]}:", whole, mask)


def of_categories(name, codes, categories, ordered):
    """Numbers into a list of categories, below zero where missing."""
    words = [word(c) for c in categories]
    if not all(map(is_utf8, words)):
        raise ValueError(f"column '{name}' has text that is not UTF-8")
    if len(set(words)) != len(words):
        raise ValueError(f"column '{name}' has two categories that read the same")
    _, _, offsets, text = made = _core.encode(words, ()) if words else (None, None, bytes(8), b"")
    numpy = sys.modules["numpy"]
    codes = numpy.ascontiguousarray(codes)
    format = INTEGERS[codes.dtype.kind, codes.dtype.itemsize]
    return spec(name, format, where(codes), flags=ORDERED if ordered else 0, words=(len(words), offsets, text), keep=(codes, made))


def is_utf8(text):
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def word(category):
    """A category as the library knows it."""
    if isinstance(category, str):
        return category
    if hasattr(category, "isoformat"):
        return category.isoformat()
    if hasattr(category, "item"):
        category = category.item()
    return repr(category) if isinstance(category, float) else str(category)


def of_anything(name, values):
    """A column of a dict: an array, a series, a list, whatever has cells."""
    module = type(values).__module__.split(".")[0]
    if module == "numpy" and hasattr(values, "__array_interface__"):
        return len(values) if values.ndim else 0, of_array(name, values)
    if module == "pandas":
        return len(values), of_series(name, values)
    if isinstance(values, (array.array, memoryview)):
        view = memoryview(values)
        if view.ndim == 1 and view.format in "bBhHiIlLqQfd":
            return len(view), of_memory(name, values, view)
    if isinstance(values, (str, bytes)):
        raise TypeError(f"column '{name}' is {type(values).__name__}: give a list or an array of cells")
    for convert in ("to_pylist", "to_list", "tolist"):
        if hasattr(values, convert):
            values = getattr(values, convert)()
            break
    try:
        cells = values if type(values) is list else list(values)
    except TypeError:
        raise TypeError(f"column '{name}' is {type(values).__name__}: give a list or an array of cells") from None
    return len(cells), of_cells(name, cells)


def of_memory(name, values, view):
    """array.array stays where it is (and cannot grow while it is looked at); other memory is copied."""
    format = REALS[view.itemsize] if view.format in "fd" else INTEGERS["u" if view.format in "BHILQ" else "i", view.itemsize]
    if isinstance(values, array.array):
        return spec(name, format, values.buffer_info()[0] if len(values) else None, keep=view)
    return spec(name, format, view.tobytes())


# ---- pandas ----


def of_series(name, series):
    pandas = sys.modules["pandas"]
    numpy = sys.modules["numpy"]
    dtype, is_type = series.dtype, pandas.api.types
    if isinstance(dtype, pandas.CategoricalDtype):
        return of_categories(name, series.cat.codes.to_numpy(), list(dtype.categories), dtype.ordered)
    if isinstance(dtype, numpy.dtype):
        return of_array(name, whole_days(series.to_numpy()))
    if isinstance(dtype, pandas.DatetimeTZDtype):
        return of_array(name, series.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy())
    if isinstance(dtype, (pandas.PeriodDtype, pandas.IntervalDtype, pandas.SparseDtype)):
        raise unusable(name, str(dtype))
    if is_type.is_bool_dtype(dtype):
        return of_array(name, series.to_numpy(dtype=bool, na_value=False), series.isna().to_numpy())
    if is_type.is_integer_dtype(dtype):
        kind = "uint64" if is_type.is_unsigned_integer_dtype(dtype) else "int64"
        empty = series.isna().to_numpy()
        return of_array(name, series.to_numpy(dtype=kind, na_value=0) if empty.any() else series.to_numpy(dtype=kind), empty)
    if is_type.is_float_dtype(dtype):
        return of_array(name, series.to_numpy(dtype="float64", na_value=numpy.nan))
    if is_type.is_datetime64_any_dtype(dtype):
        return of_array(name, whole_days(in_arrow(series).to_numpy(zero_copy_only=False)))
    strings = of_arrow_strings(name, series)
    return strings or of_cells(name, series.to_numpy(dtype=object, na_value=None).tolist())


def in_arrow(series):
    """What pandas keeps in Arrow's memory, in one piece."""
    pyarrow = sys.modules["pyarrow"]
    cells = pyarrow.array(series.array)
    return cells.combine_chunks() if isinstance(cells, pyarrow.ChunkedArray) else cells


def of_arrow_strings(name, series):
    """Strings that pandas keeps in Arrow's memory, where they lie; None where they are elsewhere, or in a form that has to be unpacked."""
    pyarrow = sys.modules.get("pyarrow")
    if not pyarrow or not hasattr(series.array, "__arrow_array__") or not isinstance(series.dtype, sys.modules["pandas"].StringDtype):
        return None
    cells = in_arrow(series)
    format = {"large_string": "U", "string": "u"}.get(str(cells.type))
    if not format or cells.offset or not len(cells):
        return None
    valid, offsets, data = cells.buffers()
    return spec(name, format, offsets.address, valid=valid.address if valid and cells.null_count else None, more=data.address if data else bytes(1), keep=cells)


def whole_days(values):
    """pandas has no dates: times that are all at midnight are dates, as they are once it writes them to a file."""
    if values.dtype.kind != "M":
        return values
    numpy = sys.modules["numpy"]
    days = values.astype("M8[D]")
    return days if ((days == values) | numpy.isnat(values)).all() else values
