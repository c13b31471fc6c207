"""Writes the package's modules from the registry: a function for each method, with signature, docstring and type stub."""
import json
import keyword
import os
import shlex
import textwrap

HEAD = '"""{title}\n\nWritten from the registry when the package is built: what is changed here is lost.\n"""\n'
GROUP_TITLES = {
    "risk": "Disclosure risk of a table.",
    "attack": "Simulated attacks of an intruder.",
    "protect": "Protection methods for microdata.",
    "release": "Statistics with a formal privacy guarantee.",
    "utility": "Information loss and utility of a release.",
    "synth": "Synthetic data.",
    "scrub": "Free text.",
    "tabular": "Protection of tables of counts and magnitudes.",
    "ledger": "Privacy budgets.",
    "hierarchy": "Hierarchies of values.",
}
# What every function takes beside the method's own parameters: name, default, type, help.
HOST = [
    ("seed", "None", "int | str | None", "Seed of the random draws: a number (anyone who guesses it can undo them), or 64 hexadecimal digits. Default: a fresh secret seed."),
    ("seed_file", "None", "PathLike | None", "A file with a seed of 64 hexadecimal digits. It is created, readable by its owner only, if it does not exist."),
    ("threads", "None", "int | None", "Number of threads (default: all cores). The result is the same for any number."),
    ("progress", "None", "Callable[[str, float], object] | bool | None", "A function told what is being done and the share that is; False: nothing is shown. A tqdm bar where that is installed."),
    ("time_limit", "None", "float | None", "Seconds. A method that is expected to take longer is refused before it starts."),
    ("roles", "None", "dict | None", "Roles of the columns, for parameters that are not given: keys, sensitive, weight, ..."),
    ("tables", "None", "dict[str, Frame] | None", "Tables for the names in a recipe. They take precedence over files of the same name."),
]
IN_PARTS = [
    ("max_memory", "None", "int | str | None", "Bytes, or as in '512M': the table, named by its path, is read in parts, as often as needed."),
    ("output", "None", "PathLike | None", "With max_memory: the CSV file that what is made is written to as it comes, with its manifest."),
]
CHECK = ("check", "True", "bool", "Raise PolicyError where a policy is broken; False: the result says so.")
FRAME = "Frame"
KINDS = {  # kind → its type in a stub, its name in a docstring
    "table": (FRAME, "frame or path"),
    "tables": ("Sequence[Frame] | dict[str, Frame] | PathLike", "frames, or the path of a folder"),
    "columns": ("Sequence[str] | str", "list of column names"),
    "column": ("str", "column name"),
    "int": ("int", "int"),
    "real": ("float", "float"),
    "flag": ("bool", "bool"),
    "text": ("str | PathLike | dict | list", "str"),
    "texts": ("Sequence[str] | str", "list of str"),
    "choice": ("str", "str"),
    "expression": ("str", "expression"),
    "formula": ("str", "formula"),
    "reals": ("Sequence[float] | float", "list of float"),
    "pairs": ("dict | Sequence[str] | str", "dict, or list of 'name:value'"),
    "groups": ("Sequence[Sequence[str]] | Sequence[str] | str", "lists of column names"),
    "schema": ("PathLike | dict", "path, or dict"),
    "ledger": ("PathLike", "path"),
}
VALUES = {"integer": "int", "real": "float", "text": "str"}


def python_name(name):
    name = name.replace("-", "_").replace(".", "_")
    return name + "_" if keyword.iskeyword(name) else name


def parameters(method):
    """Own parameters, then those of every method, each once."""
    found = {}
    for param in method["params"] + method["common"]:
        found.setdefault(python_name(param["name"]), param)
    return found


def host_options(method):
    """What every function takes, less what this method has for itself."""
    own = parameters(method)
    options = HOST + (IN_PARTS if method.get("in_parts") else []) + ([CHECK] if any(v.get("name") == "rules_broken" for v in method["values"]) else [])
    return [option for option in options if option[0] not in own]


def default(param):
    value = param.get("default")
    if isinstance(value, str) and param["kind"] in ("int", "real"):
        return f'float("{value}")'
    if isinstance(value, bool) or value is None:
        return repr(bool(value)) if param["kind"] == "flag" else "None"
    return repr(value)


