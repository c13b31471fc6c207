"""The workbench in a real browser: a steward's whole day, wide, on a phone, and by keyboard alone; no console error, no serious accessibility fault; and
the recipe that is downloaded gives the same bytes by `scrim run`. PICTURES=FOLDER keeps screenshots."""
import json
import os
import shutil
import subprocess
import sys
import time

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(here, "..", "browser"), os.path.join(here, "..", "server")]
import chromium
from serving import SCRIM, Folder, Server

AXE = os.path.join(os.path.dirname(SCRIM), "axe", "axe.min.js")
PICTURES = os.environ.get("PICTURES")
PAGES = ("data", "risk", "protect", "explore", "release")


def picture(page, name, whole=False):
    if PICTURES:
        os.makedirs(PICTURES, exist_ok=True)
        page.picture(os.path.join(PICTURES, name + ".png"), whole)


def accessible(page, where):
    if not os.path.exists(AXE):
        return
    page.js(open(AXE, encoding="utf-8").read() + "; 0")
    found = page.js("axe.run(document, { resultTypes: ['violations'] }).then(r => r.violations.filter(v => ['serious', 'critical'].includes(v.impact)).map(v => v.id + ': ' + v.help + ' ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + ' ' + (n.any[0]?.message || '')).join(' | ')))")
    assert not found, f"{where}: " + "\n".join(found)


def fits(page, where):
    wide = page.js("document.scrollingElement.scrollWidth")
    assert wide <= page.width, f"{where} is {wide} pixels wide on a screen of {page.width}"


def seen(page, where):
    accessible(page, where)
    fits(page, where)


def choose(page, selector, value):
    page.js(f"(() => {{ const s = document.querySelector({json.dumps(selector)}); s.focus(); s.value = {json.dumps(value)}; s.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()")


def write(page, selector, text):
    page.js(f"(() => {{ const i = document.querySelector({json.dumps(selector)}); i.focus(); i.value = ''; }})()")
    page.type(text)


def goto(page, name):
    page.click(f'nav a[href="#/{name}"]')
    page.wait(f"document.querySelector('main').dataset.page === '{name}'")


def add_step(page, name, number):
    page.wait("document.querySelector('#add-step')")
    if not page.js("document.querySelector('.adder').open"):
        page.click("#add-step")
    write(page, "#find-method", name)
    page.wait("document.querySelector('.method')")
    page.js(f"[...document.querySelectorAll('.method')].find(b => b.querySelector('strong').innerText === {json.dumps(name.replace('-', ' '))}).click()")
    page.wait(f"document.querySelectorAll('.steps > .step').length === {number} && document.querySelector('.steps .form')")


def shown(page, value):
    """What stands in the column `after` for a measure."""
    return page.js(f"[...document.querySelectorAll('.compare tbody tr')].find(r => r.querySelector('.name').innerText === {json.dumps(value)})?.lastElementChild.innerText.split(/\\s/)[0]")


def until_shown(page, value, text):
    page.wait(f"[...document.querySelectorAll('.compare tbody tr')].find(r => r.querySelector('.name').innerText === {json.dumps(value)})?.lastElementChild.innerText.startsWith({json.dumps(text)})", f"{value} is {text}")


def downloaded(browser, name):
    path, until = os.path.join(browser.downloads, name), time.monotonic() + 60
    while not os.path.exists(path) or os.path.exists(path + ".crdownload"):
        assert time.monotonic() < until, f"{name} was not downloaded"
        time.sleep(0.05)
    return path


def data(page, server, file):
    page.open(server.address)
    page.wait("document.querySelector('.drop')", "the page opens")
    assert server.token not in page.js("location.href"), "the token does not stay in the address"
    seen(page, "empty")
    page.upload("#file", file)
    page.wait("document.querySelector('#suggest')", "the columns are shown")
    page.click("#suggest")
    page.wait("document.querySelectorAll('.bin.is-keys li').length === 6 && document.querySelectorAll('.bin.is-identifiers li').length === 6")


def drag(page, column, role):
    page.js(f"""(() => {{ const carried = new DataTransfer(), row = [...document.querySelectorAll('.columns tbody tr')].find(r => r.querySelector('th').innerText === {json.dumps(column)}), bin = document.querySelector('.bin.is-{role}');
        row.dispatchEvent(new DragEvent('dragstart', {{ dataTransfer: carried, bubbles: true }})); bin.dispatchEvent(new DragEvent('dragover', {{ dataTransfer: carried, bubbles: true, cancelable: true }}));
        bin.dispatchEvent(new DragEvent('drop', {{ dataTransfer: carried, bubbles: true, cancelable: true }})); }})()""")


