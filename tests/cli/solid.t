# Nothing that a command reads is lost, what it writes changes together, and one seed is not two.

    $ for m in "inspect a.csv" "risk k-anonymity a.csv --keys sex" "utility compare a.csv b.csv --vars age" "attack homogeneity a.csv --keys sex --sensitive diagnosis"; do cp examples/clinic.csv a.csv; cp examples/clinic.csv b.csv; scrim $m -o a.csv > /dev/null 2>&1; echo $?; cmp a.csv examples/clinic.csv; done
    2
    2
    2
    2
    $ scrim utility compare a.csv b.csv --vars age -o b.csv > /dev/null; cmp b.csv a.csv
    scrim: b.csv: is an input of this command, and would be overwritten. Choose another output file.
    $ scrim convert a.csv a.csv
    scrim: a.csv: is an input of this command, and would be overwritten. Choose another output file.
    [2]
    $ printf 'input: a.csv\nroles: {keys: [sex, age]}\nsteps:\n  - protect.noise: {vars: [income], amount: 0.1}\noutput: o.csv\n' > r.yaml; scrim run r.yaml --report r.yaml > /dev/null; scrim run r.yaml -o o.csv --report o.csv > /dev/null; ls o.csv
    scrim: r.yaml: is an input of this command, and would be overwritten. Choose another output file.
    scrim: o.csv: is written twice by this command. Give each thing that is made a file of its own.
    ls: cannot access 'o.csv': No such file or directory
    [2]

Nor what is read without being named: a file of a folder of hierarchies, what a recipe or a file of holders names, the manifest beside a table; nor by a name that the command makes itself.

    $ cp -r examples/hierarchies .; cp examples/policy.yaml examples/holders.yaml examples/clinic-released.csv .; scrim protect datafly a.csv --keys sex,age --k 3 --hierarchies hierarchies -o hierarchies/age.csv; scrim attack similarity a.csv --keys sex --sensitive occupation --hierarchies hierarchies -o ./hierarchies/sex.csv
    scrim: hierarchies/age.csv: is an input of this command, and would be overwritten. Choose another output file.
    scrim: ./hierarchies/sex.csv: is an input of this command, and would be overwritten. Choose another output file.
    [2]
    $ printf 'input: a.csv\nroles: {keys: [sex, age]}\npolicy: policy.yaml\nsteps:\n  - protect.datafly: {hierarchies: hierarchies, k: 3}\n' > p.yaml; scrim run p.yaml -o o.csv --report policy.yaml > /dev/null; scrim run p.yaml -o hierarchies/age.csv > /dev/null
    scrim: policy.yaml: is read by this command, and would be lost. Write what is made to a file of its own.
    scrim: hierarchies/age.csv: is read by this command, and would be lost. Write what is made to a file of its own.
    [2]
    $ ln -s clinic-released.csv h.html; ln -s examples/roles.yaml l.html; scrim audit a.csv --roles examples/roles.yaml --holders holders.yaml --only risk.k-anonymity -o h.html --quiet > /dev/null; scrim risk k-anonymity a.csv --roles examples/roles.yaml -o l.html
    scrim: h.html: is read by this command, and would be lost. Write what is made to a file of its own.
    scrim: l.html: is an input of this command, and would be overwritten. Choose another output file.
    [2]
    $ cp a.csv m-2.csv; scrim synth cart m-2.csv --vars sex,smoker --m 2 --seed 1 -o m.csv > /dev/null; scrim protect microaggregate a.csv --vars income --k 3 -o g.csv > /dev/null; scrim risk k-anonymity g.csv --keys sex -o g.csv.manifest.json; cmp m-2.csv a.csv; diff -r hierarchies examples/hierarchies; for f in policy.yaml holders.yaml clinic-released.csv; do cmp $f examples/$f; done; ls m.csv
    scrim: m-2.csv: is read by this command, and would be lost. Write what is made to a file of its own.
    scrim: g.csv.manifest.json: is an input of this command, and would be overwritten. Choose another output file.
    ls: cannot access 'm.csv': No such file or directory
    [2]

That a folder is called like a column is no reason to refuse.

    $ mkdir region; for i in 1 2; do scrim tabular export examples/table.csv --unprotected --across region -o region/t.csv > /dev/null; done; rm -r region hierarchies policy.yaml holders.yaml clinic-released.csv m-2.csv p.yaml g.csv g.csv.manifest.json h.html l.html

What a killed run left before it had committed goes with the next run; what it had is finished by tests/fault/commits.py's rules.

    $ mkdir -m 700 .scrim-0123456789abcdef; touch .scrim-0123456789abcdef/.lock; echo half > .scrim-0123456789abcdef/o.csv; scrim run r.yaml > /dev/null; ls -A | grep -v "examples\|.bin"
    a.csv
    b.csv
    o.csv
    o.csv.manifest.json
    o.csv.seed
    r.yaml

