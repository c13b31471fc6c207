# Tables in parts.

Tables in parts: the same bytes, the same words.

    $ scrim protect noise examples/clinic.csv --vars income,bmi --amount 0.1 --seed 3 -o whole.csv > whole.txt
    $ scrim protect noise examples/clinic.csv --vars income,bmi --amount 0.1 --seed 3 -o parts.csv --max-memory 64M --part-rows 7 > parts.txt
    $ cmp whole.csv parts.csv && cmp whole.txt parts.txt && ls
    examples
    parts.csv
    parts.csv.manifest.json
    parts.txt
    whole.csv
    whole.csv.manifest.json
    whole.txt
    $ gzip -kc examples/clinic.csv > c.csv.gz; scrim protect noise c.csv.gz --vars income,bmi --amount 0.1 --seed 3 -o packed.csv.gz --max-memory 1M --part-rows 100 > /dev/null; gunzip -c packed.csv.gz | cmp - whole.csv
    $ scrim risk k-anonymity examples/clinic.csv --keys sex,age,region -o k.csv > k.txt; scrim risk k-anonymity examples/clinic.csv --keys sex,age,region -o kp.csv --max-memory 64M --part-rows 11 | cmp - k.txt && cmp k.csv kp.csv

Where records of one kind lose different cells, in parts as otherwise.

    $ printf '%s\n' 'scrim protect "$@" -o w.csv > w.txt && scrim protect "$@" -o p.csv --max-memory 64M --part-rows 13 > p.txt && cmp w.csv p.csv && cmp w.txt p.txt && echo same' > both.sh
    $ bash both.sh suppress examples/clinic.csv --keys sex,age,region,education --k 3
    same
    $ bash both.sh generalize examples/clinic.csv --keys sex,age,region,education --hierarchies examples/hierarchies --k 5 --max-suppression 0.03
    same
    $ bash both.sh datafly examples/clinic.csv --keys sex,age,region --hierarchies examples/hierarchies --k 5 --max-suppression 0.05
    same
    $ bash both.sh argus examples/clinic.csv --keys sex,age,region,education --hierarchies examples/hierarchies --k 3 --combinations 2
    same
    $ scrim protect suppress examples/clinic.csv --keys sex,age --household hid --max-memory 64M -o h.csv; echo $?
    scrim: protect suppress needs the whole table here: --household blanks what its members have in common. Leave --max-memory out if the table fits into memory, or choose other options.
    2

