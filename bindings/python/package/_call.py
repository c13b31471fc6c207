"""Calling a method: its arguments as the library takes them, its result as the caller's kind of frame."""
import functools
import inspect
import json
import keyword
import os
import sys

from . import _core, _errors, _frames
from ._progress import Progress
from ._result import keep_inputs, make_classes

make_classes(_errors.make)

# What the program's options of every command are here.
HOST = ("seed", "seed_file", "threads", "progress", "time_limit", "roles", "tables", "check", "max_memory", "output")


@functools.lru_cache(maxsize=None)
def declared(method):
    """A method's declaration."""
    return json.loads(_core.describe(method))


@functools.lru_cache(maxsize=None)
def parameters(method):
    """Its parameters by the names that Python knows them by, its own first."""
    found = {}
    for param in declared(method)["params"] + declared(method)["common"]:
        found.setdefault(python_name(param["name"]), param)
    return found


def python_name(name):
    name = name.replace("-", "_").replace(".", "_")
    return name + "_" if keyword.iskeyword(name) else name


def number(value, name):
    """A number, as text or for the library to write."""
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise TypeError(f"{name}: expects a number, not {type(value).__name__}")
    return str(value) if isinstance(value, int) else value  # a float is written by the library


def text(value, name):
    """A text; what is structured goes as JSON."""
    if isinstance(value, (dict, list, tuple)):
        return json.dumps(value, default=plain)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return str(value)
    raise TypeError(f"{name}: expects text, not {type(value).__name__}")


def plain(value):
    """What json does not know."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} has no place in a recipe or a policy")


def several(value, one, name):
    """A list of items, or one of them."""
    if isinstance(value, (str, int, float)) or not hasattr(value, "__iter__"):
        return [one(value, name)]
    return [one(item, name) for item in value]


def pair(name, parts):
    parts = parts if isinstance(parts, (list, tuple)) else [parts]
    return ":".join([str(name)] + [str(number(p, name)) for p in parts])


def pairs(value, name):
    """{"age": (0, 100)}, or "age:0:100", or a list of such."""
    if isinstance(value, dict):
        return [pair(key, parts) for key, parts in value.items()]
    if isinstance(value, str):
        return [value]
    if not isinstance(value, (list, tuple)) or not all(isinstance(v, (str, tuple, list)) and v for v in value):
        raise TypeError(f"{name}: expects a dict, name → value or (low, high), or a list of 'name:value'")
    return [item if isinstance(item, str) else pair(item[0], list(item[1:])) for item in value]


def groups(value, name):
    """[["a", "b"], ["c"]], or ["a", "b"] for one group, or the program's "a,b;c"."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"{name}: expects lists of column names")
    if all(isinstance(item, str) for item in value):
        return [",".join(value)]
    if not all(isinstance(group, (list, tuple)) and all(isinstance(c, str) for c in group) for group in value):
        raise TypeError(f"{name}: expects lists of column names")
    return [";".join(",".join(group) for group in value)]


LISTS = {"columns": text, "texts": text, "reals": number}


# Methods that take a table without records: of two, whether there is one may be what they hide.
WITHOUT_RECORDS = ("convert", "inspect", "release.query", "synth.private")


