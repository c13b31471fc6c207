"""Tables of the library's own."""
import os
import tempfile

from . import _core


class Table(_core.Table):
    """A table that libscrim holds: read from a file, or made of a frame by :func:`scrim.table`.

    It speaks the Arrow PyCapsule interface, so that polars, pyarrow, DuckDB and others take it as it is.
    """

    __slots__ = ()

    @property
    def shape(self):
        """Records and columns."""
        return self._shape()

    @property
    def columns(self):
        """The columns' names."""
        return [name for name, _ in self._columns()]

    @property
    def types(self):
        """Each column's type: real, integer, category, text, date or datetime."""
        return dict(self._columns())

    @property
    def released(self):
        """Was it made by a protecting method? A missing cell may be a blanked one then."""
        return self._marks()[0]

    @property
    def perturbed(self):
        """The columns whose values were changed at random."""
        return self._marks()[1]

    def __len__(self):
        return self._shape()[0]

    def __getitem__(self, column):
        """A column as a list, with None where a cell is missing."""
        from ._frames import as_list

        for i, (name, type) in enumerate(self._columns()):
            if name == column:
                return as_list(self, i, type)
        raise KeyError(column)

    def __repr__(self):
        rows, columns = self._shape()
        return f"<scrim.Table: {rows} records, {columns} columns>"

    def to_dict(self):
        """The columns as lists, by their names; None where a cell is missing."""
        return {name: self[name] for name in self.columns}

    def to_numpy(self):
        """The columns as numpy arrays, by their names: whole numbers with missing ones among them are reals, words are objects."""
        from ._frames import as_array

        return {name: as_array(self, i, type) for i, (name, type) in enumerate(self._columns())}

    def to_pandas(self):
        """A pandas.DataFrame."""
        from ._frames import to_pandas

        return to_pandas(self)

    def to_polars(self):
        """A polars.DataFrame."""
        from ._frames import to_polars

        return to_polars(self)

    def to_pyarrow(self):
        """A pyarrow.Table."""
        from ._frames import to_pyarrow

        return to_pyarrow(self)

    def write(self, path):
        """To a file, replaced atomically; its suffix decides the format (.csv, .parquet, .sav, .dta, .arrow, …)."""
        self._write(os.fspath(path))

    def __reduce__(self):
        released, perturbed = self._marks()
        with tempfile.TemporaryDirectory() as folder:  # its owner's alone
            path = os.path.join(folder, "table.arrow")
            self._write(path)
            with open(path, "rb") as file:
                return (load, (file.read(), released, perturbed))


def load(data, released, perturbed):
    """A table from the bytes that pickling kept."""
    from ._call import read

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.arrow")
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
        table = read(path)
    if released:
        table._mark(None)
    for column in perturbed:
        table._mark(column)
    return table