def lattice(page):
    """Hierarchies uploaded, the lattice drawn, its best node taken over, and undone."""
    goto(page, "data")
    for column in ("sex", "age", "region", "education"):
        page.wait("document.querySelector('#beside')")
        page.upload("#beside", f"examples/hierarchies/{column}.csv")
        page.wait(f"document.querySelector('.chips')?.innerText.includes('{column}.csv')", f"the hierarchy of {column}")
    goto(page, "explore")
    page.click('input[value="lattice"]')
    page.click("#explore")
    page.wait("document.querySelectorAll('.lattice .node').length === 90 && document.querySelectorAll('.node.best').length === 1", "the lattice")
    seen(page, "lattice")
    levels = page.js("document.querySelector('.node.best span').innerText")
    page.click(".node.best")
    page.wait("document.querySelectorAll('.steps > .step').length === 3", "a node is taken")
    assert page.js("document.querySelectorAll('.told')[2].innerText").endswith("levels: " + ", ".join(f"{k}:{l}" for k, l in zip(("sex", "age", "region", "education"), levels.split()))), page.js("document.querySelectorAll('.told')[2].innerText")
    page.click("#undo")
    page.wait("document.querySelectorAll('.steps > .step').length === 2")


def the_day(browser, folder, width, height, dark):
    """Everything by pointer."""
    with Server(folder) as server:
        page = chromium.Page(browser, width, height, dark)
        look = f"{'phone' if width < 600 else 'wide'}-{'dark' if dark else 'light'}"
        data(page, server, "examples/clinic.csv")
        drag(page, "visits", "numeric")
        page.wait("document.querySelector('.bin.is-numeric').innerText.includes('visits')", "a column was dragged")
        for column in ("occupation", "marital"):
            choose(page, f'select[aria-label="Role of {column}"]', "")
            page.wait(f"!document.querySelector('.bin.is-keys').innerText.includes('{column}')")
        page.js("scrollTo(0, 0)")
        picture(page, f"{look}-data")
        seen(page, "data")

        goto(page, "risk")
        page.wait("document.querySelectorAll('.tile').length === 4 && document.querySelectorAll('.people > li').length === 5")
        page.click(".people summary")
        assert "unique on" in page.js("document.querySelector('.people details').innerText")
        page.js("scrollTo(0, 0)")
        picture(page, f"{look}-risk")
        page.click("Run all risk measures")
        page.wait("document.querySelectorAll('.measure').length > 12", "every measure")
        page.click(".measure summary")
        page.wait("document.querySelector('.measure figure.chart div')?.shadowRoot?.querySelector('svg')", "a chart")
        seen(page, "risk")

        goto(page, "protect")
        add_step(page, "recode", 1)
        assert page.js("document.querySelector('.tag').innerText") == "not complete"
        choose(page, ".steps .form select", "age")
        write(page, '.steps .form .field input:not([type=checkbox])', "0,30,45,60,75")
        page.wait("document.querySelectorAll('.pictures figure').length === 2", "pictures before and after")
        page.wait("document.querySelector('.tag').hidden && document.querySelector('.told').innerText.includes('45')", "the step's line follows what is typed")
        add_step(page, "suppress", 2)
        write(page, ".steps .field.int input", "1")
        page.wait("document.querySelector('.steps .field.int .fault').innerText.includes('2')", "k is checked as it is typed")
        write(page, ".steps .field.int input", "4")
        until_shown(page, "k", "4")
        assert int(shown(page, "certain")) < 287 and int(shown(page, "uniques")) == 0  # k alone leaves homogeneous classes
        page.wait("[...document.querySelectorAll('.pictures figure.chart div')].every(d => d.shadowRoot?.querySelector('svg'))")
        page.js("scrollTo(0, 0)")
        picture(page, f"{look}-protect", whole=width < 600)
        seen(page, "protect")
        page.click('[aria-label="Step 2, suppress, is on"]')
        until_shown(page, "k", "1")
        page.click("#undo")
        until_shown(page, "k", "4")
        page.click('[aria-label="Move suppress up"]')
        page.wait("document.querySelector('.steps .title').innerText.includes('suppress')")
        page.click("#undo")
        page.wait("document.querySelector('.steps .title').innerText.includes('recode')")

        goto(page, "explore")
        page.wait("document.querySelector('#x-candidates')")
        write(page, "#x-candidates", "30")
        page.click("#explore")
        page.wait("document.querySelector('.front tbody tr') && document.querySelector('#map figure.chart div').shadowRoot?.querySelector('svg')", "the map of plan", 120)
        page.js("scrollTo(0, 0)")
        picture(page, f"{look}-explore")
        seen(page, "plan")
        page.js("(() => { const svg = document.querySelector('#map figure.chart div').shadowRoot.querySelector('svg'); const label = [...svg.querySelectorAll('title')].find(t => /: 2 /.test(t.textContent)); label.parentNode.dispatchEvent(new MouseEvent('click', { bubbles: true })); })()")
        page.wait("document.querySelector('main').dataset.page === 'protect'", "a point of the map is clicked, and its recipe taken")
        page.click("#undo")
        page.wait("document.querySelectorAll('.steps > .step').length === 2 && document.querySelector('.steps .title').innerText.includes('recode')")
        goto(page, "explore")
        page.click('input[value="tune"]')
        page.wait("document.querySelector('#x-over')")
        write(page, "#x-over", "k=2:4:1")
        page.click("#explore")
        page.wait("document.querySelectorAll('#map tbody tr').length === 3", "the map of tune", 120)
        page.wait("document.querySelector('#map figure.chart div').shadowRoot?.querySelector('svg')")
        page.click('[aria-label="Take k 4"]')
        page.wait("document.querySelectorAll('.steps > .step').length === 3", "a point is taken")
        page.click("#undo")
        page.wait("document.querySelectorAll('.steps > .step').length === 2")

        if width > 600:
            lattice(page)
        goto(page, "release")
        choose(page, "#policy", "own")
        page.wait("document.querySelector('#rules')")
        write(page, "#rules", "risk.k-anonymity.k >= 3\nrisk.individual.max_risk <= 0.1")  # the example's other rules need its whole recipe
        page.wait("document.querySelectorAll('.rules .good').length === 2", "all rules hold")
        page.click("#make")
        page.wait("document.querySelector('.files')", "the release is made", 120)
        page.click("#public")
        page.wait("document.querySelector('[data-file=\"report-public.html\"]')", "the public report", 120)
        page.js("scrollTo(0, 0)")
        picture(page, f"{look}-release")
        seen(page, "release")
        names = page.js("[...document.querySelectorAll('[data-file]')].map(b => b.dataset.file)")
        assert names == ["clinic-released.csv", "recipe.yaml", "clinic-released.csv.manifest.json", "report.html", "report-public.html"], names
        for name in names:
            page.click(f'[data-file="{name}"]')
            downloaded(browser, name)
        assert not page.faults, "\n".join(page.faults)
        assert server.end() == 0
    same_bytes(browser, folder)


