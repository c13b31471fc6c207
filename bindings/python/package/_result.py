"""The result of a method."""
import html
import json
import os
from collections.abc import Mapping, Sequence

from . import _core
from ._frames import Same
from ._table import Table

RENDERED = (".html", ".json", ".svg")


class Chart(Mapping):
    """A chart as data (kind, title, labels, series); a notebook draws it."""

    def __init__(self, result, index):
        self._result, self._index = result, index
        self._data = json.loads(result._chart(index, "json", 0, 0))

    def __getitem__(self, name):
        return self._data[name]

    def __iter__(self):
        return iter(self._data)

    def __len__(self):
        return len(self._data)

    def svg(self, width=800, height=500):
        """The chart as a picture."""
        return self._result._chart(self._index, "svg", width, height)

    def _repr_svg_(self):
        return self.svg()

    def __repr__(self):
        return f"<scrim.Chart: {self._data.get('title', '')}>"


class Pictures:
    """Charts side by side, as a notebook shows them."""

    def __init__(self, svgs):
        self._svgs = svgs

    def __len__(self):
        return len(self._svgs)

    def _repr_html_(self):
        cells = "".join(f'<div style="flex:0 1 auto">{svg}</div>' for svg in self._svgs)
        return f'<div style="display:flex;flex-wrap:wrap;gap:1em">{cells}</div>'

    def __repr__(self):
        return f"<scrim.Pictures: {len(self._svgs)}>"


class Lazy(Sequence):
    """A list whose items are made when somebody asks for them, once."""

    def __init__(self, count, make):
        self._make, self._made = make, [None] * count

    def __len__(self):
        return len(self._made)

    def __getitem__(self, i):
        if isinstance(i, slice):
            return [self[j] for j in range(*i.indices(len(self)))]
        if self._made[i] is None:
            self._made[i] = self._make(range(len(self._made))[i])
        return self._made[i]

    def __repr__(self):
        return repr(list(self))


class Named(Mapping):
    """Tables, or results within, by their names; made when somebody asks for them."""

    def __init__(self, names, make):
        self._make, self._made = make, dict.fromkeys(names)

    def __len__(self):
        return len(self._made)

    def __iter__(self):
        return iter(self._made)

    def __getitem__(self, name):
        if self._made[name] is None:
            self._made[name] = self._make(name)
        return self._made[name]

    def __getattr__(self, name):
        if not name.startswith("_") and name in self._made:
            return self[name]
        raise AttributeError(f"there is no '{name}'; there is: {', '.join(self._made) or 'nothing'}")

    def __dir__(self):
        return [*super().__dir__(), *self._made]

    def __repr__(self):
        return "{" + ", ".join(self._made) + "}"


