"""Methods on Apache Spark: the same names, arguments and answers, on data frames that no machine holds.

    released = scrim.spark.run(df, "protect.noise", vars=["income"], amount=0.1, seed=7)
    released = scrim.spark.protect.noise(df, vars=["income"], amount=0.1, seed=7)     # the same
    released.frame        # a Spark data frame
    released.result       # what the program says of the same table: values, tables, notes

Every partition is learned from where it lies; the states merge on the executors, large ones in pieces that Spark's shuffle brings together; the method runs once, on the driver, on what was learned; and
every partition is answered where it lies, with the state sent along. Records go through Arrow and never through Python objects. Which record a
number is drawn for is decided by its place in the table, so that any partitioning gives the same table. :func:`scrim.in_parts` lists the methods.
"""
import functools
import json

from ._job import Job, in_parts

__all__ = ["run", "Released", "recipe"]


class Released:
    """What came of a method: `frame`, a Spark data frame (None where the method makes none), and `result`, what it says of the whole table."""

    def __init__(self, frame, result):
        self.frame, self.result = frame, result

    def __repr__(self):
        return f"Released({self.frame!r}, {self.result!r})"


def run(df, method, *, row=None, seed=None, **given):
    """Run a method that runs in parts on a Spark data frame.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        The table. Its records are numbered as Spark lists them; a table that may be recomputed in another order needs `row`.
    method : str
        "protect.noise", "risk.k-anonymity", …: one of :func:`scrim.in_parts`.
    row : str, optional
        A column that orders the records, no two alike: the table is sorted by it first.
    seed : int or str, optional
        As everywhere. The same seed gives the same table, whatever the partitions. Fresh and secret unless given.
    **given
        The method's own arguments, less its table. Other tables (`population`, `map`, …) as the package takes them: small ones, sent to every executor.
        ``utility.compare`` takes `released`, a Spark data frame, beside `df`, the original: records are paired by their places in both, or in the order of `row`.

    Returns
    -------
    Released
    """
    shape = in_parts(method)
    if method == "release.query" and seed is None:
        secret = None  # its noise has no seed: it is drawn once, by the driver
    else:
        secret = _seed(seed)
    if shape == "whole":
        raise ValueError(f"{method} needs the whole table in one memory: scrim.in_parts() lists the methods that run in parts")
    beside = _beside(method, given)
    if beside:
        tables = [table if row is None else table.orderBy(row) for table in (df, given.pop(beside))]
        work = _Both(*tables, method, secret, given)
    else:
        work = _Work(df if row is None else df.orderBy(row), method, secret, given)
    state = work.learn()
    job = work.job().merge(state).finish()
    if shape == "by class":  # nothing more is counted while it is applied
        schema = work.probe(state)
        return Released(schema and work.apply(state, schema), _result(job, None))
    did, schema = work.deeds(state)
    return Released(schema and work.apply(state, schema), _result(job, did))


class _Group:
    """The methods of a group that run in parts, each a function of a Spark data frame."""

    def __init__(self, name):
        self._name = name

    def __dir__(self):
        return [method.split(".")[1].replace("-", "_") for method in in_parts() if method.startswith(self._name + ".")]

    def __getattr__(self, name):
        method = f"{self._name}.{name.replace('_', '-')}"
        if name not in dir(self):
            raise AttributeError(f"{method} does not run in parts: scrim.in_parts() lists the methods that do")
        return functools.partial(run, method=method)


def __getattr__(name):
    if any(method.startswith(name + ".") for method in in_parts()):
        return _Group(name)
    raise AttributeError(f"module 'scrim.spark' has no attribute '{name}'")


def _result(job, did):
    if did is not None:
        job.merge(did)
    return job.result()


def _seed(seed):
    """A fresh secret one is drawn here: every executor must have the same."""
    import secrets

    return secrets.token_hex(32) if seed is None else seed


BESIDE = {"utility.compare": "released"}  # the argument that is a data frame beside the first


def _beside(method, given):
    """The name of the second data frame; None where the method takes one."""
    frames, beside = [name for name, value in given.items() if _is_frame(value)], BESIDE.get(method)
    if beside and frames != [beside]:
        raise ValueError(f"{method} takes the first of its tables as `df` and `{beside}`, a Spark data frame, beside it")
    if frames and not beside:
        raise ValueError(f"{frames[0]} is a Spark data frame: {method} sends it to every executor, and takes a small table such as toPandas() gives")
    return beside


def _is_frame(value):
    """Spark's, of this process or of a Connect server."""
    return hasattr(value, "mapInArrow") and hasattr(value, "sparkSession")


