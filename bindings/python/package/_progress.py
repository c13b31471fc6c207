"""How far a computation is: tqdm where it is installed, else nothing."""
import sys


class Progress:
    """A bar that appears once a computation has taken half a second. `wanted` may be None (a bar if one can be had), False (none) or a
    function of what is being done and the share of it that is."""

    def __init__(self, method, wanted):
        self.method, self.bar, self.wanted = method, None, wanted is not False and (wanted is not None or self.can_show())
        self.tell = wanted if callable(wanted) else None

    @staticmethod
    def can_show():
        """A terminal, or a notebook: nothing goes into a log."""
        return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())

    def show(self, what, share):
        if self.tell:
            return self.tell(what, share)
        if self.bar is None:
            self.bar = self.new()
        if self.bar is False:
            return None
        self.bar.set_description_str(what or self.method, refresh=False)
        self.bar.n = max(self.bar.n, min(100, round(share * 100)))
        self.bar.refresh()
        return None

    def new(self):
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return False
        return tqdm(total=100, delay=0.5, leave=False, bar_format="{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}")

    def end(self):
        if self.bar:
            self.bar.close()
