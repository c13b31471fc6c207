"""What docs/python.md shows does run."""
import os
import re
import tempfile
import unittest

from tests import support


class Page(unittest.TestCase):
    def test_blocks(self):
        with open(os.path.join(support.TOP, "docs", "python.md"), encoding="utf-8") as file:
            blocks = re.findall(r"```python\n(.*?)```", file.read(), re.S)
        self.assertGreater(len(blocks), 1)
        names, before = {}, os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(support.EXAMPLES, os.path.join(folder, "examples"))
            os.chdir(folder)
            try:
                for number, block in enumerate(blocks):
                    exec(compile(block, f"block {number}", "exec"), names)
            finally:
                os.chdir(before)


if __name__ == "__main__":
    unittest.main()