def same_bytes(browser, folder):
    """`scrim run` on what was downloaded."""
    place = os.path.join(folder.path, f"again-{time.monotonic_ns()}")
    os.mkdir(place)
    shutil.move(os.path.join(browser.downloads, "recipe.yaml"), place)
    subprocess.run(["cp", "examples/clinic.csv", place], check=True)
    run = subprocess.run([SCRIM, "run", "recipe.yaml", "-q"], cwd=place, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    with open(os.path.join(place, "clinic-released.csv"), "rb") as again, open(os.path.join(browser.downloads, "clinic-released.csv"), "rb") as first:
        assert again.read() == first.read(), "scrim run gives other bytes than the page"
    for name in os.listdir(browser.downloads):
        os.remove(os.path.join(browser.downloads, name))


class Keys:
    """A hand that has no pointer."""

    def __init__(self, page):
        self.page = page

    def to(self, words, back=False):
        """Tab until what has the focus is called so."""
        for _ in range(400):
            name = self.page.js("(() => { const e = document.activeElement; return (e.getAttribute('aria-label') || (e.id && document.querySelector(`label[for=\"${e.id}\"]`)?.innerText) || e.closest('label')?.innerText || e.innerText || e.value || '').trim().replace(/^\\d+\\s*/, ''); })()")
            if name.startswith(words):
                return
            self.page.key("Tab", modifiers=8 if back else 0)
        raise AssertionError(f"no way by keys to {words!r}")

    def press(self, words, key="Enter", back=False):
        self.to(words, back)
        self.page.key(key)


def by_keys_alone(browser, folder):
    with Server(folder) as server:
        page = chromium.Page(browser, 1280, 900)
        keys = Keys(page)
        page.open(server.address)
        page.wait("document.querySelector('.drop')")
        keys.press("Use the fictitious clinic")
        page.wait("document.querySelector('#suggest') || document.querySelector('.bin.is-keys li')")
        page.wait("document.querySelector('#suggest')")
        if not page.js("document.querySelectorAll('.bin.is-keys li').length"):
            keys.press("Take all suggestions")
            page.wait("document.querySelectorAll('.bin.is-keys li').length === 6")
        for column in ("occupation", "marital"):  # the list is left by typing its first letters
            if page.js(f"document.querySelector('.bin.is-keys').innerText.includes('{column}')"):
                keys.press(f"Take {column} out of Keys")
                page.wait(f"!document.querySelector('.bin.is-keys').innerText.includes('{column}')")
        page.js("document.activeElement.blur()")
        keys.press("Protect")
        page.wait("document.querySelector('main').dataset.page === 'protect' && document.activeElement.id === 'main'", "the focus follows")
        for number, (name, typed) in enumerate((("recode", None), ("suppress", "5"))):
            keys.to("Add a step")
            if not page.js("document.querySelector('.adder').open"):
                page.key("Enter")
            keys.to("Find")
            page.type(name)
            page.wait("[...document.querySelectorAll('.method strong')].length > 0")
            keys.press(name)
            page.wait(f"document.querySelectorAll('.steps > .step').length === {number + 1}")
            keys.to("var" if name == "recode" else "k", back=True)
            if name == "recode":
                for letter in "age":  # a list is chosen from by its first letters
                    page.key(letter)
                page.wait("document.activeElement.value === 'age'")
                page.key("Tab")
                keys.to("breaks")
                page.type("0,30,45,60,75")
                until_shown(page, "expected reidentifications", "")
            else:
                page.type(typed)
                until_shown(page, "k", "5")
        page.js("document.activeElement.blur()")
        keys.press("Release")
        page.wait("document.querySelector('#make')")
        keys.press("Make the release")
        page.wait("document.querySelector('.files')", "the release is made", 120)
        keys.press("Download clinic-released.csv")
        downloaded(browser, "clinic-released.csv")
        keys.press("Download recipe.yaml")
        downloaded(browser, "recipe.yaml")
        assert not page.faults, "\n".join(page.faults)
        assert server.end() == 0
    same_bytes(browser, folder)


def a_day_interrupted(browser, folder):
    """The server dies and the tab is closed: nothing is lost. A tab without the token is told so."""
    with Server(folder, "examples/clinic.csv") as server:
        page = chromium.Page(browser, 1280, 900)
        page.open(server.address)
        page.wait("document.querySelector('.box') && document.querySelector('.bin.is-keys li')", "the work of before is there")
        page.open(f"http://127.0.0.1:{server.port}/")
        page.wait("document.querySelector('.bin.is-keys li')", "the tab remembers its token")
        goto(page, "protect")
        steps = page.js("document.querySelectorAll('.steps > .step').length")
        add_step(page, "noise", steps + 1)
        page.wait("document.querySelector('#saved').innerText === 'Saved'")
        page.js("window.before = true")  # gone with the page that is left
        page.call("Page.reload")
        page.wait(f"!window.before && document.querySelector('main')?.dataset.page && (document.querySelectorAll('.steps > .step').length === {steps + 1} || document.querySelector('main')?.dataset.page === 'data')", "a step that is not complete is kept, too")
        goto(page, "protect")
        page.wait("document.querySelector('main').innerText.includes('Measured in')", "what is kept is measured")
        page.click(f'[aria-label="Step {steps + 1}: noise"]')
        own = f".steps > .step:nth-child({steps + 1}) .form .field.real input"  # the form of another step may be open beside it
        page.wait(f"document.querySelector('{own}')", "its form is open")
        write(page, own, "0.1")
        page.wait(f"document.querySelectorAll('.steps > .step')[{steps}].querySelector('.tag').hidden && document.querySelector('[aria-label=\"Step {steps + 1}, noise, is on\"]').checked", "once complete it is on")
        page.wait("Number([...document.querySelectorAll('.compare tbody tr')].find(r => r.querySelector('.name').innerText === 'il1s')?.lastElementChild.innerText) > 0", "and counts")
        other = chromium.Page(browser, 360, 700)
        other.call("Page.navigate", url=f"http://127.0.0.1:{server.port}/")
        other.wait("document.querySelector('main')?.innerText.includes('scrim serve')", "a tab without a token")
        server.end(9)
        goto(page, "protect")
        page.wait("document.querySelector('.steps .step')")
        page.click('[aria-label^="Remove"]')
        page.wait("document.querySelector('#saved').innerText.includes('start scrim serve again')", "a dead server is told of")


if not chromium.program():
    print("Chromium is not installed")
    sys.exit(77)
with Folder() as folder, chromium.Browser() as browser:
    for width, height, dark in ((1280, 900, False), (360, 740, True)) + (((1280, 900, True), (360, 740, False)) if PICTURES else ()):
        subprocess.run(["rm", "-rf", os.path.join(folder.path, "state", "scrim")], check=True)
        the_day(browser, folder, width, height, dark)
    subprocess.run(["rm", "-rf", os.path.join(folder.path, "state", "scrim")], check=True)
    by_keys_alone(browser, folder)
    a_day_interrupted(browser, folder)
print("1 passed, 0 failed" + ("" if os.path.exists(AXE) else " (without axe-core, which npm did not give)"))
