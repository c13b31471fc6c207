#!/usr/bin/python3 -B
# The adversary of base/file_journal.c, which shares no code with it: commands that replace two files in two folders are killed at every call that changes the file system, and at random
# moments; then the user may change a target, and an unrelated command runs. Whatever happened: a file that the user wrote is as the user wrote it; without one, both targets are old or both are
# new; nothing of the side folders is left; what was made and could not be put in its place is beside it and was told of. Targets that cannot be replaced (immutable, bind-mounted: as root) leave
# everything as it was, now and later. Two commands that write the same two files at once leave those of one of them. usage: tests/fault/commits.py [rounds, 60]
import hashlib, json, os, random, re, shutil, signal, subprocess, sys, tempfile, time
scrim = os.environ.get('SCRIM', 'build/scrim')
scrim = os.path.abspath(scrim)
inject = os.path.join(os.path.dirname(scrim), 'libfault.so')
examples = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), 'examples')
rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
draw = random.Random(7)
top = tempfile.mkdtemp(prefix='commits-')
bad = []

def read(path):
    try: return open(path, 'rb').read()
    except FileNotFoundError: return None

def fresh(old=True):
    folder = tempfile.mkdtemp(dir=top)
    os.mkdir(folder + '/sub')
    shutil.copy(examples + '/clinic.csv', folder + '/in.csv')
    if old:
        for name in targets: open(folder + '/' + name, 'w').write('old %s\n' % name)
    return folder

targets = ['out.csv', 'sub/out.html', 'out.csv.manifest.json']
command = ['protect', 'microaggregate', 'in.csv', '--vars', 'income', '--k', '3', '-o', 'out.csv', '-o', 'sub/out.html', '--threads', '1']
other = [['convert', 'in.csv', 'other.csv'], ['convert', 'in.csv', 'sub/other.csv']]

def run(words, folder, **env):
    if 'FAULT' in env or 'FAULT_COUNTS' in env: env['LD_PRELOAD'] = inject
    return subprocess.run([scrim] + words, cwd=folder, env=dict(os.environ, **env), capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)

def side(folder): return [os.path.join(at, n) for at, names, files in os.walk(folder) for n in names + files if n.startswith('.scrim-')]
def beside(folder, name): return [n for n in os.listdir(os.path.dirname(folder + '/' + name)) if n.startswith(os.path.basename(name) + '.interrupted-')]

def check(folder, new, mine, what, had):
    told = ''
    for words in other: told += run(words, folder).stderr
    now = {n: read(folder + '/' + n) for n in targets}
    if side(folder): bad.append('%s: left %s' % (what, side(folder)))
    for n, text in mine.items():
        if now[n] != text: bad.append('%s: the user\'s %s was replaced' % (what, n))
    rest = [n for n in targets if n not in mine]
    fresh_ones = [n for n in rest if now[n] == new[n]]
    if any(now[n] not in (had[n], new[n]) for n in rest): bad.append('%s: neither old nor new' % what)
    if not mine and len(fresh_ones) not in (0, len(rest)): bad.append('%s: torn: only %s new' % (what, fresh_ones))
    for n in targets:
        for left in beside(folder, n):
            if read(os.path.join(os.path.dirname(folder + '/' + n), left)) not in (new[n], had[n]): bad.append('%s: %s is something else' % (what, left))
            if left not in told: bad.append('%s: %s was not told of: %r' % (what, left, told[:200]))
            if not mine: bad.append('%s: %s without a reason' % (what, left))
    for n in targets:
        for left in beside(folder, n): os.unlink(os.path.join(os.path.dirname(folder + '/' + n), left))
    again = run(command, folder)
    if again.returncode or any(read(folder + '/' + n) != new[n] for n in targets) or side(folder): bad.append('%s: then: %s' % (what, again.stderr))
    shutil.rmtree(folder)

def change(folder):
    n = draw.choice(targets)
    text = draw.choice([b'MY LATER WORK\n', b'old %s\r' % n.encode()])  # the second as long as what was there
    path = folder + '/' + n
    if draw.random() < .5 and os.path.exists(path):
        before = os.stat(path)
        open(path, 'r+b').write(text)
        os.truncate(path, len(text))
        if draw.random() < .5: os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))  # a coarse clock: only the hash tells
    else:
        if os.path.exists(path): os.unlink(path)
        open(path, 'wb').write(text)
    return {n: text}

# What it makes when nothing goes wrong, and how many calls there are.
folder = fresh()
counts = os.path.join(top, 'counts')
r = run(command, folder, FAULT_COUNTS=counts)
assert r.returncode == 0, r.stderr
new = {n: read(folder + '/' + n) for n in targets}
number = {k: int(v) for k, v in (line.split() for line in open(counts))}
tried = 0
for old in (True, False):
    for kind in ('mkdir', 'open', 'write', 'fsync', 'link', 'rename', 'unlink'):
        last = number[kind]
        for n in range(1, last + 1):
            if kind in ('open', 'write') and draw.random() > 12 / last: continue
            folder = fresh(old)
            had = {t: read(folder + '/' + t) for t in targets}
            run(command, folder, FAULT='%s:%d!' % (kind, n))
            mine = change(folder) if draw.random() < .5 else {}
            check(folder, new, mine, 'killed at %s %d%s' % (kind, n, ', then changed' if mine else ''), had)
            tried += 1
            for tail in ('', '+') if kind in ('link', 'rename', 'fsync') else ():
                folder = fresh(old)
                had = {t: read(folder + '/' + t) for t in targets}
                r = run(command, folder, FAULT='%s:%d%s' % (kind, n, tail))
                if r.returncode and not side(folder) and any(read(folder + '/' + t) != had[t] for t in targets): bad.append('%s:%d%s failed and changed' % (kind, n, tail))
                check(folder, new, {}, 'failed %s %d%s' % (kind, n, tail), had)
                tried += 1

