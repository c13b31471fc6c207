Records that look like several of one person are a question, not a verdict; an answer is a column that says whose they are.

    $ python3 -c 'print("pid,birth,sex,zip,dx"); [print("P%d,19%02d-%02d-%02d,%s,%d,%s" % (i, 30 + i * 7 % 70, 1 + i % 12, 1 + i % 28, "fm"[i % 2], i % 20, "abcd"[(i + v) % 4])) for i in range(100) for v in range(3)]' > repeated.csv; printf 'keys: [sex]\nsensitive: [dx]\n' > unsaid.yaml; printf 'person: pid\nkeys: [birth, sex, zip]\nsensitive: [dx]\n' > said.yaml; printf 'rules:\n  - risk.k-anonymity.k >= 3\n' > three.yaml

    $ scrim audit repeated.csv --roles unsaid.yaml --policy three.yaml --format json | grep -E '^ *"(state|verdict)":' | cut -c1-150
    scrim: a question must be answered first: whose are the records?
        "verdict": "Not ready, because a question must be answered first. Does this file have several records per person? 300 of 300 records share birth, 
        "state": "not ready",

    $ scrim plan repeated.csv --roles unsaid.yaml --policy three.yaml -o plans 2>&1 | cut -c1-100
    scrim: it is not said whose the records are. Does this file have several records per person? 300 of 

    $ scrim audit repeated.csv --roles said.yaml --policy three.yaml 2> /dev/null | head -3
    Audit of repeated.csv
    Not ready: 100 of 100 people (100%) are unique on birth, sex and zip: an intruder who knows they are
    in the file re-identifies them with certainty, and the one rule of the policy is violated. The dx of
