"""The transformer: scikit-learn's own checks, and that it gives what the method gives."""
import pickle
import unittest
import warnings

import numpy
import pandas
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import scrim
from scrim.sklearn import Protect

# Draws belong to a record's place in the table, so that any cut of it gives the same: another order is another release.
BY_PLACE = {
    "check_methods_sample_order_invariance": "draws belong to a record's place",
    "check_methods_subset_invariance": "draws belong to a record's place",
}


class Transformer(unittest.TestCase):
    def test_check_estimator(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            done = check_estimator(Protect(seed=1), expected_failed_checks=BY_PLACE, on_fail=None, on_skip=None)
        failed = {c["check_name"] for c in done if c["status"] == "failed"}
        self.assertEqual(failed, set())
        self.assertEqual({c["check_name"] for c in done if c["status"] == "xfail"}, set(BY_PLACE))
        self.assertGreater(sum(c["status"] == "passed" for c in done), 35)

    def test_as_the_method(self):
        frame = pandas.DataFrame({"a": numpy.arange(50.0), "b": list("aabbc") * 10})
        step = Protect(params={"vars": ["a"], "amount": 0.2}, seed=3)
        want = scrim.protect.noise(frame, vars=["a"], amount=0.2, seed=3).outputs[0]
        pandas.testing.assert_frame_equal(step.fit_transform(frame), want)
        again = pickle.loads(pickle.dumps(step))
        pandas.testing.assert_frame_equal(again.transform(frame), want)
        self.assertEqual(list(step.get_feature_names_out()), ["a", "b"])

    def test_in_a_pipeline(self):
        values = numpy.random.default_rng(1).normal(size=(100, 3))
        made = make_pipeline(StandardScaler(), Protect(params={"amount": 0.01})).fit_transform(values)
        self.assertEqual(made.shape, (100, 3))
        self.assertFalse((made == values).any())

    def test_fresh_seeds(self):
        values = numpy.arange(20.0).reshape(-1, 1)
        self.assertFalse((Protect().fit_transform(values) == Protect().fit_transform(values)).any())

    def test_what_does_not_fit(self):
        with self.assertRaisesRegex(ValueError, "does not learn.*protect.noise"):
            Protect("protect.swap").fit(numpy.ones((3, 1)))


if __name__ == "__main__":
    unittest.main()