Two tables side by side: of one length or not, other columns, packed, Arrow and databases; a table that is no release of the other is compared all the same.

    $ printf '%s\n' 'scrim utility compare "$@" --format json > w.json || exit 1; for n in 1 7 1000; do scrim utility compare "$@" --format json --max-memory 64M --part-rows $n | cmp - w.json || exit 1; done; echo same' > two.sh
    $ bash two.sh examples/clinic.csv examples/clinic-released.csv
    same
    $ bash two.sh examples/clinic-released.csv examples/clinic.csv --vars age,income,smoker,region
    same
    $ head -100 examples/clinic-released.csv > short.csv; bash two.sh examples/clinic.csv short.csv
    same
    $ gzip -kc examples/clinic-released.csv > r.csv.gz; bash two.sh examples/clinic.csv r.csv.gz
    same
    $ scrim convert examples/clinic-released.csv r.arrow > /dev/null; bash two.sh examples/clinic.csv r.arrow --vars age,income,region
    same
    $ scrim convert examples/clinic.csv 'sqlite:c.db#clinic' > /dev/null; bash two.sh 'sqlite:c.db#clinic' examples/clinic-released.csv --vars age,income,region
    same
    $ bash two.sh examples/clinic.csv examples/population.csv
    same
    $ printf 'sex,y\n' > none.csv; printf 'q\n1\n' > foreign.csv
    $ scrim utility compare examples/clinic.csv none.csv --max-memory 64M; echo $?
    scrim: none.csv: has a header and no records.
    2
    $ scrim utility compare examples/clinic.csv foreign.csv --max-memory 64M; echo $?
    scrim: the two tables have no column in common.
    2
    $ scrim utility compare examples/clinic.csv - --max-memory 64M < foreign.csv; echo $?
    scrim: standard input can be read once only, and a table in parts is read again. Save it to a file first.
    2
    $ scrim utility compare examples/clinic.csv examples/clinic-released.csv --where 'age > 40' --max-memory 64M; echo $?
    scrim: utility compare needs the whole table here: --where chooses records of both tables by the first. Leave --max-memory out if the table fits into memory, or choose other options.
    2
    $ (echo sex; for i in $(seq 40); do echo $((i % 2 + 1)); echo $((i % 3 + 1)); done) > codes.csv; sed 's/^\([12]\)$/\1.5/' codes.csv > halves.csv; scrim utility compare codes.csv halves.csv --max-memory 64M; echo $?
    scrim: column 'sex': holds codes in the original and decimals in the release: only the whole tables show whether it was recoded. Declare it as a number (--types sex:real), leave it out of --vars, or omit --max-memory.
    2
    $ bash two.sh codes.csv halves.csv --types sex:real
    same
    $ (seq -s, 33 | sed 's/[0-9]\+/c&/g'; seq -s, 33; seq -s, 34 66; seq -s, 2 34) > wide.csv; scrim utility compare wide.csv wide.csv --max-memory 64M; echo $?
    scrim: utility compare needs the whole table here: correlations of more than 32 numeric columns need all records at once (--vars names fewer). Leave --max-memory out if the table fits into memory, or choose other options.
    2
    $ scrim inspect none.csv > n.txt; scrim inspect none.csv --max-memory 64M | cmp - n.txt; echo $?
    0

To standard output: the same bytes, and nothing left behind.

    $ TMPDIR=. scrim protect noise examples/clinic.csv --vars income,bmi --amount 0.1 --seed 3 -o - --max-memory 64M --part-rows 7 | cmp - whole.csv; ls | grep -c 'scrim-\|table'
    0
    [1]

Arrow in parts: the same table, in batches; a part in which nothing was changed has whole numbers, and the others not.

    $ printf '%s\n' 'scrim protect "$@" --seed 3 -o w.csv > w.txt; for to in a.arrow a.arrows; do for n in 1 7 1000; do scrim protect "$@" --seed 3 -o $to --max-memory 64M --part-rows $n > p.txt && cmp w.txt p.txt && scrim convert $to b.csv > /dev/null && cmp w.csv b.csv || exit 1; done; done; echo same' > arrow.sh
    $ bash arrow.sh noise examples/clinic.csv --vars income,bmi --amount 0.1
    same
    $ bash arrow.sh top-bottom examples/clinic.csv --var age --top 80 --bottom 20 --replace label
    same
    $ bash arrow.sh suppress-records examples/clinic.csv --where 'age > 20'
    same
    $ bash arrow.sh suppress examples/clinic.csv --keys sex,age,region,education --k 3
    same

A file's types follow from all of it, and so does what is refused: "late" is no number in a column that has begun with one.

    $ printf 'k,n\n0,1\n1,2\nlate,3\nlate,word\n' > late.csv
    $ for n in 1 2 3; do scrim risk k-anonymity late.csv --keys k --where 'k == "late"' --max-memory 64M --part-rows $n -o late-parts.csv > /dev/null && cat late-parts.csv; done | sort | uniq -c | tr -s ' '
     3 0,1,,
     3 1,2,,
     3 k,n,fk,Fk
     3 late,3,2,2.0
     3 late,word,2,2.0
    $ scrim protect noise late.csv --vars n --amount 0.1 --max-memory 64M --part-rows 1 -o no.csv; echo $?
    scrim: {any}
    2