def signature(method, typed):
    """(data, *, keys, weight=None, …): inputs by their places, the rest by name; the required first."""
    places, named = [], []
    for name, param in parameters(method).items():
        kind = KINDS.get(param["kind"], ("object", ""))[0]
        if param["kind"] == "choice" and param.get("choices"):
            kind = "Literal[" + ", ".join(repr(c) for c in param["choices"]) + "]"
        if not param["required"] and default(param) == "None":
            kind += " | None"
        said = f"{name}: {kind}" if typed else name
        if not param["required"]:
            said += f" = {default(param)}" if typed else f"={default(param)}"
        (places if param.get("positional") else named).append((not param["required"], said))
    places = [said for _, said in sorted(places, key=lambda p: p[0])]
    named = [said for _, said in sorted(named, key=lambda p: p[0])]
    for name, value, kind, _ in host_options(method):
        named.append(f"{name}: {kind} = {value}" if typed else f"{name}={value}")
    return ", ".join(places + ["*"] + named)


def bounds(param):
    low, high = param.get("least"), param.get("most")
    than, under = ("more than", "less than") if param.get("exclusive") else ("at least", "at most")
    said = [f"{than} {low:.15g}"] if isinstance(low, (int, float)) else []
    return said + ([f"{under} {high:.15g}"] if isinstance(high, (int, float)) else [])


