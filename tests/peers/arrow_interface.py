# Arrow's C data interface against pyarrow: every type that a table takes, slices of columns and of whole structs, nulls of a struct, dictionaries in order and of
# numbers, streams; and what must be refused. pyarrow comes from PyPI into a folder of the build.
import os, subprocess, sys, ctypes as c, datetime as dt, decimal
scrim = os.environ.get('SCRIM', 'build/scrim')
build = os.path.dirname(os.path.abspath(scrim))
home = os.path.join(build, 'peers-python')
python = os.path.join(home, 'bin', 'python')
try: import pyarrow
except ImportError:
    if sys.executable == python: raise
    if not os.path.exists(os.path.join(home, 'done')):
        if subprocess.run([sys.executable, '-m', 'venv', home]).returncode or subprocess.run([python, '-m', 'pip', 'install', '-q', 'pyarrow']).returncode: print('pyarrow cannot be installed'); sys.exit(77)
        open(os.path.join(home, 'done'), 'w').close()
    os.execv(python, [python, '-B'] + sys.argv)
import pyarrow as pa
lib = c.CDLL(os.path.join(build, 'libscrim.so'))
class Error(c.Structure): _fields_ = [('size', c.c_size_t), ('rest', c.c_char * 4096)]
table_free = lib.scrim_table_free; table_free.argtypes = [c.c_void_p]
lib.scrim_table_column_type.restype = c.c_char_p; lib.scrim_table_column_type.argtypes = [c.c_void_p, c.c_int64]
lib.scrim_error_text.argtypes = [c.c_void_p, c.c_char_p, c.c_size_t]
room = lambda n: (c.c_byte * n)()
D = decimal.Decimal

def error_of(error):
    text = c.create_string_buffer(1000); lib.scrim_error_text(c.byref(error), text, 1000); return text.value.decode()

def fresh():
    error = Error(); error.size = c.sizeof(Error); return error

def there_and_back(batch, by_stream=False):
    error, table = fresh(), c.c_void_p()
    if by_stream:
        stream = room(128); reader = pa.RecordBatchReader.from_batches(batch[0].schema, batch); reader._export_to_c(c.addressof(stream))
        if lib.scrim_table_from_stream(b't', c.byref(stream), c.byref(table), c.byref(error)): raise ValueError(error_of(error))
    else:
        schema, array = room(128), room(128); batch._export_to_c(c.addressof(array), c.addressof(schema))
        if lib.scrim_table_from_arrow(b't', c.byref(schema), c.byref(array), c.byref(table), c.byref(error)): raise ValueError(error_of(error))
    lib.scrim_table_columns.restype = c.c_int64; lib.scrim_table_columns.argtypes = [c.c_void_p]
    types = [lib.scrim_table_column_type(table, i).decode() for i in range(lib.scrim_table_columns(table))]
    schema, array = room(128), room(128)
    if lib.scrim_table_to_arrow(table, c.byref(schema), c.byref(array), c.byref(error)): raise ValueError(error_of(error))
    table_free(table)
    return pa.RecordBatch._import_from_c(c.addressof(array), c.addressof(schema)), types

n = 200
hole = lambda f: [None if i % 7 == 3 else f(i) for i in range(n)]
moment = lambda i: dt.datetime(1931, 5, 1, 3, 4, 5, 250000) + dt.timedelta(days=400 * i)
columns = {
    'i8': (pa.array(hole(lambda i: i - 100), pa.int8()), 'integer'), 'u8': (pa.array(hole(lambda i: i), pa.uint8()), 'integer'), 'i16': (pa.array(hole(lambda i: -300 * (i % 100)), pa.int16()), 'integer'),
    'u32': (pa.array(hole(lambda i: 4000000000 + i), pa.uint32()), 'integer'), 'u64': (pa.array(hole(lambda i: 2**62 + i), pa.uint64()), 'integer'), 'whole': (pa.array([i * i for i in range(n)]), 'integer'),
    'holes': (pa.array(hole(lambda i: -i)), 'integer'), 'real': (pa.array([i / 8 for i in range(n)]), 'real'), 'nan': (pa.array([float('nan') if i % 5 == 0 else i / 3 for i in range(n)]), 'real'),
    'half': (pa.array(hole(lambda i: i / 4), pa.float16()), 'real'), 'single': (pa.array(hole(lambda i: i / 16), pa.float32()), 'real'), 'nothing': (pa.nulls(n), 'real'),
    'd128': (pa.array(hole(lambda i: D(i - 50) / 8), pa.decimal128(12, 3)), 'real'), 'd256': (pa.array(hole(lambda i: D(-i) / 4), pa.decimal256(60, 2)), 'real'),
    'dwhole': (pa.array(hole(lambda i: D(i - 7) * 10**15), pa.decimal128(18, 0)), 'integer'), 'bool': (pa.array(hole(lambda i: i % 3 == 0)), 'integer'),
    'date': (pa.array(hole(lambda i: dt.date(1890, 1, 1) + dt.timedelta(100 * i))), 'date'), 'date64': (pa.array(hole(lambda i: dt.date(1990, 1, 1) + dt.timedelta(i)), pa.date64()), 'datetime'),
    'us': (pa.array(hole(moment), pa.timestamp('us')), 'datetime'), 'ms': (pa.array(hole(moment), pa.timestamp('ms', tz='Europe/Berlin')), 'datetime'), 'ns': (pa.array(hole(moment), pa.timestamp('ns')), 'datetime'), 's': (pa.array(hole(lambda i: moment(i).replace(microsecond=0)), pa.timestamp('s')), 'datetime'),
    'text': (pa.array(hole(lambda i: 'wörd' * (i % 4))), 'text'), 'large': (pa.array(hole(lambda i: 'x%d' % i), pa.large_string()), 'text'), 'view': (pa.array(hole(lambda i: 'y' * (i % 30)), pa.string_view()), 'text'),
    'words': (pa.array(hole(lambda i: 'zyx'[i % 3])).dictionary_encode(), 'category'), 'levels': (pa.DictionaryArray.from_arrays(pa.array(hole(lambda i: i % 3), pa.int8()), ['low', 'mid', 'high'], ordered=True), 'category'),
    'numbers': (pa.DictionaryArray.from_arrays(pa.array(hole(lambda i: i % 3), pa.uint16()), pa.array([30, None, 10])), 'category')}
