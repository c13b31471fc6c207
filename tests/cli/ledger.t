# What a ledger counts and what it says of all debits together.

    $ for i in $(seq 100); do echo $((i % 101 - 50)); done | sed '1i x' > x.csv; scrim ledger create units.ledger --budget zcdp=10 --unit replace-one > /dev/null
    $ scrim release x.csv --query 'sum(x)' --bounds x:-50:50 --unit add-remove --zcdp 0.5 --ledger units.ledger > /dev/null; scrim ledger show units.ledger --format json | grep -E -o '"(spent|total_epsilon|total_zcdp|total_gdp)": [^,]*'
    "spent": "2"
    "total_epsilon": 10.997151220449744
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

    $ scrim ledger export loo.ledger audit.jsonl > /dev/null; wc -l < audit.jsonl; grep -c answer_hash audit.jsonl
    8
    8