So do a database's: a part without a value, or with whole numbers alone, has the types of all.

    $ printf 'a,b,d\n1,,\n2,,\n,2.5,2001-02-03\n4,7,\n5,,2001-02-03\n' > some.csv; scrim convert some.csv 'sqlite:some.db#t' > /dev/null; scrim risk k-anonymity 'sqlite:some.db#t' --keys b,d -o some-whole.csv > /dev/null
    $ for n in 1 2 3; do scrim risk k-anonymity 'sqlite:some.db#t' --keys b,d -o some-parts.csv --max-memory 64M --part-rows $n > /dev/null; cmp some-whole.csv some-parts.csv; done

Which methods can.

    $ scrim methods --in-parts | grep -c 'by row\|by class'
    {any}
    $ scrim methods --in-parts | grep ' noise  \|k-anon'
    risk     k-anonymity          by class  Equivalence classes and k-anonymity: class sizes and sample uniques on the quasi-identifiers
    protect  suppress             by class  Local suppression: suppress as few cells as possible to reach k-anonymity, with a proven lower bound
    protect  generalize           by class  Optimal full-domain generalisation for k-anonymity, l-diversity, t-closeness or δ-presence
    protect  datafly              by class  Datafly: greedy full-domain generalisation to k-anonymity
    protect  noise                by row    Noise addition to numeric columns: independent, correlated, multiplicative or Laplace

A file is looked at in parts: the same words, whatever its words are taken for, and nothing where the whole is needed.

    $ scrim inspect examples/population.csv > look.txt; for n in 1 7 1000 100000; do scrim inspect examples/population.csv --max-memory 64M --part-rows $n | cmp - look.txt; done
    $ { echo id,city,name,code,seen,mail; seq 3000 | awk '{ print $1 ",c" $1 % 30 ",n" $1 * 9 % 1400 "," $1 * $1 % 5 ",2020-01-" 10 + $1 % 9 ",m" $1 "@example.org" }'; } > look.csv; scrim convert look.csv sqlite:look.db#t > /dev/null; scrim convert look.csv look.arrow > /dev/null
    $ for f in look.csv look.arrow sqlite:look.db#t 'look.csv --types city:text,code:integer'; do scrim inspect $f --format json > look.json; for n in 7 500 1500 3000; do scrim inspect $f --format json --max-memory 64M --part-rows $n | cmp - look.json; done; done
    $ scrim inspect look.csv -o a.csv > /dev/null; scrim inspect look.csv -o b.csv --max-memory 64M > /dev/null; cmp a.csv b.csv; grep -c , b.csv; grep 'name,\|mail,' b.csv
    7
    name,category,nominal,0,1400,0,,"many values: do they name or number people or places (identifiers, keys), or are they harmless (other)?"
    mail,text,nominal,0,3000,3000,identifiers,named like an e-mail address
    $ scrim inspect look.csv -o a.yaml > /dev/null; scrim inspect look.csv -o b.yaml --max-memory 64M > /dev/null; cmp a.yaml b.yaml
    $ scrim inspect look.csv --charts --max-memory 64M
    scrim: inspect needs the whole table here: --charts draws all its cells. Leave --max-memory out if the table fits into memory, or choose other options.
    [2]
    $ scrim inspect look.csv --where 'code > 1' --max-memory 64M
    scrim: inspect needs the whole table here: the words of all records, not of those that --where keeps, make text or categories. Leave --max-memory out if the table fits into memory, or choose other options.
    [2]
    $ { echo id; seq 200000; } > ids.csv; scrim inspect ids.csv --max-memory 1M; echo $?
    scrim: inspect has learned 1.17 MB from the first 12773 records, and --max-memory allows 0.524 MB for it. Allow more memory, or leave out columns that have almost as many values as records.
    3
    $ scrim methods --in-parts | grep inspect
             inspect              by row    Profile a file: types, missing, distinct and unique values, and suggested roles

