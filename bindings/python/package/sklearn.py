"""Protecting methods as steps of a scikit-learn pipeline."""
import secrets

import numpy
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted

from . import _core
from ._call import parameters
from ._frames import kind_of
from ._job import Job, in_parts


class Protect(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """A protection method that is fitted to one table and applied to others.

    Parameters
    ----------
    method : str, default "protect.noise"
        A method that protects row by row after a fit: those of the group ``protect`` that :func:`scrim.in_parts` calls ``"by row"``.
    params : dict, optional
        The method's arguments; ``{"amount": 0.1}`` for noise unless given. Where the method needs ``vars`` and they are not given, all columns.
    seed : int or str, optional
        The same seed gives the same noise; default: a fresh secret seed. Record i of every transformed table has the same draws: use a separate
        estimator for each table of the same people.

    Notes
    -----
    A data frame comes back as a data frame, an array as an array of reals. A fitted estimator contains its seed, and so does its pickle: anyone who has it
    can remove the noise.
    """

    def __init__(self, method="protect.noise", params=None, seed=None):
        self.method = method
        self.params = params
        self.seed = seed

    def _frame(self, X, reset):
        """The table as the library takes it: a frame as it is, an array as columns."""
        if kind_of(X) is not None and not isinstance(X, dict):
            self._check_names(X, reset)
            return X
        X = self._check_array(X, reset)
        names = list(getattr(self, "feature_names_in_", [f"x{i}" for i in range(X.shape[1])]))
        return {name: numpy.ascontiguousarray(X[:, i]) for i, name in enumerate(names)}

    def _check_array(self, X, reset):
        if hasattr(X, "toarray"):
            raise TypeError("a sparse matrix was given, and dense data are needed: use X.toarray()")
        X = check_array(X, dtype=(numpy.float64, numpy.float32), estimator=self)
        if reset:
            self.n_features_in_ = X.shape[1]
            self.__dict__.pop("feature_names_in_", None)
        elif X.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {X.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} features as input")
        return X

    def _check_names(self, X, reset):
        names = numpy.asarray([str(c) for c in X.columns], dtype=object)
        if reset:
            self.n_features_in_, self.feature_names_in_ = len(names), names
        elif list(names) != list(getattr(self, "feature_names_in_", names)):
            raise ValueError("the columns are not those that were fitted: " + ", ".join(self.feature_names_in_))

    def _given(self, frame):
        given = dict(self.params if self.params is not None else {"amount": 0.1} if self.method == "protect.noise" else {})
        needed = parameters(self.method).get("vars")
        if needed and needed["required"] and "vars" not in given:
            given["vars"] = [str(c) for c in (frame if isinstance(frame, dict) else frame.columns)]
        return given

    def fit(self, X, y=None):
        """Learn what the method needs to know of the table."""
        if _core.in_parts(self.method) != "by row" or not self.method.startswith("protect."):
            fit = ", ".join(m for m in in_parts() if m.startswith("protect.") and _core.in_parts(m) == "by row")
            raise ValueError(f"{self.method} does not learn from one table to be applied to another; these do: {fit}")
        frame = self._frame(X, True)
        self._arguments = self._given(frame)
        self._digits = self.seed if self.seed is not None else secrets.token_hex(32)
        self.state_ = Job(self.method, seed=self._digits, **self._arguments).fit(frame).state
        return self

    def transform(self, X):
        """The table, protected."""
        check_is_fitted(self, "state_")
        frame = self._frame(X, False)
        job = Job(self.method, seed=self._digits, **self._arguments).merge(self.state_).finish()
        made = job.apply(frame)
        return numpy.column_stack([numpy.asarray(c, dtype=float) for c in made.values()]) if isinstance(frame, dict) else made

    def _more_tags(self):
        return {"non_deterministic": self.seed is None, "preserves_dtype": [numpy.float64]}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.non_deterministic = self.seed is None
        tags.transformer_tags.preserves_dtype = ["float64"]
        return tags
