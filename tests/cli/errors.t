# Bad input is a user's daily life: one clear sentence, exit code 2, nothing half-written.

Files that are not there, or not files.

    $ scrim risk k-anonymity absent.csv --keys a
    scrim: absent.csv: cannot open: there is no such file.
    [2]
    $ scrim risk k-anonymity . --keys a
    scrim: .: is a folder, not a table. Name a table in it. `scrim inspect FOLDER` profiles linked tables, and `scrim run` with a recipe that lists them under `files:` protects and audits them together.
    [2]
    $ scrim risk k-anonymity examples/README.md --keys a
    scrim: examples/README.md: is in no format that is known by its name. Tables are .csv, .tsv, .txt (also .gz, .zst), .sav, .zsav, .por, .dta, .sas7bdat, .xpt, .xlsx, .ods, .docx, .jj, .rda, .jsonstat, .px, .arrow, .arrows, .feather, .parquet, .jsonl, .ndjson, duckdb:?query=select …, sqlite:FILE#TABLE, postgresql://USER@HOST/DB#TABLE; '-' is a standard stream.
    [2]
    $ : > empty.csv; scrim risk k-anonymity empty.csv --keys a
    scrim: empty.csv: is empty. A table begins with a line that names its columns.
    [2]
    $ echo a,b > header.csv; scrim risk k-anonymity header.csv --keys a
    scrim: header.csv: has a header and no records.
    [2]
    $ printf 'unit: add-remove\ncolumns:\n  a: {categories: [p]}\n  b: {categories: [q]}\n' > s.yaml; scrim synth private header.csv --schema s.yaml --zcdp 1 --no-ledger --method mst --n 2 | tail -1
    Output (-o FILE): 2 rows, 2 columns
    $ scrim release header.csv --schema s.yaml --unit add-remove --query "count()" --epsilon 1 --no-ledger > /dev/null
    $ touch secret.csv; chmod 000 secret.csv; [ $(id -u) = 0 ] && echo "scrim: secret.csv: cannot open: Permission denied." || scrim risk k-anonymity secret.csv --keys a
    scrim: secret.csv: cannot open: Permission denied.

Files that are broken. A cell's value is never repeated unless that is asked for.

    $ printf 'a,b\n1,2\n3\n' > ragged.csv; scrim risk k-anonymity ragged.csv --keys a
    scrim: ragged.csv, line 3, character 2: this record has 1 field, the header has 2. Fields are separated by ','; a field that holds one must be in quotes.
    [2]
    $ printf 'a,b\n1,2\n3,4,5\n' > ragged.csv; scrim risk k-anonymity ragged.csv --keys a
    scrim: ragged.csv, line 3, character 5: this record has 3 fields, the header has 2. Fields are separated by ','; a field that holds one must be in quotes.
    [2]
    $ printf 'a,b\n1,"2\n' > quote.csv; scrim risk k-anonymity quote.csv --keys a
    scrim: quote.csv, line 2, character 3: a quoted field begins here and never ends. Put a field that holds a quote in quotes, and write the quote inside it twice.
    [2]
    $ printf 'a,b\n1,\0002\n' > nul.csv; scrim risk k-anonymity nul.csv --keys a
    scrim: nul.csv, line 2, character 3: there is a NUL byte. This is not plain text; if it is UTF-16, say --encoding utf-16.
    [2]
    $ printf 'a,a\n1,2\n' > twice.csv; scrim risk k-anonymity twice.csv --keys a
    scrim: twice.csv, line 1, character 1: two columns are named 'a'. Give every column a name of its own.
    [2]
    $ printf 'a,b\n1,x\377y\n' > latin.csv; scrim risk k-anonymity latin.csv --keys a
    scrim: latin.csv, line 2, character 4: this is not UTF-8. Say how the file is encoded, for instance with --encoding latin1.
    [2]
    $ printf 'a,b\n1,secretword\n' > type.csv; scrim risk k-anonymity type.csv --keys a --types b:integer
    scrim: type.csv, line 2, character 3, column 'b': this value is not an integer, which its column was declared to be. Leave the cell empty where the value is missing, name it in --na, or declare another type in --types.
    [2]
    $ scrim risk k-anonymity type.csv --keys a --types b:integer --show-values
    scrim: type.csv, line 2, character 3, column 'b': this value is not an integer, which its column was declared to be: «secretword». Leave the cell empty where the value is missing, name it in --na, or declare another type in --types.
    [2]

