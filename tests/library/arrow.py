# A binding in thirty lines of ctypes: a table made in memory goes in by the Arrow C data interface, risk.individual runs, its per-record column comes back.
import ctypes as c, sys
lib, p, i64, s = c.CDLL(sys.argv[1]), c.c_void_p, c.c_int64, c.c_char_p
class Schema(c.Structure): pass
class Array(c.Structure): pass
freed, keep = c.CFUNCTYPE(None, p)(lambda struct: None), []  # python's memory, kept to the end: nothing to release
Schema._fields_ = [("format", s), ("name", s), ("metadata", s), ("flags", i64), ("n_children", i64), ("children", c.POINTER(c.POINTER(Schema))), ("dictionary", p), ("release", p), ("private", p)]
Array._fields_ = [("length", i64), ("null_count", i64), ("offset", i64), ("n_buffers", i64), ("n_children", i64), ("buffers", c.POINTER(p)), ("children", c.POINTER(c.POINTER(Array))), ("dictionary", p), ("release", p), ("private", p)]
class Error(c.Structure): _fields_ = [("size", c.c_size_t), ("status", c.c_int), ("row", i64), ("line", i64), ("place", i64), ("file", c.c_char * 256), ("column", c.c_char * 128), ("parameter", c.c_char * 64), ("message", c.c_char * 768), ("advice", c.c_char * 384)]
for name in ("scrim_args_new", "scrim_result_record_table"): getattr(lib, name).restype = p
error, release = Error(size=c.sizeof(Error)), c.cast(freed, p)

def check(status):
    if status: raise RuntimeError(error.message.decode() + " " + error.advice.decode())

def table(**columns):
    schemas, arrays, rows = [], [], len(next(iter(columns.values())))
    for name, cells in columns.items():
        values = (i64 * rows)(*cells); buffers = (p * 2)(None, c.cast(values, p)); keep.extend([values, buffers])
        schemas.append(c.pointer(Schema(format=b"l", name=name.encode(), release=release))); arrays.append(c.pointer(Array(length=rows, n_buffers=2, buffers=buffers, release=release)))
    schema = Schema(format=b"+s", n_children=len(schemas), children=(c.POINTER(Schema) * len(schemas))(*schemas), release=release)
    array = Array(length=rows, n_buffers=1, buffers=(p * 1)(None), n_children=len(arrays), children=(c.POINTER(Array) * len(arrays))(*arrays), release=release)
    keep.extend([schemas, arrays, schema, array]); out = p(); check(lib.scrim_table_from_arrow(b"memory", c.byref(schema), c.byref(array), c.byref(out), c.byref(error))); return out

args, result, schema, array = p(lib.scrim_args_new()), p(), Schema(), Array()
check(lib.scrim_args_table(args, b"data", table(sex=[1, 1, 2, 2, 2], age=[30, 30, 41, 41, 87], w=[4, 6, 10, 10, 3])))
for name, value in (("keys", "sex"), ("keys", "age"), ("weight", "w")): check(lib.scrim_args_text(args, name.encode(), value.encode()))
check(lib.scrim_run(None, b"risk.individual", args, c.byref(result), c.byref(error)))
check(lib.scrim_table_to_arrow(p(lib.scrim_result_record_table(result, b"data")), c.byref(schema), c.byref(array), c.byref(error)))
risk = c.cast(array.children[0].contents.buffers[1], c.POINTER(c.c_double))[:array.length]
print(schema.children[0].contents.name.decode(), [round(x, 4) for x in risk])
assert len(risk) == 5 and risk[0] == risk[1] and risk[2] == risk[3] and max(risk) == risk[4] and 0 < min(risk) <= max(risk) < 1