class _Work:
    """One method on one data frame."""

    def __init__(self, df, method, seed, given):
        from pyspark import StorageLevel

        self.df = df.persist(StorageLevel.MEMORY_AND_DISK) if not df.is_cached else df
        self.method, self.seed, self.given = method, seed, given
        self.offsets = self.count()

    def job(self):
        return Job(self.method, seed=self.seed, threads=1, **self.given)

    def count(self):
        """Where in the table each partition begins."""
        from pyspark.sql.functions import spark_partition_id

        counts = {row[0]: row[1] for row in self.df.groupBy(spark_partition_id()).count().collect()}
        offsets, at = [], 0
        for partition in range(max(counts, default=-1) + 1):
            offsets.append(at)
            at += counts.get(partition, 0)
        if not at:
            raise ValueError("the table has no records")
        return offsets

    def learn(self):
        """What all partitions say together."""
        fit = functools.partial(_fit, self.method, self.seed, self.given, self.offsets, LARGE)
        merge = functools.partial(_merge, self.method, self.seed, self.given, None)
        pieces = self.df.mapInArrow(fit, "state binary, piece int").rdd.map(lambda row: (row[1], bytes(row[0]))).reduceByKey(merge).collect()
        job = self.job()
        for _, state in sorted(pieces):
            job.merge(state)
        return job.state

    def deeds(self, state):
        """What applying does, without its records; and the columns that come of it."""
        shared = self.df.sparkSession.sparkContext.broadcast(state)
        did = functools.partial(_did, self.method, self.seed, self.given, self.offsets, shared)
        merge = functools.partial(_merge, self.method, self.seed, self.given, shared)
        rows = self.df.mapInArrow(did, "state binary, types string").rdd.map(lambda row: (bytes(row[0]), row[1]))
        state, types = rows.treeReduce(lambda a, b: (merge(a[0], b[0]), _widest(a[1], b[1])))
        return state, json.loads(types) if types else None

    def probe(self, state):
        """The columns that come of it, from one record; None where nothing does."""
        shared = self.df.sparkSession.sparkContext.broadcast(state)
        types = functools.partial(_types_of, self.method, self.seed, self.given, shared)
        said = self.df.limit(1).mapInArrow(types, "types string").collect()[0][0]
        return json.loads(said) if said else None

    def apply(self, state, types):
        """The table as it is released, partition by partition."""
        shared = self.df.sparkSession.sparkContext.broadcast(state)
        kept = {field.name: field.dataType.simpleString() for field in self.df.schema.fields}
        columns = [(name, _spark_type(name, type, kept)) for name, type in types]
        apply = functools.partial(_apply, self.method, self.seed, self.given, self.offsets, shared, [name for name, _ in columns])
        return self.df.mapInArrow(apply, ", ".join(f"`{name}` {type}" for name, type in columns))


class _Both(_Work):
    """One method on two data frames: joined by the records' numbers, each record of either a struct, none where its table has ended."""

    def __init__(self, one, other, method, seed, given):
        from pyspark import StorageLevel
        from pyspark.sql.functions import col, struct

        self.method, self.seed, self.given = method, seed, given
        numbered = []
        for name, df in (("one", one), ("other", other)):
            work = _Work(df, method, seed, given)
            fields = ", ".join(f"`{field.name}` {field.dataType.simpleString()}" for field in work.df.schema.fields)
            with_row = work.df.mapInArrow(functools.partial(_number, work.offsets), f"{ROW} bigint, {fields}")
            numbered.append(with_row.select(ROW, struct(*[col(f"`{field.name}`") for field in work.df.schema.fields]).alias(name)))
        joined = numbered[0].join(numbered[1], ROW, "full_outer")
        self.df = joined.repartitionByRange(ROW).sortWithinPartitions(ROW).persist(StorageLevel.MEMORY_AND_DISK)
        self.offsets = None


# ---- on the executors ----

ROW = "scrim_row"  # the number of a record, where two tables are joined


def _number(offsets, batches):
    """The records of a partition, each behind its number."""
    import pyarrow

    first = _first(offsets)
    for batch in batches:
        rows = pyarrow.array(range(first, first + batch.num_rows), pyarrow.int64())
        first += batch.num_rows
        yield pyarrow.RecordBatch.from_arrays([rows, *batch.columns], names=[ROW, *batch.schema.names])


def _side(structs):
    """The records that are there, as a table."""
    import pyarrow

    there = structs.filter(structs.is_valid())
    return _plain(pyarrow.Table.from_arrays(there.flatten(), names=[field.name for field in there.type]))


def _first(offsets):
    from pyspark import TaskContext

    partition = TaskContext.get().partitionId()
    return offsets[partition] if partition < len(offsets) else offsets[-1]


def _plain(table):
    """Arrow as the library takes it: Spark's long strings and zones are its own."""
    import pyarrow

    columns = []
    for column in table.columns:
        if pyarrow.types.is_timestamp(column.type) and column.type.tz:
            column = column.cast(pyarrow.timestamp("us"))
        columns.append(column)
    return pyarrow.Table.from_arrays(columns, names=table.column_names)