All that -o names is written, or none of it.

    $ scrim protect noise a.csv --vars income --amount 0.1 --seed 1 -o t.csv -o t.json -o nowhere/t.html; ls t.*; scrim risk k-anonymity a.csv --keys sex -o t.csv -o t.html -o t.csv; ls t.*
    scrim: nowhere/t.html: cannot write: there is no such folder.
    ls: cannot access 't.*': No such file or directory
    scrim: t.csv: is written twice by this command. Give each thing that is made a file of its own.
    ls: cannot access 't.*': No such file or directory
    [2]
    $ scrim risk suda a.csv --keys sex,age -o t.json -o sqlite:t.sqlite#t -o t.csv -o t.html > /dev/null; ls t.*; rm t.*
    t.csv
    t.html
    t.json
    t.sqlite

In parts, too; and single records are for nobody but their keeper.

    $ scrim protect suppress a.csv --keys sex,region --k 3 --max-memory 64M --part-rows 50 -o t.csv -o nowhere/t.html; ls t.csv; scrim protect suppress a.csv --keys sex,region --k 3 --max-memory 64M --part-rows 50 -o t.csv > /dev/full; ls t.csv; rm t.csv*
    scrim: nowhere/t.html: cannot write: there is no such folder.
    ls: cannot access 't.csv': No such file or directory
    scrim: cannot write to standard output: No space left on device. The output is complete.
    t.csv
    $ for o in p.csv -; do scrim risk k-anonymity a.csv --keys sex,age --public --max-memory 64M -o $o; done; ls p.csv; scrim protect suppress a.csv --keys sex,region --k 3 --public --max-memory 64M -o p.csv -o p.html -o p.svg > /dev/null; ls p.*; rm p.*
    scrim: an edition for everyone has nothing of single records. Use -o with .html or .json for the result itself.
    scrim: an edition for everyone has nothing of single records. Use -o with .html or .json for the result itself.
    ls: cannot access 'p.csv': No such file or directory
    p.csv
    p.csv.manifest.json
    p.html
    p.svg

A manifest speaks of the bytes it was written with.

    $ sed -i 2d o.csv; scrim risk k-anonymity o.csv --keys sex
    scrim: o.csv.manifest.json: is not of the table beside it, whose bytes have changed: a run was cut short, or one of the two was replaced. Make the table again, or remove the manifest if it does not belong to it.
    [2]

One seed, two amounts: other numbers are drawn, and the same call gives the same bytes.

    $ for a in 0.1 0.2; do scrim protect noise a.csv --vars income --amount $a --seed 5 -o n$a.csv > /dev/null; done; scrim protect noise b.csv --vars income --amount 0.1 --seed 5 -o m.csv > /dev/null; cmp n0.1.csv m.csv && echo same
    same
    $ scrim protect noise a.csv --vars income --amount 0.1 --seed-file k -o k.csv > /dev/null; chmod 644 k; scrim protect noise a.csv --vars income --amount 0.1 --seed-file k -o k.csv
    scrim: k: others can read this seed, and with it undo the randomness. chmod 600 k, or let another be made where there is none.
    [2]

Records are no easier to read than where they came from; a password is not repeated.

    $ chmod 600 a.csv; scrim risk k-anonymity a.csv --keys sex -o per.csv > /dev/null; scrim convert a.csv copy.tsv > /dev/null; stat -c %a per.csv copy.tsv
    600
    600
    $ scrim convert a.csv sqlite:copy.sqlite#t > /dev/null; scrim synth cart a.csv --vars sex,smoker --save-model --seed 1 -o model.csv > /dev/null; scrim risk k-anonymity a.csv --keys sex --show-records -o page.html > /dev/null; cp examples/notes.csv n.csv; chmod 600 n.csv; scrim scrub text n.csv --columns note --seed 1 --finds -o clean.csv -o finds.csv > /dev/null; stat -c %a copy.sqlite model.csv page.html finds.csv
    600
    600
    600
    600
    $ umask 022; scrim tabular build a.csv --dims sex,region --response income -o cells.csv > /dev/null; scrim tabular primary cells.csv --threshold 3 -o marked.csv > /dev/null; stat -c %a cells.csv marked.csv
    600
    600