class Call:
    """One call: what was given, turned into what the library takes."""

    def __init__(self, method):
        self.method = method
        self.args, self.inputs, self.lent = [], {}, []
        self.path = None  # of the first table, where it is a file
        self.paths = []  # of all of them

    def table(self, value, name, label=None):
        """A frame's table, or a path."""
        path = _frames.path_of(value)
        if path is not None:
            self.paths.append(path)
            return path
        kind = _frames.taken(value, label or name)
        self.inputs.setdefault(name, kind)
        if not len(kind.table) and self.method not in WITHOUT_RECORDS:
            raise ValueError(f"{name}: has columns and no records")
        return kind.table

    def tables(self, value, name):
        """A list of tables, or a dict of them by name; or one, or a folder."""
        if isinstance(value, dict) and all(_frames.is_frame(v) or _frames.path_of(v) is not None for v in value.values()):
            return [self.table(_frames.labelled(frame, str(label)), name, str(label)) for label, frame in value.items()]
        if _frames.path_of(value) is not None or _frames.is_frame(value):
            return [self.table(value, name)]
        if not isinstance(value, (list, tuple)):
            raise TypeError(f"{name}: expects tables: a list, a dict by name, or the path of a folder")
        return [self.table(one, name, f"{name}{i}") for i, one in enumerate(value, 1)]

    def structured(self, value):
        """A recipe or the like, each frame in it replaced by a name under which it is lent."""
        if isinstance(value, dict) and not self.is_columns(value):
            return {k: self.structured(v) for k, v in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.structured(v) for v in value]
        if isinstance(value, (str, int, float, type(None))) or not _frames.is_frame(value):
            return os.fspath(value) if isinstance(value, os.PathLike) else value
        name = f"table{len(self.lent) + 1}"
        self.lend(name, value)
        return name

    @staticmethod
    def is_columns(value):
        """A dict of columns, not of settings: of arrays."""
        return bool(value) and all(hasattr(v, "__array_interface__") for v in value.values())

    def lend(self, name, frame):
        self.lent.append((name, self.table(frame, name)))

    def items(self, name, param, value):
        kind = param["kind"]
        if kind == "flag":
            return [] if value else None
        if kind == "table":
            return [self.table(value, name)]
        if kind == "tables":
            return self.tables(value, name)
        if kind in ("int", "real"):
            return [number(value, name)]
        if kind in LISTS:
            return several(value, LISTS[kind], name)
        if kind == "pairs":
            return pairs(value, name)
        if kind == "groups":
            return groups(value, name)
        if isinstance(value, (dict, list)):
            value = self.structured(value)
        return [text(value, name)]

    def unknown(self, name, value):
        """For a name that only another method knows (tune passes them on), or nobody: by what the value is."""
        if value is True or value is False:
            return [] if value else None
        if _frames.is_frame(value):
            return [self.table(value, name)]
        return several(value, text, name)

    def give(self, name, value):
        if value is None:
            return
        known = parameters(self.method)
        param = known.get(name) or known.get(name.replace("-", "_"))
        items = self.items(name, param, value) if param else self.unknown(name, value)
        if items is None:
            return
        if param and param["kind"] == "table" and self.path is None and isinstance(items[0], str):
            self.path = items[0]
        self.args.append((param["name"] if param else name, items))

    def ledger(self):
        """As the program does: a file's own ledger, INPUT.ledger, is the one that is debited where no other is named."""
        given = {name for name, _ in self.args}
        for param in declared(self.method)["params"]:
            if param["kind"] == "ledger" and param["name"] not in given and self.path and "no-ledger" not in given:
                if os.path.exists(self.path + ".ledger"):
                    self.args.append((param["name"], [self.path + ".ledger"]))


def role_items(roles):
    """{"keys": ["sex", "age"], "weight": "w"}"""
    if roles is None:
        return None
    if not isinstance(roles, dict):
        raise TypeError("roles: expects a dict: role → column or list of columns")
    return [(str(role), several(columns, text, "roles")) for role, columns in roles.items() if columns is not None]


def positions(method, args):
    """Arguments by their places; a parameter that takes several tables takes all that are left."""
    places = sorted((p for p in declared(method)["params"] if p.get("positional")), key=lambda p: not p["required"])
    if places and places[-1]["kind"] in ("tables", "texts") and len(args) > len(places):
        args = (*args[: len(places) - 1], list(args[len(places) - 1 :]))
    if len(args) > len(places):
        names = ", ".join(python_name(p["name"]) for p in places) or "none"
        raise TypeError(f"{method} takes {len(places)} arguments by their places ({names}), and {len(args)} were given: name the others")
    return {python_name(p["name"]): value for p, value in zip(places, args)}


def kind_of_error(error, method, given):
    """An argument that is not there, or is there and should not be, is a TypeError; a ledger's refusal is its own."""
    names = [python_name(n) for n, _ in given]
    known = parameters(method)
    missing = [n for n, p in known.items() if p["required"] and n not in names]
    unknown = [n for n in names if n not in known]
    if isinstance(error, _errors.ArgumentError) and (unknown and "no parameter" in error.message or missing and " need" in " " + error.message):
        return _errors.again(error, _errors.ArgumentTypeError)
    if isinstance(error, _errors.Refused) and any(p["kind"] == "ledger" for p in declared(method)["params"]):
        return _errors.again(error, _errors.BudgetError)
    return error


def broken_rules(result):
    table = result._table("rules")
    if table is None:
        return []
    rules = table.to_dict()
    rows = zip(rules["rule"], rules["met"], rules["seen"])
    return [f"{rule} (observed: {seen})" if seen is not None else rule for rule, met, seen in rows if met != "yes"]


def judge(result):
    """Raises where a policy that the result was judged by is broken."""
    try:
        result._verdict()
    except _errors.Refused as error:
        policy = _errors.again(error, _errors.PolicyError)
        policy.result, policy._rules = result, broken_rules(result)
        raise policy from None


def call(method, /, *args, **given):
    """Run a method or a verb by its name.

    Parameters
    ----------
    method : str
        ``"risk.k-anonymity"``, ``"audit"``: a name of :func:`scrim.methods`.
    *args, **given
        What the method takes, as its own function does: ``scrim.call("risk.k-anonymity", df, keys=["sex"])`` is
        ``scrim.risk.k_anonymity(df, keys=["sex"])``.

    Returns
    -------
    Result
    """
    declared(method)
    own = parameters(method)
    host = {name: given.pop(name) for name in HOST if name in given and name not in own}
    this = Call(method)
    named = positions(method, args)
    for name in named:
        if name in given:
            raise TypeError(f"{method} got two values for {name}")
    for name, value in {**named, **given}.items():
        this.give(name, value)
    this.ledger()
    for name, frame in (host.get("tables") or {}).items():
        this.lend(str(name), frame)
    return run(this, host)


