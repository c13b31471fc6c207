"""Where things are."""
import os

import scrim

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
SCRIM = os.path.abspath(os.environ.get("SCRIM", os.path.join(TOP, "build", "scrim")))
EXAMPLES = os.path.join(TOP, "examples")


def clinic():
    """The example's records as lists."""
    return scrim.read(os.path.join(EXAMPLES, "clinic.csv")).to_dict()


def tune_arguments(words):
    """`tune GROUP METHOD DATA --name value…`: it passes on parameters that only the other method knows."""
    given = {"group": words[0], "what": words[1], "data": scrim.read(words[2]).to_dict()}
    for name, value in zip(words[3::2], words[4::2]):
        given[name[2:].replace("-", "_")] = value.split(",") if name == "--vars" else value
    return given


def slow(before=lambda: None, **given):
    """A computation of a minute or more; `before` is called when it is about to begin."""
    import random

    draw = random.Random(1)
    data = scrim.table({f"k{i}": [draw.randrange(5) for _ in range(20000)] for i in range(19)})
    before()
    return scrim.risk.suda(data, keys=data.columns, max_size=19, threads=1, **given)