By one rule, from the declaration, wherever the table came from and whoever writes: what is made to be given away follows the umask; a page about it, a recipe's report, records of a query do not.

    $ umask 022; printf 'input: a.csv\nroles: {keys: [sex, age, region], sensitive: [diagnosis], identifiers: [id, name, phone]}\nsteps:\n  - protect.suppress: {k: 3}\noutput: rel.csv\nreport: rep.html\n' > s.yaml; scrim run s.yaml > /dev/null; scrim run s.yaml --public --report pub.html > /dev/null; scrim protect suppress a.csv --keys sex,region --k 3 --max-memory 64M -o parts.csv -o parts.html > /dev/null; stat -c '%a %n' rel.csv rep.html pub.html parts.csv parts.html
    644 rel.csv
    600 rep.html
    644 pub.html
    644 parts.csv
    600 parts.html
    $ scrim risk k-anonymity "sqlite:copy.sqlite#t" --keys sex -o q.csv -o q.html > /dev/null; scrim convert "sqlite:copy.sqlite?query=select sex from t" q.tsv > /dev/null; scrim risk k-anonymity a.csv --keys sex --max-memory 64M -o f.csv > /dev/null; stat -c '%a %n' q.csv q.html q.tsv f.csv
    600 q.csv
    600 q.html
    600 q.tsv
    600 f.csv
    $ umask 022; scrim protect microaggregate a.csv --vars income --k 3 -o given.csv -o given.html > /dev/null; scrim risk k-anonymity b.csv --keys sex -o open.html > /dev/null; stat -c %a given.csv given.html open.html
    644
    600
    644
    $ umask 022; scrim tabular build 'sqlite:copy.sqlite#t' --dims sex,region -o m1.csv > /dev/null; scrim risk k-anonymity 'sqlite:copy.sqlite?query=select * from t' --keys sex -o m2.csv > /dev/null; scrim risk k-anonymity 'sqlite:copy.sqlite#t' --keys sex --max-memory 64M --part-rows 50 -o m3.csv > /dev/null; scrim synth cart 'sqlite:copy.sqlite#t' --vars sex,smoker --save-model --seed 1 -o m4.csv > /dev/null; scrim convert 'sqlite:copy.sqlite#t' m5.csv > /dev/null; scrim convert n.csv 'sqlite:n.sqlite#n' > /dev/null; scrim scrub text 'sqlite:n.sqlite#n' --columns note --seed 1 --finds -o m6.csv -o m7.csv > /dev/null; stat -c %a m?.csv | uniq -c | tr -s ' '
     5 600
     1 644
     1 600
    $ umask 022; gzip -c a.csv > a.csv.gz; chmod 640 a.csv.gz; scrim risk k-anonymity a.csv.gz --keys sex -o g1.csv > /dev/null; scrim risk k-anonymity - --keys sex -o g2.csv < a.csv > /dev/null; scrim risk k-anonymity a.csv --keys sex --max-memory 64M --part-rows 50 -o g3.csv > /dev/null; printf '<SEPARATOR> ","\nsex 1\n<RECODEABLE>\n<TOTCODE> "T"\nn 5\n<NUMERIC>\n' > t.rda; printf '"T",3\n"m",2\n"f",1\n' > t.tab; chmod 644 t.rda; chmod 600 t.tab; scrim tabular import t.rda -o g4.csv > /dev/null; stat -c %a g?.csv
    640
    600
    600
    600
    $ umask 022; printf 'input: a.csv\nroles: {keys: [sex]}\nsteps:\n  - tabular.build: {dims: [sex, region]}\n' > w.yaml; scrim run w.yaml -o w.csv > /dev/null; scrim plan a.csv --roles examples/roles.yaml --candidates 10 -o w > /dev/null; scrim protect suppress a.csv --keys sex --k 3 --max-memory 64M -o given.csv > /dev/null; stat -c %a w.csv w/plan.html given.csv
    600
    600
    644
    $ scrim risk k-anonymity - --keys sex -o a.csv < a.csv; scrim risk k-anonymity 'sqlite:copy.sqlite?query=select * from t' --keys sex -o copy.sqlite
    scrim: a.csv: is an input of this command, and would be overwritten. Choose another output file.
    scrim: copy.sqlite: is an input of this command, and would be overwritten. Choose another output file.
    [2]
    $ scrim ledger show 'host=127.0.0.1 port=1 user=bob password=hunter2' 2>&1 | grep -c hunter2
    0
    [1]
    $ for a in 'postgres://bob:hunter2@127.0.0.1:1/db#t' 'postgres://127.0.0.1:1/db?user=bob&pass%77ord=hunter2#t' "host=127.0.0.1 PassWord = 'hunter2'" 'postgres:/bob:hunter2@h/db' 'POSTGRES://bob:hunter2@h/db'; do printf 'input: a.csv\nroles: {keys: [sex], population: "%s"}\nsteps:\n  - protect.suppress: {k: 3}\n' "$a" > s.yaml; scrim run s.yaml -o s.csv --report s.html; for c in "ledger show" "risk" "risk k-anonymity a.csv" "inspect" "run" "convert a.csv" "risk k-anonymity a.csv --keys sex --roles" "protect datafly a.csv --keys sex --k 3 --hierarchies" ""; do scrim $c "$a"; done; done > all 2>&1; grep -c scrim: all; grep -c hunter2 all; ls s.*; head -1 all
    50
    0
    s.yaml
    scrim: s.yaml, line 2: a name that is kept in results must not hold a password. Put it into ~/.pgpass or PGPASSWORD.

Who may not write to a ledger can see it, and is charged nothing.

    $ as=$(test $(id -u) -ne 0 || echo setpriv --reuid=65534 --regid=65534 --clear-groups); mkdir ro; cp b.csv ro; chmod 644 ro/b.csv; scrim ledger create ro/b.csv.ledger --budget epsilon=1 > /dev/null; chmod 444 ro/b.csv.ledger; chmod 555 ro; chmod 711 .; for v in show head verify; do $as scrim ledger $v ro/b.csv.ledger > /dev/null; echo $?; done; $as scrim release query ro/b.csv --query 'mean(age)' --bounds age:0:100 --epsilon 0.1; chmod 755 ro
    0
    0
    0
    scrim: the ledger cannot be used: attempt to write a readonly database. Nothing was released.