class Result(_core.Result, Mapping):
    """What a method found or made. A mapping of its values, which are attributes as well: ``result.k`` is ``result["k"]``.

    Attributes
    ----------
    method : str
        The method's name.
    params : dict
        What it was run with.
    tables : Mapping
        Its tables, as frames of the kind that went in.
    columns : frame or None
        A row for each record of the input, in the input's order (pandas: under its index).
    outputs : sequence
        The tables that were made, as frames of the kind that went in, each column as its namesake of the input was.
    notes : list of str
        What a reader must know.
    charts : sequence of Chart
        Charts, as data; a notebook draws them.
    results : Mapping
        The results within: of each step, of each measure.
    """

    _paths = ()  # files that were read
    _inputs = None  # name of a parameter → the kind of frame that it was given as
    _parts = None

    def _part(self, name, make):
        if self._parts is None:
            self._parts = {}
        if name not in self._parts:
            self._parts[name] = make()
        return self._parts[name]

    # ---- values ----

    @property
    def _all(self):
        return self._part("values", lambda: dict(self._values()))

    def __getitem__(self, name):
        return self._all[name]

    def __iter__(self):
        return iter(self._all)

    def __len__(self):
        return len(self._all)

    def __getattr__(self, name):
        if not name.startswith("_") and name in self._all:
            return self._all[name]
        raise AttributeError(f"the result of {self._method()} has no '{name}'; its values are {', '.join(self._all) or 'none'}")

    def __dir__(self):
        return [*super().__dir__(), *self._all]

    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return id(self)

    def __bool__(self):
        return True

    # ---- parts ----

    @property
    def method(self):
        return self._method()

    @property
    def params(self):
        return self._part("params", lambda: self.to_dict()["params"])

    def _kind(self, name=None):
        """The kind of frame that an input was; the first's where none is named."""
        inputs = self._inputs or {}
        return inputs.get(name) or next(iter(inputs.values()), None) or Same(None, "")

    @property
    def tables(self):
        return self._part("tables", lambda: Named(self._table_names(), lambda name: self._kind().plain(self._table(name))))

    @property
    def columns(self):
        return self._part("columns", lambda: self.columns_of(None))

    def columns_of(self, name):
        """Per-record columns of the input of that name; None where there are none."""
        table = self._record_table(name)
        if table is None:
            return None
        return self._kind(name or self._records()[0][1]).records(table)

    @property
    def outputs(self):
        return self._part("outputs", lambda: Lazy(self._output_count(), lambda i: self._kind().frame(self._output(i))))

    @property
    def notes(self):
        return self._part("notes", self._notes)

    @property
    def charts(self):
        return self._part("charts", lambda: Lazy(self._chart_count(), lambda i: Chart(self, i)))

    @property
    def results(self):
        return self._part("results", self._inner)

    def _inner(self):
        found = {}
        for name, inner in self._results():
            inner._inputs = self._inputs
            place, again = name, 2
            while place in found:
                place, again = f"{name} {again}", again + 1
            found[place] = inner
        return found

    # ---- shown and kept ----

    def to_json(self):
        """The same JSON text as the program prints."""
        return self._render("json")

    def to_dict(self):
        """That JSON, read."""
        return json.loads(self.to_json())

    def to_text(self, width=80):
        """What the program prints on a terminal of that many columns."""
        return self._render("text", width)

    def to_html(self):
        """The report, as a page that stands alone."""
        return self._render("html")

    def svg(self, i=0, width=800, height=500):
        """A chart as a picture."""
        return self._chart(i, "svg", width, height)

    def plot(self, which=None, width=460, height=320):
        """The charts side by side: all of them, or those of these numbers (from 0)."""
        which = range(len(self.charts)) if which is None else which
        return Pictures([self._chart(i, "svg", width, height) for i in which])

    def save(self, path):
        """To a file, replaced atomically. The suffix decides: .html, .json and .svg write the result; what else a table can be written as
        writes the outputs, each with its manifest beside it (several as out.csv, out-2.csv, …)."""
        path = os.fspath(path)
        keep_inputs(path, self._paths)
        if path.endswith(RENDERED):
            self._write(path)
        elif not self._output_count():
            raise ValueError(f"{self._method()} has made no table: a result is saved as .html, .json or .svg, and .columns are its cells per record")
        else:
            self._output_write(0, self._output_count(), path)

    def __repr__(self):
        return self._render("text", 80).rstrip("\n")

    def _repr_html_(self):
        page = html.escape(self._render("html"), quote=True)
        return f'<iframe srcdoc="{page}" title="{html.escape(self._method())}" style="width:100%;height:40em;border:0"></iframe>'

    def __reduce__(self):
        return (load, (self._dump(),))


def keep_inputs(path, inputs):
    """Nothing is written over what was read."""
    for other in inputs:
        if _core.same(path, other):
            raise ValueError(f"{path} is an input: writing it would lose that; give another name")


def load(data):
    """A result from the bytes that pickling kept: values, tables, columns, outputs; not the kind of frame that went in."""
    return Result._load("result", data)


def make_classes(error):
    _core.set_classes(Table, Result, error)