for i in range(rounds):  # at any moment
    folder = fresh(draw.random() < .7)
    had = {t: read(folder + '/' + t) for t in targets}
    p = subprocess.Popen([scrim] + command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    time.sleep(draw.random() * .04)
    p.send_signal(signal.SIGKILL)
    p.wait()
    mine = change(folder) if draw.random() < .5 else {}
    check(folder, new, mine, 'killed in round %d' % i, had)
    tried += 1

def cannot_be_replaced(what, prepare, restore):
    folder = fresh()
    had = {t: read(folder + '/' + t) for t in targets}
    for victim in targets:
        if not prepare(folder + '/' + victim): return shutil.rmtree(folder)
        r = run(command, folder)
        if r.returncode != 1: bad.append('%s %s: ended with %d' % (what, victim, r.returncode))
        if side(folder): bad.append('%s %s: left something' % (what, victim))
        restore(folder + '/' + victim)
        if any(read(folder + '/' + t) != had[t] for t in targets): bad.append('%s %s: changed' % (what, victim))
        had[victim] = b'MY LATER WORK\n'
        open(folder + '/' + victim, 'wb').write(had[victim])
        for words in other: run(words, folder)
        if any(read(folder + '/' + t) != had[t] for t in targets): bad.append('%s %s: carried out later' % (what, victim))
    shutil.rmtree(folder)
    return True

def quiet(*words): return subprocess.run(words, capture_output=True).returncode == 0
if os.geteuid() == 0:
    if shutil.which('chattr'): cannot_be_replaced('immutable', lambda p: quiet('chattr', '+i', p), lambda p: quiet('chattr', '-i', p))
    cannot_be_replaced('bind-mounted', lambda p: quiet('mount', '--bind', p, p), lambda p: quiet('umount', p))

def pair(folder):
    manifest = json.loads(read(folder + '/out.csv.manifest.json'))
    return manifest['output'].get('rows'), len(read(folder + '/out.csv').splitlines()) - 1, manifest['output'].get('blake2b') == hashlib.blake2b(read(folder + '/out.csv'), digest_size=32).hexdigest()
for i in range(max(rounds // 3, 5)):  # two at once
    folder = fresh(False)
    two = [['protect', 'microaggregate', 'in.csv', '--vars', 'income', '--k', k, '-o', 'out.csv', '--threads', '1'] for k in ('3', '5', '7', '9')]
    running = [subprocess.Popen([scrim] + w, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for w in two]
    for p in running:
        if p.wait(): bad.append('at once: %s' % p.stderr.read())
        p.stderr.close()
    if not pair(folder)[2]: bad.append('at once: the table of one, the manifest of another')
    if side(folder): bad.append('at once: left something')
    shutil.rmtree(folder)
    tried += 1

for n in range(1, number['rename'] + 1):  # one that is stopped half-way, and another
    folder = fresh(False)
    words = lambda k: [scrim, 'protect', 'microaggregate', 'in.csv', '--vars', 'income', '--k', k, '-o', 'out.csv', '--threads', '1']
    first = subprocess.Popen(words('3'), cwd=folder, env=dict(os.environ, LD_PRELOAD=inject, FAULT='rename:%d=' % n), stdout=subprocess.DEVNULL)
    for _ in range(500):
        if first.poll() is not None or open('/proc/%d/stat' % first.pid).read().rsplit(')', 1)[1].split()[0] == 'T': break
        time.sleep(.01)
    second = subprocess.Popen(words('7'), cwd=folder, stdout=subprocess.DEVNULL)
    time.sleep(.4)
    first.send_signal(signal.SIGCONT)
    if first.wait() or second.wait() or not pair(folder)[2] or side(folder): bad.append('stopped at rename %d: the table of one, the manifest of another' % n)
    shutil.rmtree(folder)
    tried += 1

for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU):
    folder = fresh()
    os.mkfifo(folder + '/pipe')
    hold = os.open(folder + '/pipe', os.O_RDWR)
    p = subprocess.Popen([scrim, 'convert', 'pipe', 'out.csv'], cwd=folder, stderr=subprocess.DEVNULL)
    time.sleep(.5)
    p.send_signal(number)
    if p.wait() != 130 or side(folder): bad.append('signal %s: ended with %s, left %s' % (number, p.returncode, side(folder)))
    os.close(hold)
shutil.rmtree(top)
print('\n'.join(bad[:40]))
print('%d cases, %d wrong' % (tried, len(bad)))
sys.exit(bool(bad))
