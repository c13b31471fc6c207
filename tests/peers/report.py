# The HTML report as a browser sees it: it renders, holds the verdict and its charts, fetches nothing and runs no script.
import os, re, subprocess, sys, tempfile

scrim = os.path.abspath(os.environ.get('SCRIM', 'build/scrim'))
folder = tempfile.mkdtemp()
page = os.path.join(folder, 'report.html')
run = subprocess.run([scrim, 'audit', 'examples/clinic.csv', '--roles', 'examples/roles.yaml', '--policy', 'examples/policy.yaml', '-o', page, '--quiet'], capture_output=True, text=True)
if run.returncode != 3: sys.exit('audit of an unprotected table ended with %d\n%s' % (run.returncode, run.stderr))

def chromium(*more):
    return subprocess.run(['chromium', '--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync',
                           '--no-first-run', '--hide-scrollbars', '--window-size=1000,1400', '--user-data-dir=' + os.path.join(folder, 'profile'), *more, 'file://' + page], capture_output=True, text=True, timeout=120)

dom = chromium('--dump-dom').stdout
source = open(page, encoding='utf-8').read()
for want in ('Do not release', 'risk.k-anonymity', '<svg', 'attack.homogeneity'):
    if want not in dom: sys.exit('the page as rendered lacks %r' % want)
if re.search(r'<script|https?://(?!www\.w3\.org/)|@import|url\((?!#)', source): sys.exit('the page runs a script or fetches something')
if dom.count('<svg') < 3: sys.exit('the page has %d charts' % dom.count('<svg'))

picture = os.path.join(folder, 'page.png')
chromium('--screenshot=' + picture)
if os.path.getsize(picture) < 30000: sys.exit('the picture of the page is as good as blank')
subprocess.run(['rm', '-rf', folder])
print('1 passed, 0 failed')
