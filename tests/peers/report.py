# The HTML pages as a browser sees them: they render, hold the verdict and their charts, fetch nothing, run no script, say nothing on the console, print in few
# pages, and axe-core finds no serious fault.
import glob, html, json, os, re, shutil, subprocess, sys, tempfile

scrim = os.path.abspath(os.environ.get('SCRIM', 'build/scrim'))
folder = tempfile.mkdtemp()
AXE = os.path.join(os.path.dirname(scrim), 'axe', 'axe.min.js')

def run(code, *args):
    r = subprocess.run([scrim, *args, '--quiet'], capture_output=True, text=True)
    if r.returncode != code: sys.exit('%s ended with %d\n%s' % (args[0], r.returncode, r.stderr))

def chromium(page, *more, size='1000,1400'):
    return subprocess.run(['chromium', '--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync',
                           '--no-first-run', '--hide-scrollbars', '--enable-logging=stderr', '--window-size=' + size, '--user-data-dir=' + os.path.join(folder, 'profile'), *more, 'file://' + page],
                          capture_output=True, text=True, timeout=120)

def place(name): return os.path.join(folder, name)

def fetch_axe():
    """axe-core from npm, kept beside the program; False where the registry is out of reach."""
    if os.path.exists(AXE): return True
    if not shutil.which('npm'): return False
    try:
        if subprocess.run(['npm', 'pack', 'axe-core@4.10.2'], cwd=folder, capture_output=True, timeout=60).returncode: return False
    except subprocess.TimeoutExpired: return False
    subprocess.run(['tar', 'xzf', glob.glob(place('axe-core-*.tgz'))[0], '-C', folder], check=True)
    os.makedirs(os.path.dirname(AXE), exist_ok=True)
    shutil.copy(place('package/axe.min.js'), AXE)
    return True

def faults(page, *more, **size):
    """What axe-core calls serious or critical: of a copy that lets it run."""
    source = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', '', open(page, encoding='utf-8').read())
    script = open(AXE, encoding='utf-8').read()
    tail = ("axe.run(document, {resultTypes: ['violations']}).then(r => { const p = document.createElement('pre'); p.id = 'axe'; "
            "p.textContent = JSON.stringify(r.violations.filter(v => ['serious', 'critical'].includes(v.impact)).map(v => [v.id, v.nodes.map(n => n.html.slice(0, 120)).slice(0, 3)])); document.body.append(p); });")
    copy = page.replace('.html', '-axe.html')
    open(copy, 'w', encoding='utf-8').write(source.replace('</body>', '<script>' + script + '</script><script>' + tail + '</script></body>'))
    dom = chromium(copy, '--dump-dom', '--virtual-time-budget=20000', *more, **size).stdout
    found = re.search(r'<pre id="axe">(.*?)</pre>', dom, flags=re.S)
    return json.loads(html.unescape(found.group(1))) if found else ['axe-core did not answer']

def check(name, page, words, charts):
    rendered = chromium(page, '--dump-dom')
    source, dom = open(page, encoding='utf-8').read(), rendered.stdout
    for want in words:
        if want not in dom: sys.exit('%s as rendered lacks %r' % (name, want))
    if 'CONSOLE' in rendered.stderr: sys.exit('%s: %s' % (name, re.search('.*CONSOLE.*', rendered.stderr).group(0)))
    if re.search(r'<script|https?://(?!www\.w3\.org/)|@import|url\((?!#)', source): sys.exit(name + ' runs a script or fetches something')
    if dom.count('<svg') < charts: sys.exit('%s has %d charts' % (name, dom.count('<svg')))
    picture = place(name + '.png')
    chromium(page, '--screenshot=' + picture)
    if os.path.getsize(picture) < 30000: sys.exit('the picture of %s is as good as blank' % name)
    if not with_axe: return
    for more, size in (([], '1000,1400'), ([], '390,800'), (['--blink-settings=preferredColorScheme=0'], '1000,1400')):
        found = faults(page, *more, size=size)
        if found: sys.exit('%s at %s: %s' % (name, size, json.dumps(found)[:1500]))

def pages(page):
    chromium(page, '--no-pdf-header-footer', '--print-to-pdf=' + place('page.pdf'))
    return len(re.findall(rb'/Type\s*/Page[^s]', open(place('page.pdf'), 'rb').read()))

roles, policy = ('--roles', 'examples/roles.yaml'), ('--policy', 'examples/policy.yaml')
with_axe = fetch_axe()
run(3, 'audit', 'examples/clinic.csv', *roles, *policy, '-o', place('audit.html'))
run(0, 'run', 'examples/recipe.yaml', '-o', place('released.csv'), '--report', place('report.html'))
run(0, 'run', 'examples/recipe.yaml', '-o', place('again.csv'), '--report', place('public.html'), '--public')
run(0, 'plan', 'examples/clinic.csv', *roles, *policy, '--candidates', '80', '--seed', '1', '-o', place('plan'))
check('audit', place('audit.html'), ('Not ready', 'risk.k-anonymity', 'attack.homogeneity', 'Sign-off', 'Record '), 5)
check('report', place('report.html'), ('All 5 rules', 'People at risk', 'Information loss', 'risk.residual.count', 'All measures, before and after'), 8)
check('public', place('public.html'), ('public edition', 'Sign-off'), 2)
check('plan', place('plan/plan.html'), ('Risk and loss of the releases measured', 'suppress'), 1)
count = pages(place('report.html'))
if not 1 < count < 8: sys.exit('the report prints on %d pages' % count)
shutil.rmtree(folder)
print('1 passed, 0 failed' + ('' if with_axe else ' (without axe-core, which npm did not give)'))
