# What a ledger counts and what it says of all debits together.

    $ for i in $(seq 100); do echo $((i % 101 - 50)); done | sed '1i x' > x.csv; scrim ledger create units.ledger --budget zcdp=10 --unit replace-one > /dev/null
    $ scrim release x.csv --query 'sum(x)' --bounds x:-50:50 --unit add-remove --zcdp 0.5 --ledger units.ledger > /dev/null; scrim ledger show units.ledger --format json | grep -E -o '"(spent|total_epsilon|total_zcdp|total_gdp)": [^,]*'
    "spent": "2"
    "total_epsilon": 10.997151220454374
    "total_zcdp": 2
    "total_gdp": 2

One count at ε = 1 is ε = 1, whatever a division rounds.

    $ scrim ledger create one.ledger --budget epsilon=4 > /dev/null; scrim release x.csv --query 'count() where x > 0' --epsilon 1 --ledger one.ledger > /dev/null; scrim ledger show one.ledger --format json | grep -o '"total_epsilon": [^,]*'
    "total_epsilon": 0.9999986321196597
    $ scrim calibrate --mechanism discrete-laplace --scale 0.5 --times 2 --delta 1e-6 --format json | grep -o '"composed_epsilon": [^,]*'
    "composed_epsilon": 3.9999987110130317

Leave-one-out is no differential privacy; the steward's answer is never another's.

    $ scrim ledger create loo.ledger --budget noncentrality=10 > /dev/null; scrim release x.csv --query 'sum(x)' --bounds x:-50:50 --zcdp 0.1 --ledger loo.ledger > /dev/null
    $ scrim release x.csv --query 'mean(x)' --bounds x:-50:50 --neighbours leave-one-out --noncentrality 0.1 --ledger loo.ledger --show-scales --format json --quiet | grep -o '"charged": [^,]*'
    "charged": "0.1"
    $ scrim release x.csv --query 'mean(x)' --bounds x:-50:50 --neighbours leave-one-out --noncentrality 0.1 --ledger loo.ledger --format json --quiet | grep -o '"charged": [^,]*'
    "charged": "0.1"
    $ scrim ledger show loo.ledger --format json | grep -E -o '"(spent|total_epsilon|total_zcdp|total_gdp|private_zcdp|private_gdp)": [^,]*'
    "spent": "0.3"
    "total_epsilon": null
    "total_zcdp": null
    "total_gdp": null
    "private_zcdp": 0.09999999999999999
    "private_gdp": 0.4472135954999579

An auditor needs no scrim.

    $ verify=$(dirname $(readlink -f examples))/docs/verify_ledger.py; scrim ledger export loo.ledger audit.jsonl > /dev/null; python3 $verify audit.jsonl | cut -d';' -f1; grep -c answer_hash audit.jsonl
    8 entries hold
    8
    $ sed 's/"units":100000000000,/"units":1,/' audit.jsonl > bad.jsonl; python3 $(dirname $(readlink -f examples))/docs/verify_ledger.py bad.jsonl; scrim ledger export loo.ledger all.jsonl --answers > /dev/null; python3 $(dirname $(readlink -f examples))/docs/verify_ledger.py all.jsonl $(scrim ledger head loo.ledger --format json | grep -o '[0-9a-f]\{64\}') | cut -d';' -f1
    entry 3: it was altered, or the one before it was
    8 entries hold

Planned releases: their price and accuracy, and the smallest budget for an accuracy, before anything is spent.

    $ scrim ledger create plan.ledger --budget epsilon=1 > /dev/null; scrim ledger plan plan.ledger examples/clinic.csv --releases examples/planned-releases.csv | sed -n '/^releases/,/^$/p;/^  \(cost\|left\|left_after\|enough\)/p'
      cost        0.684     Joint charge of all releases; if accuracies are given, the smallest budget
      left        1         Remaining budget in the ledger now
      left_after  0.316     Remaining budget after them. Negative: the budget is too small
      enough      yes       yes: the budget and its δ suffice; no: they do not
    releases  Each answer: its guarantee, its charge, and its error with probability 0.95, as a number
              or in ranks
      release  query                      promise  amount  cost    delta  half_width  ranks  within
            1  mean(age)                  epsilon  0.1     0.1         0     7.68905      –       –
            2  count() where smoker == 1  epsilon  0.2844  0.2844      0    10            –      10
            3  sum(visits)                epsilon  0.2996  0.2996      0   499.955        –     500
    
    $ scrim ledger show plan.ledger | grep '^  spent'
      spent          0          Charged so far

