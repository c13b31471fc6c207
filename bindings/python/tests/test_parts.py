"""Jobs: any cut into parts, in any order and over several jobs, gives what the whole table gives."""
import os
import tempfile
import unittest

import scrim
from tests import support


def slice_of(data, first, last):
    return {name: cells[first:last] for name, cells in data.items()}


class Jobs(unittest.TestCase):
    def setUp(self):
        clinic = support.clinic()
        self.data = {name: clinic[name] for name in ("sex", "age", "region", "income", "visits")}

    def test_noise(self):
        given = {"vars": ["income", "visits"], "amount": 0.1}
        whole = scrim.protect.noise(self.data, seed=5, **given)
        cuts = [(0, 7), (7, 100), (100, 300)]
        states = [scrim.Job("protect.noise", seed=5, **given).fit(slice_of(self.data, a, b), a).state for a, b in reversed(cuts)]
        job = scrim.Job("protect.noise", seed=5, **given)
        for state in states:
            job.merge(state)
        job.finish()
        parts = [job.apply(slice_of(self.data, a, b), a) for a, b in cuts]
        self.assertEqual(sum((p["income"] for p in parts), []), whole.outputs[0]["income"])
        self.assertEqual(sum((p["visits"] for p in parts), []), whole.outputs[0]["visits"])
        self.assertEqual(dict(job.result()), dict(whole))

    def test_classes(self):
        whole = scrim.risk.k_anonymity(self.data, keys=["sex", "region"])
        job = scrim.Job("risk.k-anonymity", keys=["sex", "region"])
        for a, b in ((200, 300), (0, 200)):
            job.fit(slice_of(self.data, a, b), a)
        job.finish()
        self.assertEqual(job.apply(slice_of(self.data, 0, 50), 0)["fk"], whole.columns["fk"][:50])
        self.assertEqual(dict(job.result()), dict(whole))

    def test_two_tables(self):
        """Parts of both, from the same record on; the release has fewer records."""
        released = slice_of(self.data, 0, 250)
        released["age"] = [age // 10 * 10 for age in released["age"]]
        whole = scrim.utility.compare(self.data, released)
        cuts = [(100, 200), (200, 300), (0, 100)]
        job = scrim.Job("utility.compare")
        for a, b in cuts:
            job.merge(scrim.Job("utility.compare").fit(slice_of(self.data, a, b), a, beside=slice_of(released, a, b)).state)
        job.finish()
        for a, b in cuts:
            self.assertIsNone(job.apply(slice_of(self.data, a, b), a, beside=slice_of(released, a, b)))
        self.assertEqual(dict(job.result()), dict(whole))
        with self.assertRaisesRegex(ValueError, "two tables together"):
            scrim.Job("utility.compare").fit(self.data)
        with self.assertRaisesRegex(ValueError, "the parts of one table"):
            scrim.Job("risk.k-anonymity", keys=["sex"]).fit(self.data, 0, beside=self.data)

    def test_a_file_in_parts(self):
        path = os.path.join(support.EXAMPLES, "clinic.csv")
        given = {"vars": ["income", "visits"], "amount": 0.1, "seed": 5}
        with tempfile.TemporaryDirectory() as folder:
            out, whole = os.path.join(folder, "out.csv"), os.path.join(folder, "whole.csv")
            r = scrim.protect.noise(path, max_memory="64M", output=out, **given)
            w = scrim.protect.noise(path, **given)
            w.save(whole)
            self.assertEqual(dict(r), dict(w))
            with open(out, "rb") as a, open(whole, "rb") as b:
                self.assertEqual(a.read(), b.read())
            self.assertTrue(os.path.exists(out + ".manifest.json"))
            self.assertRaises(ValueError, scrim.protect.noise, path, max_memory="lots", **given)
            self.assertRaises(TypeError, scrim.protect.noise, path, output=out, **given)
            self.assertRaises(ValueError, scrim.synth.cart, path, max_memory="64M")

    def test_which(self):
        self.assertEqual(scrim.in_parts("protect.noise"), "by row")
        self.assertIn("risk.k-anonymity", scrim.in_parts())
        self.assertRaises(ValueError, scrim.in_parts, "risk.nothing")

    def test_bad(self):
        with self.assertRaises(ValueError):
            scrim.Job("synth.cart")
        with self.assertRaises(TypeError):
            scrim.Job("protect.noise", vars=["income"], amont=1).fit(self.data)
        with self.assertRaises(ValueError):
            scrim.Job("protect.noise", vars=["income"], amount=0.1).merge(b"nothing")
        with self.assertRaises(ValueError):
            scrim.Job("protect.noise", vars=["nobody"], amount=0.1).fit(self.data)


if __name__ == "__main__":
    unittest.main()
