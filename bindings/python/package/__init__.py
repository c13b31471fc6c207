"""scrim: statistical disclosure control.

Measure the disclosure risk of a table (:mod:`scrim.risk`), simulate attacks on it (:mod:`scrim.attack`), protect it (:mod:`scrim.protect`),
synthesise it (:mod:`scrim.synth`), protect tables of cells (:mod:`scrim.tabular`), release statistics under differential privacy
(:mod:`scrim.release`), de-identify free text (:mod:`scrim.scrub`), and measure utility (:mod:`scrim.utility`). Every method of the library is a function here, by the same name and with the same
parameters as in the program: ``scrim risk k-anonymity people.csv --keys sex,age`` is ``scrim.risk.k_anonymity("people.csv", keys=["sex",
"age"])``, and a data frame can be given instead of the file.
"""
import importlib as _importlib

from ._call import *  # noqa: F401,F403
from ._call import version as _version
from ._errors import ArgumentError, ArgumentTypeError, BudgetError, Failure, PolicyError, Refused, ScrimError
from ._generated import GROUPS as _GROUPS
from ._job import Job, in_parts
from ._result import Chart, Result
from ._table import Table
from ._verbs import *  # noqa: F401,F403

for _group in _GROUPS:
    globals()[_group] = _importlib.import_module(f"scrim.{_group}")

__version__ = _version()