def plain(x):
    x = x.to_pylist()
    def one(v):
        if v is None or v != v: return None
        if isinstance(v, D): return float(v)
        if isinstance(v, bool): return int(v)
        if isinstance(v, dt.datetime): return (v.astimezone(dt.timezone.utc) if v.tzinfo else v).replace(tzinfo=None)
        if isinstance(v, dt.date): return dt.datetime(v.year, v.month, v.day)
        return v
    return [one(v) for v in x]
checks = 0
def same(batch, back, types, what):
    global checks
    for i, name in enumerate(batch.schema.names):
        if types[i] != columns[name][1]: sys.exit('%s: %s is %s' % (what, name, types[i]))
        x, y = plain(batch.column(i)), plain(back.column(i))
        if name == 'numbers': x = [None if v is None else str(v) for v in x]
        if x != y: sys.exit('%s: %s differs: %s' % (what, name, [p for p in zip(x, y) if p[0] != p[1]][:3]))
        if name == 'levels' and [v for v in back.column(i).dictionary.to_pylist()] != [v for v in ['low', 'mid', 'high'] if v in x]: sys.exit('%s: order lost' % what)
        checks += 1
batch = pa.record_batch({k: v[0] for k, v in columns.items()})
same(batch, *there_and_back(batch), 'whole')
for a, b in ((0, 0), (5, 60), (63, 64), (64, 65), (199, 1), (200, 0)):
    same(batch.slice(a, b), *there_and_back(batch.slice(a, b)), 'columns sliced %d %d' % (a, b))
    whole = pa.StructArray.from_arrays(batch.columns, batch.schema.names).slice(a, b)
    error, table = fresh(), c.c_void_p(); schema, array = room(128), room(128)
    whole._export_to_c(c.addressof(array), c.addressof(schema))
    if lib.scrim_table_from_arrow(b't', c.byref(schema), c.byref(array), c.byref(table), c.byref(error)): sys.exit(error_of(error))
    types = [lib.scrim_table_column_type(table, i).decode() for i in range(len(columns))]
    schema, array = room(128), room(128); lib.scrim_table_to_arrow(table, c.byref(schema), c.byref(array), c.byref(error)); table_free(table)
    same(batch.slice(a, b), pa.RecordBatch._import_from_c(c.addressof(array), c.addressof(schema)), types, 'struct sliced %d %d' % (a, b))
for cut in ([200], [1, 199], [64, 64, 72], [0, 200]):
    at, parts = 0, []
    for k in cut: parts.append(batch.slice(at, k)); at += k
    same(batch, *there_and_back(parts, True), 'stream %s' % cut)
for what, column in (('NUL', pa.array(['a', 'b\0c'])), ('UTF-8', pa.array([b'ok', b'\xff\xfe']).view(pa.string())), ('NUL', pa.array(['a', 'b\0c']).dictionary_encode()), ('UTF-8', pa.array([b'0123456789abcdef\xff'] * 2, pa.binary_view()).view(pa.string_view())),
                     ('dictionary', pa.DictionaryArray.from_arrays(pa.array([0, 5]), ['a'], safe=False)), ('2^63', pa.array([1, 2**64 - 1], pa.uint64())), ('type', pa.array([[1], [2]])), ('type', pa.array([b'a', b'b'])), ('type', pa.array([dt.time(1), None]))):
    try: there_and_back(pa.record_batch({'x': column})); sys.exit('%s was taken' % what)
    except ValueError as e:
        if what not in str(e): sys.exit('%s: %s' % (what, e))
        checks += 1
# Numbers stay where they are: the same memory comes out as went in.
for name in ('whole', 'real', 'date', 'us'):
    column = pa.record_batch({name: columns[name][0].drop_null()}); back, types = there_and_back(column)
    if back.column(0).buffers()[1].address != column.column(0).buffers()[1].address: sys.exit('%s was copied' % name)
    checks += 1
import gc; del back, column; gc.collect()
print(checks, 'columns agree with pyarrow')