def run(this, host):
    if host.get("output") is not None:
        keep_inputs(os.fspath(host["output"]), this.paths)
    progress = Progress(this.method, host.get("progress"))
    try:
        result = _core.run(
            this.method,
            this.args,
            roles=role_items(host.get("roles")),
            tables=this.lent or None,
            seed=seed_of(host.get("seed")),
            seed_file=None if host.get("seed_file") is None else os.fspath(host["seed_file"]),
            threads=threads_of(host.get("threads")),
            time_limit=float(host.get("time_limit") or 0),
            show_values=int(any(name == "show-values" for name, _ in this.args)),
            need_records=int(this.method not in WITHOUT_RECORDS),
            progress=progress.show if progress.wanted else None,
            own=int(any(kind.mutable for kind in this.inputs.values())),
            **in_parts_of(host),
        )
    except _errors.ScrimError as error:
        raise kind_of_error(error, this.method, this.args) from None
    finally:
        progress.end()
    result._inputs, result._paths = this.inputs, tuple(this.paths)
    if host.get("check", True):
        judge(result)
    return result


def in_parts_of(host):
    """Where a file is to be read in parts: how much memory it may take, and where what is made of it goes."""
    memory, output = host.get("max_memory"), host.get("output")
    if memory is None and output is not None:
        raise TypeError("output: has a meaning only with max_memory: result.save(path) writes what was made")
    return {} if memory is None else {"max_memory": bytes_of(memory), "output": None if output is None else os.fspath(output)}


def bytes_of(memory):
    """512 << 20, or "512M"."""
    scale = {"K": 10, "M": 20, "G": 30, "T": 40}.get(memory[-1:].upper()) if isinstance(memory, str) else None
    try:
        count = int(memory) if scale is None else int(memory[:-1]) << scale
    except (TypeError, ValueError):
        count = 0
    if not 0 < count < 2**63:
        raise ValueError("max_memory: expects a number of bytes, or as in '512M'")
    return count


def seed_of(seed):
    if seed is None or isinstance(seed, str):
        return seed
    if hasattr(seed, "item"):
        seed = seed.item()
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError("seed: expects a whole number, or 64 hexadecimal digits as text")
    if not -(2**63) <= seed < 2**63:
        raise ValueError("seed: a number of more than 64 bits; 64 hexadecimal digits as text are a seed, too")
    return seed


def threads_of(threads):
    """As many as the process may use, unless somebody says."""
    if threads is not None:
        return int(threads)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def function(method):
    """Makes a generated function, which has signature and docstring, call its method."""

    def decorate(outline):
        @functools.wraps(outline)
        def calls(*args, **given):
            return call(method, *args, **given)

        calls.__signature__ = inspect.signature(outline)
        calls.method = method
        del calls.__wrapped__
        return calls

    return decorate


def table(frame, name="table"):
    """A frame as a table of the library's own: to be used again and again without being taken in each time.

    Parameters
    ----------
    frame : frame
        pandas, polars, pyarrow, whatever speaks the Arrow PyCapsule interface, or a dict of columns. Numbers are not copied: do not change
        them while the table is in use.
    name : str
        What messages call it.

    Returns
    -------
    Table
    """
    return _frames.taken(frame, name).table


def read(path, *, separator=None, decimal=None, na=(), types=None, encoding=None, sheet=None, codes=False, threads=None):
    """Read a file as the program does: CSV, SPSS, Stata, SAS, Excel, Arrow, SQLite, PostgreSQL, and what DuckDB reads.

    Parameters
    ----------
    path : str or path
    separator, decimal : str, optional
        CSV: found by itself, and ``.``, unless given.
    na : sequence of str
        Words that mean missing, beside the bare empty cell.
    types : dict, optional
        Column → integer, real, category, text, date or datetime, instead of what the file suggests.
    encoding, sheet : str, optional
    codes : bool
        Labelled values are read as their codes, not as categories.
    threads : int, optional
        All cores, unless given.

    Returns
    -------
    Table
    """
    said = tuple(f"{column}:{type}" for column, type in (types or {}).items())
    words = (na,) if isinstance(na, str) else tuple(na)
    return _frames.Table._read(os.fspath(path), separator, decimal, words, said, encoding, sheet, int(codes), threads_of(threads))


def methods(group=None):
    """The names of all methods and verbs, or of one group's."""
    return [name for name in _core.methods() if group is None or name.startswith(group + ".")]


def describe(method):
    """A method's declaration: its parameters, with kinds, defaults and bounds, and its results."""
    return json.loads(_core.describe(method))


def version():
    """The library's version."""
    return _core.version()


def libraries():
    """What it stands on, with versions."""
    return _core.libraries()


__all__ = ["call", "table", "read", "methods", "describe", "version", "libraries"]