What cannot be is refused before anything is written.

    $ scrim protect microaggregate examples/clinic.csv --vars income --max-memory 512M -o m.csv; echo $?; ls | grep -c m.csv
    scrim: protect microaggregate needs the whole table in memory, less than 1 MB before it begins. This table seems to fit: leave --max-memory out. Of protect, these run in parts: {any}.
    2
    0
    [1]
    $ scrim protect noise examples/clinic.csv --vars income --amount 0.1 --max-memory 64M -o out.parquet; echo $?
    scrim: out.parquet: in parts a table is written as CSV (.csv, .tsv, also .gz or .zst) or as Arrow (.arrow, .arrows). scrim convert makes any other format of them.
    2
    $ cat examples/clinic.csv | scrim risk k-anonymity - --keys sex --max-memory 64M; echo $?
    scrim: standard input can be read once only, and a table in parts is read again. Save it to a file first.
    2
    $ scrim risk k-anonymity examples/clinic.csv --keys sex --max-memory lots; echo $?
    scrim: --max-memory: expects a size of at least 1M. Like 512M or 2G.
    2
    $ scrim risk k-anonymity examples/clinic.csv --keys sex --part-rows 7; echo $?
    scrim: --part-rows has a meaning only with --max-memory.
    2
    $ cp examples/clinic.csv in.csv; scrim protect noise in.csv --vars income --amount 0.1 --max-memory 64M -o in.csv; echo $?; cmp in.csv examples/clinic.csv
    scrim: in.csv: is an input of this command, and would be overwritten. Choose another output file.
    2

Per-record columns stand behind the input's own, and take the place of none.

    $ printf 'a,fk\n1,keep\n1,me\n2,x\n' > own.csv
    $ scrim risk k-anonymity own.csv --keys a -o whole.csv > /dev/null; scrim risk k-anonymity own.csv --keys a --max-memory 64M -o parts.csv > /dev/null
    $ cat parts.csv; cmp whole.csv parts.csv
    a,fk,fk_2,Fk
    1,keep,2,2.0
    1,me,2,2.0
    2,x,1,1.0

The edition for everyone is made of a result whose records were written as they were made, too.

    $ scrim protect noise examples/clinic.csv --vars income --amount 0.1 --max-memory 64M --public -o o.csv --seed 1 | tail -1
    Output (-o FILE): 300 rows, 22 columns
    $ rm o.csv o.csv.manifest.json

A part that is bad leaves the old output whole and nothing beside it.

    $ printf 'a,b\n' > bad.csv; seq 1 400 | sed 's/$/,1/' >> bad.csv; echo '5' >> bad.csv; echo old > o.csv
    $ scrim protect noise bad.csv --vars a --amount 0.1 --max-memory 1M --part-rows 50 -o o.csv; echo $?; cat o.csv; ls -a | grep -c scrim-
    scrim: bad.csv, line 402, character 2: this record has 1 field, the header has 2. {any}
    2
    old
    0
    [1]

A disk that fills while it is written to leaves the old output whole, too.

    $ (echo x; seq 1 60000) > long.csv; (ulimit -f 100; scrim protect noise long.csv --vars x --amount 0.1 --max-memory 1M --part-rows 5000 -o o.csv); echo $?; cat o.csv; ls -a | grep -c 'scrim-\|o.csv.'
    scrim: o.csv: cannot write: File too large.
    1
    old
    0
    [1]