def _parts(batches, offsets):
    """Parts, where each begins, and the part beside it, if any. Without offsets: of two tables, which are numbered."""
    import pyarrow

    first = _first(offsets) if offsets is not None else 0
    for batch in batches:
        if not batch.num_rows:
            continue
        if offsets is None:
            first = batch.column(0)[0].as_py()
            yield _side(batch.column(1)), first, _side(batch.column(2))
        else:
            yield _plain(pyarrow.Table.from_batches([batch])), first, None
        first += batch.num_rows


def _batch(**columns):
    import pyarrow

    return pyarrow.RecordBatch.from_arrays([pyarrow.array([value], getattr(pyarrow, type)()) for value, type in columns.values()], names=list(columns))


PIECES, LARGE = 16, 1 << 20  # a state of more bytes is shuffled in so many pieces; the tasks need not agree on which are


def _fit(method, seed, given, offsets, large, batches):
    job = Job(method, seed=seed, threads=1, **given)
    some = False
    for part, first, beside in _parts(batches, offsets):
        job.fit(part, first, beside)
        some = True
    if not some:
        return
    states = [job.state]
    if len(states[0]) > large:
        states = job.pieces(PIECES)
    for piece, state in enumerate(states):
        yield _batch(state=(state, "binary"), piece=(piece, "int32"))


def _finished(method, seed, given, shared):
    return Job(method, seed=seed, threads=1, **given).merge(shared.value).finish()


def _merge(method, seed, given, shared, one, other):
    job = Job(method, seed=seed, threads=1, **given) if shared is None else _finished(method, seed, given, shared)
    return job.merge(one).merge(other).state


def _types(table):
    return [[name, str(type)] for name, type in zip(table.column_names, table.schema.types)]


def _widest(one, other):
    """Whole numbers in one partition and reals in another are reals."""
    if not one or not other:
        return one or other
    pairs = zip(json.loads(one), json.loads(other))
    return json.dumps([[a[0], a[1] if a[1] == b[1] or a[1] == "double" else b[1]] for a, b in pairs])


def _did(method, seed, given, offsets, shared, batches):
    job, types, some = _finished(method, seed, given, shared), None, False
    for part, first, beside in _parts(batches, offsets):
        made, some = job.apply(part, first, beside), True
        types = _widest(types, made is not None and json.dumps(_types(made)))
    if some:
        yield _batch(state=(job.state, "binary"), types=(types or "", "string"))


def _types_of(method, seed, given, shared, batches):
    import pyarrow

    job = _finished(method, seed, given, shared)
    for part, first, _ in _parts(batches, [0]):
        made = job.apply(part, first)
        said = None if made is None else json.dumps(_types(made))
        yield pyarrow.RecordBatch.from_arrays([pyarrow.array([said], pyarrow.string())], names=["types"])


def _apply(method, seed, given, offsets, shared, names, batches):
    import pyarrow

    job = _finished(method, seed, given, shared)
    for part, first, _ in _parts(batches, offsets):
        made = job.apply(part, first)
        columns = []
        for name in names:
            column = made.column(name)
            columns.append(column.cast(_arrow_type(column.type)))
        for batch in pyarrow.Table.from_arrays(columns, names=names).combine_chunks().to_batches():
            yield batch


def _arrow_type(type):
    """What Spark takes: words spelled out."""
    import pyarrow

    if pyarrow.types.is_dictionary(type):
        return pyarrow.string()
    return pyarrow.string() if pyarrow.types.is_large_string(type) else type


def _spark_type(name, type, kept):
    plain = {"int64": "bigint", "double": "double", "string": "string", "large_string": "string", "bool": "boolean"}
    if type.startswith("dictionary"):
        return "string"
    if type.startswith("date32"):
        return "date"
    if type.startswith("timestamp"):
        return "timestamp_ntz"
    return plain.get(type) or kept.get(name, "string")


# ---- recipes ----


def recipe(df, steps, *, seed=None, row=None):
    """Steps of a recipe, one after the other: ``[{"protect.recode": {"var": "age", "breaks": [0, 30, 60]}}, …]``. All must run in parts.

    Returns the last frame, and the results, step by step."""
    names = [next(iter(step)) for step in steps]
    whole = [name for name in names if in_parts(name) == "whole"]
    if whole:
        raise ValueError(f"{', '.join(whole)} need the whole table in one memory: scrim.in_parts() lists the methods that run in parts")
    seed, results = _seed(seed), []
    for step in steps:
        ((name, given),) = step.items()
        made = run(df, name, row=row, seed=seed, **{k.replace("-", "_"): v for k, v in (given or {}).items()})
        results.append(made.result)
        df = made.frame if made.frame is not None and name.startswith("protect.") else df
    return df, results