def wrapped(text, indent):
    return textwrap.fill(" ".join(text.split()), 96, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def parameter_lines(name, param):
    kind = KINDS.get(param["kind"], ("", param["kind"]))[1]
    if param["kind"] == "choice":
        kind = "{" + ", ".join(repr(c) for c in param.get("choices", [])) + "}"
    notes = [] if param["required"] else [f"default {default(param)}" if default(param) != "None" else "optional"]
    yield f"{name} : " + ", ".join([kind, *notes])
    extra = bounds(param)
    yield wrapped(param["help"] + ("" if param["help"].endswith(".") else ".") + (f" {' and '.join(extra).capitalize()}." if extra else ""), "    ")


def returned_lines(method):
    """What comes back, under the part of the result that holds it."""
    parts = {"value": "Values", "table": "Tables (``result.tables``)", "record": "Columns, one cell for each record (``result.columns``)", "output": "Outputs (``result.outputs``)"}
    for kind, title in parts.items():
        some = [v for v in method["values"] if v["kind"] == kind]
        if some:
            yield f"    {title}:"
            yield ""
        for value in some:
            name = value.get("name")
            yield wrapped((f"``{name}``: " if name else "") + value["meaning"], "    - ").replace("\n    - ", "\n      ")
        if some:
            yield ""


def docstring(method, call):
    lines = [method["summary"] + "."]
    if method.get("source"):
        lines += ["", wrapped(method["source"] + ".", "")]
    lines += ["", "Parameters", "----------"]
    for name, param in parameters(method).items():
        lines += parameter_lines(name, param)
    for name, value, kind, text in host_options(method):
        lines += [f"{name} : {kind.replace('PathLike', 'path')}, default {value}", wrapped(text, "    ")]
    lines += ["", "Returns", "-------", "Result"]
    returned = list(returned_lines(method))
    while returned and not returned[-1]:
        returned.pop()
    lines += returned
    if method.get("example"):
        lines += ["", "Notes", "-----", "In the program:", "", "    " + method["example"]]
    if call:
        lines += ["", "Examples", "--------", ">>> " + call]
    return "\n".join(line.rstrip() for line in "\n".join(lines).split("\n"))


# ---- examples ----

OPTIONS = {"--seed": "seed", "-o": "output", "--output": "output", "--report": "report"}  # of the program, each with a value


def literal(kind, items):
    """A parameter's items as Python would have them."""
    if kind == "flag":
        return "True"
    if kind in ("int", "real"):
        return items[0]
    if kind == "reals":
        return "[" + ", ".join(items) + "]"
    if kind == "columns":
        return json.dumps(items, ensure_ascii=False)
    return json.dumps(items if len(items) > 1 else items[0], ensure_ascii=False)


def split_options(words):
    """The program's own options apart from the method's words."""
    kept, options, words = [], {}, iter(words)
    for word in words:
        if word in OPTIONS:
            options[OPTIONS[word]] = next(words)
        else:
            kept.append(word)
    return kept, options


def guessed(value):
    """A value of a parameter that only another method knows."""
    try:
        float(value)
        return value
    except ValueError:
        return json.dumps(value.split(",") if "," in value else value, ensure_ascii=False)


def passed_on(words, known):
    """Parameters that the method hands on to another."""
    names = {p["name"] for p in known.values()}
    pairs = [(word[2:], value) for word, value in zip(words, words[1:]) if word.startswith("--")]
    return [f"{python_name(n)}={guessed(value)}" for n, value in pairs if n not in names]


def example(core, method, name):
    """The program's example as a call."""
    kept, options = split_options(shlex.split(method["example"])[1:])
    found, used = core.find(kept)
    known = parameters(method)
    given = core.words(found, kept[used:], [p["name"] for p in known.values()])
    said = [(n, p, given[p["name"]]) for n, p in known.items() if p["name"] in given]
    places = [literal(p["kind"], items) for _, p, items in said if p.get("positional") and p["kind"] != "tables"]
    named = [f"{n}={literal(p['kind'], items)}" for n, p, items in said if not p.get("positional") or p["kind"] == "tables"]
    named += passed_on(kept[used:], known)
    named += [f"{n}={value if n == 'seed' else json.dumps(value)}" for n, value in options.items() if n == "seed" or n in known]
    place = "scrim." if method["group"] == "verb" and name != "scrub" else f"scrim.{python_name(method['group'] if name != 'scrub' else name)}."
    return f"{place}{name}({', '.join(places + named)})"


def quoted(text, indent):
    text = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    body = ("\n" + indent).join(text.split("\n"))
    return f'"""{body}\n{indent}"""'.replace("\n" + indent + "\n", "\n\n")


def function(core, method, name):
    doc = "\n".join(line.rstrip() for line in quoted(docstring(method, example(core, method, name)), "    ").split("\n"))
    return f'@_function("{method["method"]}")\ndef {name}({signature(method, False)}):\n    {doc}\n'


def result_class(method, name):
    """What an editor completes behind the result."""
    title = "".join(part.capitalize() for part in name.split("_")) + "Result"
    lines = [f"class {title}(Result):", f'    """{method["summary"]}."""']
    for value in method["values"]:
        if value["kind"] == "value" and value["name"] not in RESERVED and not keyword.iskeyword(value["name"]):
            lines.append(f"    {value['name']}: {VALUES.get(value['type'], 'object')} | None")
    return title, "\n".join(lines)


RESERVED = {"method", "params", "tables", "columns", "columns_of", "outputs", "notes", "charts", "results", "to_json", "to_dict", "to_text", "to_html", "svg", "plot", "save", "keys", "items", "values", "get"}
STUB_HEAD = """from os import PathLike as _PathLike
from typing import Any, Callable, Literal, Mapping, Sequence, Union
from ._result import Result
from ._table import Table

PathLike = Union[str, _PathLike]
Frame = Any

"""


def stub(method, name):
    title, text = result_class(method, name)
    return f"{text}\n\ndef {name}({signature(method, True)}) -> {title}: ...\n"


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def module(core, into, name, title, entries):
    """A module and its stub: entries are (function's name, method)."""
    names = ", ".join(f'"{n}"' for n, _ in entries)
    text = HEAD.format(title=title) + f"from ._call import function as _function\n\n__all__ = [{names}]\n\n\n"
    write(os.path.join(into, name + ".py"), text + "\n\n".join(function(core, m, n) for n, m in entries))
    write(os.path.join(into, name + ".pyi"), STUB_HEAD + "\n".join(stub(m, n) for n, m in entries))


def sorted_out(methods):
    """Modules → functions; a verb stands at the top, unless a module has its name: then in that."""
    modules = {}
    for method in methods:
        if method["group"] != "verb":
            modules.setdefault(python_name(method["group"]), []).append((python_name(method["name"].split(".")[-1]), method))
    for method in methods:
        if method["group"] == "verb":
            name = "run_recipe" if method["name"] == "run" else python_name(method["name"])
            modules.setdefault(name if name in modules else "_verbs", []).append((name, method))
    return modules


def generate(core, into):
    """`core` is the built extension; `into` the package's folder."""
    methods = [json.loads(core.describe(name)) for name in core.methods()]
    modules = sorted_out(methods)
    verbs = modules.setdefault("_verbs", [])
    groups = sorted(name for name in modules if name != "_verbs")
    for name, entries in modules.items():
        module(core, into, name, GROUP_TITLES.get(name, "Verbs over many methods." if name == "_verbs" else f"{name}."), entries)
    write(os.path.join(into, "_generated.py"), HEAD.format(title="What there is.") + f"GROUPS = {groups!r}\n")
    named = "".join(f"from ._verbs import {n} as {n}\n" for n, _ in verbs)
    write(os.path.join(into, "__init__.pyi"), INIT_STUB + "from . import " + ", ".join(f"{g} as {g}" for g in groups) + "\n" + named)
    write(os.path.join(into, "py.typed"), "")


INIT_STUB = """from ._call import call as call, describe as describe, libraries as libraries, methods as methods, read as read, table as table, version as version
from ._errors import ArgumentError as ArgumentError, ArgumentTypeError as ArgumentTypeError, BudgetError as BudgetError, Failure as Failure, PolicyError as PolicyError, Refused as Refused, ScrimError as ScrimError
from ._job import Job as Job, in_parts as in_parts
from ._result import Chart as Chart, Result as Result
from ._table import Table as Table
__version__: str
"""
