"""A method on a table that comes in parts: from a file larger than memory, from several machines."""
from . import _core, _errors, _frames
from ._call import Call, declared, kind_of_error, parameters, seed_of, threads_of


class Job:
    """A method that learns from every part of a table, and then answers part by part.

    Any cut of the table into parts, in any order and on any machine, gives the same: each machine fits its parts and hands its `state` to one
    that merges them.

    Parameters
    ----------
    method : str
        One that runs in parts: :func:`scrim.in_parts` says which do.
    seed : int or str, optional
        The same for all jobs that work on one table. A fresh secret one unless given, which no other job knows.
    threads : int, optional
        All cores, unless given.
    **given
        The method's own arguments, less the table that comes in parts; of ``utility.compare`` both.
    """

    def __init__(self, method, *, seed=None, threads=None, **given):
        declared(method)
        call = Call(method)
        for name, value in given.items():
            call.give(name, value)
        self.method, self._table = method, first_table(method)
        self._given = call.args + [(self._table, [])]
        self._job = self._try(_core.Job, method, call.args, seed_of(seed), threads_of(threads))

    def _try(self, action, *args):
        try:
            return action(*args)
        except _errors.ScrimError as error:
            raise kind_of_error(error, self.method, self._given) from None

    def fit(self, part, first_row=0, beside=None):
        """Learn from a part, whose first record is that of the table's record `first_row`, counted from 0.

        `beside`: of a method that compares two tables, the other's part, from the same record on; the shorter of the two ends its table.
        A part without records says its types, too (as pandas or Arrow): a list without cells has none."""
        self._try(self._job._fit, _frames.taken(part, self._table).table, self._beside(beside), first_row)
        return self

    @staticmethod
    def _beside(part):
        return None if part is None else _frames.taken(part, "beside").table

    @property
    def state(self):
        """What was learned (after :meth:`finish`: what was done), as bytes that another job of the same method, arguments and seed merges."""
        return self._job._state()

    def pieces(self, count):
        """What was learned, in so many pieces that merge to all of it: a distinct tuple is in the same one of every job, so that each piece can be
        merged by itself, where a shuffle brought it."""
        return [self._job._piece(piece, count) for piece in range(count)]

    def merge(self, state):
        """Add what another job learned or did."""
        self._job._merge(state)
        return self

    def finish(self):
        """No more parts to learn from: find what the whole table says."""
        self._job._finish()
        return self

    def apply(self, part, first_row=0, beside=None):
        """A part as it is released, or the part's per-record columns, as the kind of frame that it was; None where the method makes neither."""
        kind = _frames.taken(part, self._table)
        made = self._job._apply(kind.table, self._beside(beside), first_row)
        return None if made is None else kind.frame(made)

    def result(self):
        """What running the method on the whole table would say; once, at the end."""
        return self._job._result()


def first_table(method):
    """The parameter whose table comes in parts."""
    return next((name for name, p in parameters(method).items() if p["kind"] == "table"), "data")


def in_parts(method=None):
    """How a method runs on a table that comes in parts: ``"by row"``, ``"by class"``, or ``"whole"``: it does not. Without a name: all that do."""
    if method is not None:
        return _core.in_parts(method)
    return [name for name in _core.methods() if _core.in_parts(name) != "whole"]
