"""What goes wrong, as exceptions that carry the library's own sentence."""


class ScrimError(Exception):
    """Something that libscrim could not do, or would not.

    Attributes
    ----------
    message, advice : str
        What is wrong, and what to do about it.
    parameter, column, file : str or None
        Which argument, which column, which file it is about.
    row, line : int or None
        Which record (from 0), which line of the file (from 1).
    """

    status = 1
    message = advice = ""
    parameter = column = file = row = line = None


class ArgumentError(ScrimError, ValueError):
    """An argument, or a table, that cannot be used as it is."""


class ArgumentTypeError(ScrimError, TypeError):
    """An argument that the method does not have, or one that it needs and did not get."""


class Failure(ScrimError, RuntimeError):
    """Something that could not be done: a disk that is full, memory that is out."""


class Refused(ScrimError):
    """What would have broken a promise, and was not done.

    Attributes
    ----------
    rules : list of str
        What is broken.
    result : Result or None
        What was found, where there is a result all the same.
    """

    status = 3
    result = None

    @property
    def rules(self):
        return [self.message]


class PolicyError(Refused):
    """A policy is broken; `rules` says which of its rules, `result` is what was judged."""

    _rules = ()

    @property
    def rules(self):
        return list(self._rules) or [self.message]


class BudgetError(Refused):
    """A ledger does not allow it; nothing was released."""


_CLASSES = {1: Failure, 2: ArgumentError, 3: Refused}


def filled(error, status, sentence, message, advice, parameter, column, file, row, line):
    """The exception with its fields set."""
    error.args = (sentence,)
    error.status, error.message, error.advice = status, message, advice
    error.parameter, error.column, error.file = parameter or None, column or None, file or None
    error.row, error.line = row if row >= 0 else None, line if line >= 0 else None
    return error


def make(status, sentence, *fields):
    """What the extension raises."""
    if status == 130:
        return KeyboardInterrupt(sentence)
    if status == 1 and "out of memory" in sentence:
        return MemoryError(sentence)
    return filled(_CLASSES.get(status, Failure)(sentence), status, sentence, *fields)


def again(error, kind):
    """The same error as one of another kind."""
    other = kind(*error.args)
    other.__dict__.update(error.__dict__)
    return other
