"""spark-submit scrim_recipe.py RECIPE --input PATH --output PATH [--format csv|parquet] [--seed N] [--row COLUMN]: a recipe whose steps all run in parts, on Spark.

The recipe is the program's own: YAML (where PyYAML is there) or JSON, a manifest's too. Its steps are run one after the other; their results go to standard output as JSON.
"""
import argparse
import json
import sys

import scrim.spark
from pyspark.sql import SparkSession


def read(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        import yaml
    except ImportError:
        raise SystemExit(f"{path}: a recipe in YAML needs PyYAML; one in JSON does not") from None
    return yaml.safe_load(text)


def steps_of(recipe):
    """A step as a recipe has it, or as a manifest keeps it."""
    return [{step["method"]: step.get("params", {})} if "method" in step else step for step in recipe["steps"]]


def main(words):
    parser = argparse.ArgumentParser(prog="scrim_recipe.py", description=__doc__.splitlines()[0])
    parser.add_argument("recipe")
    parser.add_argument("--input", help="instead of the recipe's own")
    parser.add_argument("--output", help="a folder that Spark writes; instead of the recipe's own")
    parser.add_argument("--format", choices=("csv", "parquet"), default="csv")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--row", help="a column that orders the records")
    asked = parser.parse_args(words)
    recipe = read(asked.recipe)
    spark = SparkSession.builder.getOrCreate()
    source = asked.input or recipe["input"]
    df = spark.read.parquet(source) if asked.format == "parquet" else spark.read.csv(source, header=True, inferSchema=True)
    frame, results = scrim.spark.recipe(df, steps_of(recipe), seed=asked.seed, row=asked.row)
    if asked.output or recipe.get("output"):
        writer = frame.write.mode("errorifexists")
        target = asked.output or recipe["output"]
        writer.parquet(target) if asked.format == "parquet" else writer.csv(target, header=True)
    print(json.dumps([dict(result) for result in results], ensure_ascii=False, default=str))


if __name__ == "__main__":
    main(sys.argv[1:])