A request that is planned twice is charged once, however it is written; another query, promise or unit is another request.

    $ printf 'query,epsilon,unit\ncount() where smoker == 1,0.1,\n count() where (smoker==1),0.10,\ncount() where smoker == 0,0.1,\ncount() where smoker == 1,0.2,\ncount() where smoker == 1,0.1,replace-one\n' > twice.csv; scrim ledger plan plan.ledger examples/clinic.csv --releases twice.csv | sed -n '/^releases/,/^$/p;/^  cost/p'
      cost        0.4       Joint charge of all releases; if accuracies are given, the smallest budget
    releases  Each answer: its guarantee, its charge, and its error with probability 0.95, as a number
              or in ranks
      release  query                      promise  amount  cost  delta  half_width  ranks  within
            1  count() where smoker == 1  epsilon     0.1  0.1       0          30      –       –
            2  count() where (smoker==1)  epsilon     0.1  0         0          30      –       –
            3  count() where smoker == 0  epsilon     0.1  0.1       0          30      –       –
            4  count() where smoker == 1  epsilon     0.2  0.2       0          15      –       –
            5  count() where smoker == 1  epsilon     0.1  0         0          30      –       –
    
    $ scrim ledger create twice.ledger --budget epsilon=1 > /dev/null; for r in 1 2; do scrim release examples/clinic.csv --query 'count() where smoker == 1' --epsilon 0.1 --ledger twice.ledger > /dev/null; done; scrim ledger show twice.ledger | grep '^  spent'
      spent          0.1                   Charged so far

What one ledger cannot be charged for is not planned together: other units, other persons.

    $ printf 'query,epsilon,unit\ncount(),0.1,\ncount() where age > 40,0.1,add-remove\n' > mixed.csv; scrim ledger plan plan.ledger examples/clinic.csv --releases mixed.csv
    scrim: column 'unit': the planned releases 1 and 2 differ, and the first one binds the ledger. A ledger belongs to one schema, one neighbouring relation and one definition of a person. State the relation with `scrim ledger create --unit`, or plan such releases with a ledger each.
    [3]
    $ printf 'query,epsilon,person\ncount(),0.1,hid\nmean(age),0.1,\n' > mixed.csv; scrim ledger plan plan.ledger examples/clinic.csv --releases mixed.csv
    scrim: column 'person': the planned releases 1 and 2 differ, and the first one binds the ledger. A ledger belongs to one schema, one neighbouring relation and one definition of a person. State the relation with `scrim ledger create --unit`, or plan such releases with a ledger each.
    [3]
    $ scrim ledger create hid.ledger --budget epsilon=1 --person hid > /dev/null; scrim release examples/clinic.csv --query 'count()' --epsilon 0.1 --ledger hid.ledger --dry-run
    scrim: this ledger protects a person (hid, 1 record), and this release single records. Nothing was charged or released. A ledger belongs to one definition of a person. Use another ledger for another.
    [3]

Bounds bought from the budget, as a line of a schema.

    $ scrim release examples/clinic.csv --query 'bounds(age); bounds(income)' --epsilon 40 --no-ledger --format json | grep -o '"[a-z]*: {type[^"]*"'
    "age: {type: integer, bounds: [16, 128]}"
    "income: {type: integer, bounds: [4096, 262144]}"
    $ scrim release examples/clinic.csv --query 'bounds(age) by sex' --epsilon 40 --no-ledger
    scrim: --query: query "bounds(age) by sex", at character 1: a pair of bounds has no 'by' of its own.
    [2]

`--no-ledger` beside a ledger is an error, and nothing is charged.

    $ scrim ledger create both.ledger --budget epsilon=1 > /dev/null; scrim release examples/clinic.csv --query 'count()' --epsilon 0.1 --ledger both.ledger --no-ledger
    scrim: --no-ledger: excludes --ledger. Leave --no-ledger or --ledger out.
    [2]

An account is an error where the ledger has none.

    $ scrim release examples/clinic.csv --query 'count()' --unit add-remove --epsilon 0.1 --ledger both.ledger --account census
    scrim: --account: this ledger has no accounts, and the request names one. Leave --account out, or open the account with `scrim ledger account`.
    [2]
