# What is promised, and nothing beside it: all tables of a small universe look alike but for what was drawn.

Every table of no, one or two records out of six, odd cells among them. ρ is so small that the noise alone speaks; what is then visible (what is printed, exit codes, pages, manifests, modes, names of files) is the same for all, or follows from the rows
that were drawn.

    $ cat > all.sh <<'X'
    > printf 'unit: add-remove\ncolumns:\n  sex: {categories: [f, m]}\n  age: {type: integer, bounds: [0, 1]}\n' > s.yaml
    > hide() { sed -E 's/(o\.csv"?,? .*)[0-9a-f]{64}/\1/'; }
    > see() { # a folder of its own; "$@" is run in it
    >   mkdir w; printf 'sex,age\n' > w/t.csv; for r in $rows; do echo "$r" >> w/t.csv; done; cp s.yaml r.yaml w 2> /dev/null
    >   (cd w; "$@" > printed 2> said; echo $? > code; stat -c '%a %n' * > modes; rm t.csv)
    >   drawn=$(cat w/o.csv 2> /dev/null | cksum); rm -f w/o.csv
    >   echo "$(cd w; cat printed said code modes *.json *.html 2> /dev/null | hide | cksum) of $drawn" >> seen; rm -r w
    > }
    > c='f,0 f,1 m,0 m,1 zz,7 ,'
    > rm -f seen; rows=; see "$@"
    > for a in $c; do rows=$a; see "$@"; for b in $c; do [[ $a > $b ]] || { rows="$a $b"; see "$@"; }; done; done
    > echo "$(wc -l < seen) tables; looks beside what was drawn: $(sort -u seen | cut -d' ' -f4- | sort | uniq -c | awk '$1 > n { n = $1 } END { print n }')"
    > X
    $ private='--schema s.yaml --method mst --zcdp 1e-9 --n 3 --insecure-reproducible --seed 7 --no-ledger'
    > bash all.sh scrim synth private t.csv $private -o o.csv -o o.json -o o.html
    28 tables; looks beside what was drawn: 1
    $ printf 'input: t.csv\nroles: {keys: [sex, age]}\nsteps:\n  - synth.private: {schema: s.yaml, method: mst, zcdp: 1e-9, n: 3, insecure-reproducible: true, no-ledger: true}\noutput: o.csv\n' > r.yaml
    $ bash all.sh scrim run r.yaml --seed 7 --all --report page.html
    28 tables; looks beside what was drawn: 1
    $ printf 'policy: {rules: [risk.residual.count <= 9]}\n' >> r.yaml; bash all.sh scrim run r.yaml --seed 7 --format json --report page.html --public
    28 tables; looks beside what was drawn: 1

Steps before the promise: how many records their tables have is told neither as JSON nor on the page.

    $ printf 'input: t.csv\nroles: {keys: [sex, age]}\nsteps:\n  - protect.recode: {var: sex, merge: "f=f;m=m"}\n  - protect.reorder\n  - synth.private: {schema: s.yaml, method: mst, zcdp: 1e-9, n: 3, insecure-reproducible: true, no-ledger: true}\noutput: o.csv\n' > r.yaml
    $ bash all.sh scrim run r.yaml --seed 7 --format json --report page.html
    28 tables; looks beside what was drawn: 1

A recipe of answers alone: nothing else goes out, and an input without records is answered, too.

    $ printf 'input: t.csv\nroles: {keys: [sex, age]}\nsteps:\n  - release.query: {schema: s.yaml, unit: add-remove, query: "count() by sex", epsilon: 1, no-ledger: true}\n  - release.query: {schema: s.yaml, unit: add-remove, query: "count() by sex", epsilon: 1, no-ledger: true}\n' > r.yaml
    $ cat > answers.sh <<'X'
    > scrim run r.yaml --all; scrim run r.yaml --format json | sed -E 's/(\["count\(\) by sex", "sex = .").*/\1/; s/"y": [^ ]*/"y"/'
    > X
    $ bash all.sh bash ../answers.sh
    28 tables; looks beside what was drawn: 1
    $ mkdir e; cp s.yaml r.yaml e; cd e; echo sex,age > t.csv; scrim run r.yaml --all; scrim run r.yaml -o o.csv
    Release by r.yaml
    Only the answers of its steps are released: no step makes a table.
    
    scrim 0.1.0
    scrim: r.yaml: no step makes a table: the output would be the unprotected input. The answers stand in the report (--report) and in --format json.
    [2]

    $ printf 'policy: {rules: [risk.k-anonymity.k >= 2 at step 2]}\n' >> r.yaml; scrim run r.yaml
    scrim: r.yaml, line 6: the rule would judge the table that is asked by release.query and disclose what the formal guarantee hides. Leave the rule out: no table is released.
    [2]
    $ cd ..