Names that are not there are answered with the nearest.

    $ scrim risk k-anonymity examples/clinic.csv --keys sx,age
    scrim: examples/clinic.csv: --keys: there is no column 'sx'. Did you mean 'sex'?
    [2]
    $ scrim risk k-anonymity examples/clinic.csv --kees sex
    scrim: risk k-anonymity has no parameter --kees. Did you mean --keys?
    [2]
    $ scrim risk k-anonimity examples/clinic.csv --keys sex
    scrim: there is no method 'k-anonimity' in the group 'risk'. Did you mean 'k-anonymity'? `scrim methods risk` lists all methods.
    [2]
    $ scrim rsk k-anonymity examples/clinic.csv --keys sex
    scrim: there is no command 'rsk'. Did you mean 'risk'?
    [2]
    $ scrim adit examples/clinic.csv
    scrim: there is no command 'adit'. Did you mean 'audit'?
    [2]
    $ scrim risk
    scrim: which method of 'risk'? `scrim methods risk` lists them.
    [2]
    $ scrim frobnicate
    scrim: there is no command or group 'frobnicate'. `scrim methods` lists all methods.
    [2]

Values that cannot be.

    $ scrim risk k-anonymity examples/clinic.csv
    scrim: --keys: is needed: Quasi-identifiers (key variables): columns that an intruder may know. For example: scrim risk k-anonymity examples/clinic.csv --keys sex,age,region
    [2]
    $ scrim risk k-anonymity --keys sex
    scrim: risk k-anonymity needs an input: Table to examine. For example: scrim risk k-anonymity examples/clinic.csv --keys sex,age,region
    [2]
    $ scrim risk k-anonymity examples/clinic.csv --keys sex --weight region
    scrim: column 'region': --weight: needs numbers, and this column holds categories.
    [2]
    $ scrim protect top-bottom examples/clinic.csv --var region --top 3
    scrim: column 'region': --var: needs numbers, and this column holds categories.
    [2]
    $ scrim risk k-anonymity examples/clinic.csv --keys sex --missing maybe
    scrim: --missing: has no value 'maybe'. It takes wildcard, category.
    [2]
    $ scrim protect noise examples/clinic.csv --vars income --amount -1
    scrim: --amount: must be more than 0 and less than 1000000.
    [2]
    $ scrim protect noise examples/clinic.csv --vars income --amount lots
    scrim: --amount: expects a number, not 'lots'.
    [2]
    $ scrim protect noise examples/clinic.csv --vars income --amount 0.1 --seed x
    scrim: --seed: expects a whole number.
    [2]
    $ scrim protect noise examples/clinic.csv --vars income --amount 0.1 --threads 0
    scrim: --threads: expects a whole number from 1 to 1024.
    [2]
    $ scrim risk k-anonymity examples/clinic.csv --keys sex --format xml
    scrim: --format: has no value 'xml'. It takes text, json, csv or html.
    [2]
    $ scrim risk k-anonymity examples/clinic.csv --keys sex --where 'age >'
    scrim: --where: expression "age >", at character 6: it ends where a value should stand.
    [2]
    $ scrim risk k-anonymity examples/clinic.csv --keys sex --where 'aeg > 3'
    scrim: --where: expression "aeg > 3", at character 1: there is no column 'aeg'. Did you mean 'age'?
    [2]
    $ scrim risk k-anonymity examples/clinic.csv extra.csv --keys sex
    scrim: 'extra.csv' is one input too many for risk k-anonymity. `scrim help risk k-anonymity` shows its usage.
    [2]
    $ scrim risk k-anonymity examples/clinic.csv --keys
    scrim: --keys: needs a value.
    [2]
    $ scrim protect suppress examples/clinic.csv --keys sex,age --k 0
    scrim: --k: must be from 2 to 1000000000.
    [2]
    $ scrim risk k-anonymity examples/clinic.csv --keys sex,sex
    scrim: --keys: names the column 'sex' twice.
    [2]

Nothing of this has left a file behind.

    $ ls
    empty.csv
    examples
    header.csv
    latin.csv
    nul.csv
    quote.csv
    ragged.csv
    s.yaml
    secret.csv
    twice.csv
    type.csv

