#!/usr/bin/python3 -B
# What the built program and library are made with: position independent, RELRO and BIND_NOW, no executable stack, stack protector and fortified calls, and no path of the machine that built
# them. usage: tests/library/hardening.py BUILD
import os, re, subprocess, sys
build = os.path.abspath(sys.argv[1])
source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
wrong = []

def check(name, what, holds):
    if not holds: wrong.append('%s: %s' % (name, what))

for name in ('scrim', 'libscrim.so'):
    path = os.path.join(build, name)
    out = lambda *flags: subprocess.run(['readelf', '-W', *flags, path], capture_output=True, text=True, check=True).stdout
    dynamic, program, symbols = out('-d'), out('-lh'), out('--dyn-syms')
    check(name, 'is not position independent', 'DYN' in re.search(r'Type:(.*)', program)[1])
    check(name, 'has no RELRO', 'GNU_RELRO' in program)
    check(name, 'does not bind when it is loaded', 'BIND_NOW' in dynamic or re.search(r'FLAGS.*NOW', dynamic))
    check(name, 'has an executable stack', re.search(r'GNU_STACK.* RW ', program))
    check(name, 'has no stack protector', '__stack_chk_fail' in symbols)
    check(name, 'has no fortified calls', len(set(re.findall(r' (__\w+_chk)@', symbols)) - {'__stack_chk_fail'}) >= 5)
    check(name, 'names a folder to load libraries from', 'RPATH' not in dynamic and 'RUNPATH' not in dynamic)
for name in ('scrim', 'libscrim.so', 'libscrim.a'):
    data = open(os.path.join(build, name), 'rb').read()
    for folder in {source, build, os.path.realpath(build), os.path.expanduser('~') + '/'} - {'/', '//', '/root/'}:
        check(name, 'tells where it was built: %s' % folder, folder.encode() not in data)
print('\n'.join(wrong) or 'hardened')
sys.exit(bool(wrong))
