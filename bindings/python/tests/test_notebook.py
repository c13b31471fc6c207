"""The notebook of examples/python runs from top to bottom, and what it shows can be shown."""
import ast
import json
import os
import unittest

from tests import support


class Notebook(unittest.TestCase):
    def setUp(self):
        self.before = os.getcwd()
        os.chdir(support.TOP)

    def tearDown(self):
        os.chdir(self.before)

    def show(self, value):
        for form in ("_repr_html_", "_repr_svg_"):
            if hasattr(type(value), form):
                self.assertIn("<", getattr(value, form)())
        repr(value)

    def test_release(self):
        path = os.path.join(support.TOP, "examples", "python", "release.ipynb")
        with open(path, encoding="utf-8") as file:
            cells = [c for c in json.load(file)["cells"] if c["cell_type"] == "code"]
        names, shown = {}, 0
        for number, cell in enumerate(cells):
            self.assertEqual(cell["outputs"], [], "a notebook is kept without what it showed")
            tree = ast.parse("".join(cell["source"]))
            last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, f"cell {number}", "exec"), names)
            if last:
                self.show(eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names))
                shown += 1
        self.assertGreater(shown, 8)


if __name__ == "__main__":
    unittest.main()