A group without its method, a method without its group.

    $ scrim hierarchy
    scrim: hierarchy what? There is: build.
    [2]
    $ scrim ledger crate x.ledger
    scrim: ledger has no 'crate'. There is: create, account, bind, plan, show, head, verify, export.
    [2]
    $ scrim k-anonymity examples/clinic.csv --keys sex
    scrim: there is no command 'k-anonymity'. Did you mean 'risk k-anonymity'?
    [2]
    $ scrim methods bogus
    scrim: there is no command or group 'bogus'. `scrim methods` lists all methods.
    [2]
    $ scrim risk k-anonymity examples/clinic.csv --keys sex,
    scrim: --keys: an empty name is no column's.
    [2]

A parameter that would do nothing is not passed over in silence.

    $ scrim protect generalize examples/clinic.csv --keys sex,age --hierarchies examples/hierarchies --k 3 --delta-max 0.5
    scrim: --delta-max: has a meaning only with --population.
    [2]
    $ scrim protect mondrian examples/clinic.csv --keys sex,age --k 3 --definition entropy
    scrim: --definition: has a meaning only with --l.
    [2]
    $ scrim protect location examples/tracks.csv --lat lat --lon lon --method grid --inner 3
    scrim: --inner: has a meaning only with --method cloak or donut.
    [2]

A folder that is not there.

    $ scrim protect generalize examples/clinic.csv --keys sex,age --hierarchies nowhere --k 3
    scrim: nowhere: --hierarchies: cannot open: there is no such file.
    [2]

Expressions by other languages' rules.

    $ scrim risk k-anonymity examples/clinic.csv --keys sex --where 'age > 30 and sex == "f"'
    scrim: --where: expression "age > 30 and sex == "f"", at character 10: 'and' does not belong here. Write &.
    [2]
    $ scrim risk k-anonymity examples/clinic.csv --keys sex --where 'sex == f'
    scrim: --where: expression "sex == f", at character 8: there is no column 'f'. The first columns are 'id', 'name'. Text stands in quotes.
    [2]
    $ scrim protect noise examples/clinic.csv --vars income --amount 0.1 --seed 1 --seed-file s.seed
    scrim: only one of --seed and --seed-file can be given.
    [2]

What is charged for is seen: a release has a chart always, and where there can be none that is found before the debit.

    $ scrim release examples/clinic.csv --query "mean(age)" --bounds age:18:95 --epsilon 1 --no-ledger -o mean.svg --quiet > /dev/null; grep -c '<svg' mean.svg
    1
    $ scrim ledger create spent.ledger --budget epsilon=9 > /dev/null; scrim synth private examples/clinic.csv --schema examples/schema.yaml --epsilon 1 --ledger spent.ledger -o rows.svg
    scrim: there will be no chart for rows.svg; nothing was charged.
    [2]
    $ scrim ledger show spent.ledger --format json | grep -o '"spent": *"[^"]*"'
    "spent": "0"

Every declaration, for whoever makes something of them, is one list; so are those of a group.

    $ scrim methods --format json | python3 -c 'import json, sys; all = json.load(sys.stdin); print(len(all) == len({m["method"] for m in all}) > 100, all[0]["method"])'
    True risk.k-anonymity
    $ scrim methods scrub --format json | python3 -c 'import json, sys; print([m["method"] for m in json.load(sys.stdin)])'
    ['scrub.text', 'scrub.evaluate', 'scrub.facts', 'scrub.train', 'scrub.review', 'scrub.restore']

What bears on one of the four kinds of disclosure.

    $ scrim methods --kind population | head -2
    risk     population-uniques   Population uniqueness: estimated number of population uniques, by models of class sizes
    risk     log-linear           Risk of sample uniques under a log-linear model (Skinner–Shlomo)
    $ scrim methods attack --kind inferential --format json | python3 -c "import json, sys; print({m['group'] for m in json.load(sys.stdin)})"
    {'attack'}
    $ scrim methods synth --kind population --format json
    []
    $ scrim methods --kind foo
    scrim: --kind: there is no such kind of disclosure. It is one of identity, attribute, inferential and population.
    [2]

What a terminal obeys is written out, in errors and elsewhere.

    $ printf 'a\033]0;PWNED\007b,y\n1,x\n2,z\n' > e.csv; scrim risk k-anonymity e.csv --keys nope
    scrim: e.csv: --keys: there is no column 'nope'. The first columns are 'a\x1b]0;PWNED\x07b', 'y'.
    [2]
    $ scrim inspect "$(printf 'no\033[2Jfile.csv')"
    scrim: no\x1b[2Jfile.csv: cannot open: there is no such file.
    [2]
    $ scrim inspect e.csv --format text | grep -c "$(printf '\033')"
    0
    [1]
