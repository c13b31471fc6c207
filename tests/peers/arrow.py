# Arrow files and streams against pyarrow, and Parquet where DuckDB's library is at hand. pyarrow comes from PyPI into a folder of the build.
import os, subprocess, sys, tempfile, random, datetime as dt
scrim = os.environ.get('SCRIM', 'build/scrim')
home = os.path.join(os.path.dirname(os.path.abspath(scrim)), 'peers-python')
python = os.path.join(home, 'bin', 'python')
if sys.executable != python:
    if not os.path.exists(os.path.join(home, 'done')):
        if subprocess.run([sys.executable, '-m', 'venv', home]).returncode or subprocess.run([python, '-m', 'pip', 'install', '-q', 'pyarrow']).returncode: print('pyarrow cannot be installed'); sys.exit(77)
        open(os.path.join(home, 'done'), 'w').close()
    os.execv(python, [python, '-B'] + sys.argv)
import pyarrow as pa, pyarrow.ipc as ipc, pyarrow.feather as feather
folder = tempfile.mkdtemp()
path = lambda name: os.path.join(folder, name)
duckdb = os.path.join(os.path.dirname(os.path.abspath(scrim)), 'duckdb', 'libduckdb.so')
if os.path.exists(duckdb): os.environ.setdefault('SCRIM_DUCKDB', duckdb)

def convert(a, b):
    r = subprocess.run([scrim, 'convert', path(a), path(b)], capture_output=True, text=True)
    if r.returncode: sys.exit(r.stderr)

n = 1000
random.seed(1)
t = pa.table({
    'i': pa.array([random.choice([None, -5, 2**62, 7]) for _ in range(n)], pa.int64()), 'u8': pa.array([i % 200 for i in range(n)], pa.uint8()),
    'f': pa.array([None if i % 7 == 0 else i / 3 for i in range(n)]), 's': pa.array([None if i % 11 == 0 else 'wörd%d' % (i % 5) for i in range(n)]),
    'd': pa.array([dt.date(1890, 1, 1) + dt.timedelta(i * 30) for i in range(n)]), 'ts': pa.array([dt.datetime(1899, 12, 31, 23, 59, 59, 500000) + dt.timedelta(i * 3.3) for i in range(n)], pa.timestamp('us')),
    'ms': pa.array([dt.datetime(2020, 1, 1) + dt.timedelta(seconds=i) for i in range(n)], pa.timestamp('ms', tz='UTC')), 'b': pa.array([i % 3 == 0 if i % 5 else None for i in range(n)]),
    'c': pa.array([['x', 'y', 'z'][i % 3] if i % 4 else None for i in range(n)]).dictionary_encode()})
checks = 0

def same(u, what):
    global checks
    for name in t.column_names:
        x, y = t[name].to_pylist(), u[name].to_pylist()
        if name == 'b': x, y = [None if v is None else int(v) for v in x], [None if v is None else int(v) for v in y]
        if name == 'ms': x, y = [v.replace(tzinfo=None) for v in x], [v.replace(tzinfo=None) for v in y]
        if x != y: sys.exit('%s: %s differs: %s' % (what, name, [p for p in zip(x, y) if p[0] != p[1]][:3]))
        checks += 1

for rows in (n, 300, 64):
    for packed in (None, 'lz4', 'zstd'):
        options = ipc.IpcWriteOptions(compression=packed)
        with ipc.new_file(path('p.arrow'), t.schema, options=options) as w: w.write_table(t, max_chunksize=rows)
        with ipc.new_stream(path('p.arrows'), t.schema, options=options) as w: w.write_table(t, max_chunksize=rows)
        for source in ('p.arrow', 'p.arrows'):
            convert(source, 'q.arrow'); same(ipc.open_file(path('q.arrow')).read_all(), (source, packed, rows, 'file'))
            convert(source, 'q.arrows'); same(ipc.open_stream(path('q.arrows')).read_all(), (source, packed, rows, 'stream'))
feather.write_feather(t, path('p.feather')); convert('p.feather', 'q.feather'); same(feather.read_table(path('q.feather')), 'feather')
if 'SCRIM_DUCKDB' in os.environ:
    import pyarrow.parquet as parquet
    parquet.write_table(t, path('p.parquet')); convert('p.parquet', 'q.arrow'); same(ipc.open_file(path('q.arrow')).read_all(), 'from parquet')
    convert('p.arrow', 'q.parquet'); same(parquet.read_table(path('q.parquet')), 'to parquet')
print(checks, 'columns agree with pyarrow')