A release in parts: the answers of the whole for the noise of a test; the ledger is debited once, and knows the data again however they came.

    $ printf '%s\n' 'scrim release query examples/clinic.csv "$@" --no-ledger --insecure-reproducible --seed 4 --format json > w.json; for n in 1 7 1000; do scrim release query examples/clinic.csv "$@" --no-ledger --insecure-reproducible --seed 4 --format json --max-memory 64M --part-rows $n > p.json; cmp w.json p.json || exit 1; done; echo same' > released.sh
    $ bash released.sh --query 'count(); mean(age); variance(age) where sex == "f"; sd(income) by region; histogram(smoker)' --bounds age:18:95,income:0:200000,smoker:0:1 --epsilon 5 --delta 0.0001
    same
    $ printf 'unit: replace-one\ncolumns:\n  age: {type: integer, bounds: [0, 100], missing: possible}\n  sex: {categories: [f, m]}\n  region: {categories: [north, other]}\n' > schema.yaml
    $ bash released.sh --schema schema.yaml --query 'mean(age) by sex, region; chisq(sex, region); count() where age > 50' --epsilon 5
    same
    $ scrim ledger create l.ledger --budget epsilon=1 > /dev/null
    $ scrim release query examples/clinic.csv --query 'mean(age)' --bounds age:18:95 --epsilon 0.6 --ledger l.ledger --max-memory 64M --part-rows 50 --format json > first.json; scrim release query examples/clinic.csv --query 'mean(age)' --bounds age:18:95 --epsilon 0.6 --ledger l.ledger --format json > again.json
    $ python3 -c 'import json; a, b = (json.load(open(n)) for n in ("first.json", "again.json")); print(a["values"]["charged"], a["values"]["left"], b["values"]["charged"], a["tables"]["answers"] == b["tables"]["answers"])'
    0.6 0.4 0 True
    $ scrim release query examples/clinic.csv --query 'mean(age)' --bounds age:18:95 --epsilon 0.5 --ledger l.ledger --max-memory 64M; echo $?
    scrim: the budget is too small: this release costs 0.5, and 0.4 remains. Nothing was charged or released.
    3
    $ sed 's/$/,0/' examples/clinic.csv > other.csv; scrim release query other.csv --query 'mean(age)' --bounds age:18:95 --epsilon 0.1 --ledger l.ledger --max-memory 64M; echo $?
    scrim: this ledger is bound to another data set. Nothing was charged or released. A ledger belongs to one data set, one schema and one definition of a person. Use another ledger for another data set. If this is a new version of the same data set, register it with `scrim ledger bind`.
    3
    $ scrim release query examples/clinic.csv --query 'median(age)' --bounds age:18:95 --epsilon 1 --no-ledger --max-memory 64M; echo $?
    scrim: release query needs the whole table here: medians, quantiles and trimmed means need the order of all values. Leave --max-memory out if the table fits into memory, or choose other options.
    2
    $ scrim release query examples/clinic.csv --query 'mean(age)' --bounds age:18:95 --person id --epsilon 1 --no-ledger --max-memory 64M; echo $?
    scrim: release query needs the whole table here: the records of a person may lie in any part of the table. Leave --max-memory out if the table fits into memory, or choose other options.
    2

Where the distinct tuples outgrow their half of the memory they are laid aside on disk, in files that have no name; where even their rows would not fit, it is said.

    $ awk 'BEGIN { print "a,b,w"; for (i = 0; i < 60000; i++) print "the municipality with the number " i % 211 ",an occupation with a name of its own " (i * 7) % 113 "," 1 + i % 10 / 10 }' > many.csv
    $ scrim risk k-anonymity many.csv --keys a,b --weight w -o w.csv > w.txt; scrim risk k-anonymity many.csv --keys a,b --weight w -o p.csv --max-memory 6M > p.txt; cmp w.csv p.csv && cmp w.txt p.txt && ls -A | grep -c scrim-
    0
    [1]
    $ scrim risk k-anonymity many.csv --keys a,b --max-memory 1M -o p.csv; echo $?; cmp w.csv p.csv
    scrim: risk k-anonymity would run on 23843 distinct tuples, which take some {any} MB, and --max-memory allows 1.05 MB. The keys tell too many records apart: recode them, name fewer, or allow more memory.
    3

A disk that fills meanwhile: one sentence, the old output whole, nothing left.

    $ mkdir full; cp w.csv full/p.csv; (trap '' XFSZ; ulimit -f 300; scrim risk k-anonymity many.csv --keys a,b --weight w -o full/p.csv --max-memory 6M > /dev/null); echo $?; cmp w.csv full/p.csv; ls -A full
    scrim: what was learned cannot be laid aside: File too large. It is laid aside beside the output, or in TMPDIR. Make room there, or allow more memory.
    1
    p.csv