A table of counts: neighbours have the same codes, and a count that differs by one record. No column is said to have come out as it was.

    $ for n in 4 5; do printf 'sex,count\nf,'$n'\nm,3\nTotal,'$((n + 3))'\n' > c.csv; scrim tabular noise c.csv --zcdp 900 --no-ledger -o d.csv > $n.txt; sed -E 's/"[0-9a-f]{64}"/hash/' d.csv.manifest.json > $n.json; done; cmp 4.txt 5.txt && cmp 4.json 5.json; grep -A1 -e '"perturbed_columns"' -e '"input"' 4.json
      "perturbed_columns": ["sex", "count"],
      "folder": "",
      "input": {"file": "c.csv"},
      "output": {"file": "d.csv", "blake2b": hash, "rows": 3, "columns": 2},
    $ scrim tabular noise c.csv --zcdp 1 --no-ledger --where 'count > 3'
    scrim: --where: cannot be used with tabular noise, because its content is not public. Leave it out, and filter the released table.
    [2]

What a step found before the promise is not told; a rule on such a table is refused.

    $ printf 'sex,age\nf,0\nm,1\nm,0\n' > t.csv; printf 'unit: add-remove\ncolumns:\n  sex: {categories: [f, m]}\n  age: {type: integer, bounds: [0, 1]}\n' > s.yaml
    $ printf 'input: t.csv\nsteps:\n  - protect.recode: {var: age, breaks: [0, 1]}\n  - synth.private: {schema: s.yaml, method: mst, zcdp: 0.1, no-ledger: true}\noutput: o.csv\n' > r.yaml; scrim run r.yaml > /dev/null
    $ grep -e '"method"' -e '"values"' -e '"notes"' o.csv.manifest.json
        {"method": "protect.recode",
         "values": {},
         "notes": ["The results of this step are not shown: they depend on records that the formal guarantee hides."]},
        {"method": "synth.private",
         "params": {"schema": "s.yaml", "method": "mst", "zcdp": 0.1, "no-ledger": "true"},
         "values": {"zcdp": 0.1, {any}
         "notes": ["Differentially private: the table is drawn from marginals with exact discrete Gaussian noise; one record added or removed moves what is released by no more than the promise says.", "No ledger was charged. Several releases about the same people add up, and their total is not recorded.", "The guarantee holds for the records of the input: each earlier step (protect.recode) makes each of its records from one record, so one changed record changes one record of the protected table."]}
      "notes": ["The guarantee holds for the records of the input: each earlier step (protect.recode) makes each of its records from one record, so one changed record changes one record of the protected table.", "Nothing here compares with the input, because the guarantee would not cover it. The data custodian can compare with utility compare, utility contingency or audit --original."]
    $ ls o*; scrim run o.csv.manifest.json; scrim run o.csv.manifest.json -o again.csv > /dev/null
    o.csv
    o.csv.manifest.json
    scrim: o.csv: draws random numbers, and with noise that has no seed a repeated run would replace it by another release. -o writes a new one elsewhere, at the price of a new release.
    $ printf 'policy: {rules: [risk.residual.count <= 9 at step 1]}\n' >> r.yaml; scrim run r.yaml
    scrim: r.yaml, line 6: the rule would judge a table before synth.private and disclose what the formal guarantee hides. Judge what comes out: leave 'at' out.
    [2]

Nor may a policy or a role name the input again, a later step be given it, or a step measure what none may be told of: its errors would tell.

    $ private='  - synth.private: {schema: s.yaml, method: mst, zcdp: 0.1, no-ledger: true}\n'
    > for r in "steps:\n${private}policy:\n  rules: [risk.residual.count <= 9]\n  params:\n    risk.residual: {original: t.csv}\n" "roles: {population: t.csv}\nsteps:\n$private" "steps:\n$private  - protect.recode: {var: age, map: t.csv}\n" "steps:\n$private  - utility.compare: {original: t.csv}\n" "steps:\n  - risk.detail\n$private" "steps:\n  - risk.detail\n  - release.query: {query: count(), epsilon: 1, no-ledger: true}\n"; do printf "input: t.csv\n$r" > r.yaml; scrim run r.yaml; done
    scrim: r.yaml, line 7: the recipe names the input, and its result would disclose what synth.private hides. Leave it out, and compare with the input separately.
    scrim: r.yaml, line 2: the recipe names the input, and its result would disclose what synth.private hides. Leave it out, and compare with the input separately.
    scrim: r.yaml, line 4: protect.recode would make the release from the input, which synth.private hides. Leave the input out: only the protected table may be used.
    scrim: r.yaml, line 4: utility.compare would compute what synth.private hides, and its result could not be shown. Leave the step out, and measure the input separately.
    scrim: r.yaml, line 3: risk.detail would compute what synth.private hides, and its result could not be shown. Leave the step out, and measure the input separately.
    scrim: r.yaml, line 3: risk.detail would compute what release.query hides, and its result could not be shown. Leave the step out, and measure the input separately.
    [2]

Readers know the release by its manifest, and refuse it when it was changed.

    $ scrim risk k-anonymity o.csv --keys sex; echo m,1 >> o.csv; scrim risk k-anonymity o.csv --keys sex
    scrim: this table was perturbed: risk k-anonymity counts frequencies, which no longer show its risk. Use risk linkage, which compares with the original, or --force to compute it nevertheless.
    scrim: o.csv.manifest.json: is not of the table beside it, whose bytes have changed: a run was cut short, or one of the two was replaced. Make the table again, or remove the manifest if it does not belong to it.
    [2]

A noisy table is paid for before it is drawn: what is left is told, a request is not paid twice nor answered twice, and what is not covered is not drawn.

    $ printf 'sex,count\nf,4\nm,3\nTotal,7\n' > c.csv; scrim ledger create c.ledger --budget zcdp=1 > /dev/null
    $ scrim tabular noise c.csv --zcdp 0.25 --ledger c.ledger --request first -o d.csv | grep -E '^  (charged|left)'
      charged  0.25      Charge to the ledger
      left     0.75      Remaining budget in the ledger
    $ scrim tabular noise c.csv --zcdp 0.25 --ledger c.ledger --request first -o e.csv
    scrim: the request id was used before, and the ledger does not hold the answer. Nothing was charged or released. Use the earlier answer. Another id draws new noise and is charged.
    [2]
    $ scrim tabular noise c.csv --zcdp 0.8 --ledger c.ledger -o e.csv
    scrim: the budget is too small: this release costs 0.8, and 0.75 remains. Nothing was charged or released.
    [3]
    $ ls e.csv; scrim ledger show c.ledger | grep -E '^  (spent|left) '
    ls: cannot access 'e.csv': No such file or directory
      spent                0.25         Charged so far
      left                 0.75         Remaining budget

A promise is about the records of the input only where each step before looks at one record alone; else it is refused before any data is read.

    $ for step in 'protect.microaggregate: {vars: [age], k: 3}' 'protect.recode: {var: age, min-count: 3}' 'protect.top-bottom: {var: age, top-quantile: 0.9}' 'protect.noise: {vars: [age], amount: 0.1}' 'protect.top-bottom: {var: age, top: 1}'; do printf 'input: t.csv\nsteps:\n  - %s\n  - synth.private: {schema: s.yaml, method: mst, zcdp: 0.1, no-ledger: true}\noutput: q.csv\n' "$step" > r.yaml; scrim run r.yaml --all 2>&1 | tr -s '\n ' ' ' | grep -o -E 'makes a record from several|The guarantee holds for the records of the input'; done
    makes a record from several
    makes a record from several
    makes a record from several
    makes a record from several
    The guarantee holds for the records of the input

A cell whose bytes are no text ends nothing where a schema says what can be in it.

    $ printf 'sex,age\nf,1\n\377\376,0\nm,\351\n' > t.csv; scrim release t.csv --schema s.yaml --unit add-remove --query 'count() by sex' --epsilon 1 --no-ledger > /dev/null; echo $?; scrim synth private t.csv --schema s.yaml --method mst --zcdp 0.1 --no-ledger -o q.csv > /dev/null; echo $?
    0
    0

A cell that is no UTF-8 ends no release: a schema decides about it, without one it is missing. At once, in parts, and in a recipe.

    $ printf 'unit: add-remove\ncolumns:\n  sex: {categories: [f, m]}\n  age: {type: integer, bounds: [0, 1]}\n' > s.yaml; (echo sex,age; for i in 1 2 3 4 5 6; do echo f,1; done; printf 'f,1\xff\n"\xffm",0\n') > odd.csv
    $ for how in '' '--max-memory 99M' '--schema s.yaml' '--schema s.yaml --max-memory 99M'; do scrim release odd.csv --query 'mean(age) where sex == "f"; count()' --bounds age:0:1 --epsilon 900 --unit add-remove --no-ledger --format json $how | grep -c '", 8, 8, 8,'; done
    1
    1
    1
    1
    $ printf 'input: odd.csv\nroles: {keys: [sex]}\nsteps:\n  - protect.reorder\n  - synth.private: {schema: s.yaml, method: mst, zcdp: 900, n: 8, no-ledger: true}\noutput: o.csv\n' > r.yaml; scrim run r.yaml > /dev/null; sort o.csv | uniq -c
          2 f,0
          6 f,1
          1 sex,age
    $ python3 -c 'import sqlite3; c = sqlite3.connect("odd.db"); c.execute("create table t (sex text, age)"); c.execute("insert into t values (?, 1), (cast(? as text), 0), (?, 1)", ("f", b"m\xff", b"f\0")); c.commit()'; for how in '' '--schema s.yaml'; do scrim release 'sqlite:odd.db#t' --query 'count()' --epsilon 900 --unit add-remove --no-ledger --format json $how | grep -c '", 3, 3, 3,'; done
    1
    1
    $ scrim risk k-anonymity odd.csv --keys sex; scrim risk k-anonymity 'sqlite:odd.db#t' --keys sex
    scrim: odd.csv, line 8, character 4: this is not UTF-8. Say how the file is encoded, for instance with --encoding latin1.
    scrim: sqlite:odd.db#t, record 2, column 'sex': holds bytes that are not text.
    [2]
