# scrim tune: what it does not know belongs to the method, and general options stay general.

A grid of two parameters; vars and weights are the method's own.

    $ scrim tune protect nbrs examples/clinic.csv --vars sex,age,income,bmi --weights sex:0.3 --over eps=0.5:1.5:0.5 --over empty=missing,nearest --utility "regression(income ~ age + sex)" --risk "track(age > 85)" --seed 1 -o points.csv -o map.svg --quiet > /dev/null
    $ head -1 points.csv; wc -l < points.csv; grep -c '<svg' map.svg
    eps,empty,track_same_source,regression_mean_overlap,non_dominated
    7
    1
    $ scrim tune protect nbrs examples/clinic.csv --vars sex,age --wieghts sex:0.3 --over eps=1 --utility compare --risk "track(age > 85)"
    scrim: protect nbrs has no parameter --wieghts. Did you mean --weights?
    [2]
    $ scrim tune protect nbrs examples/clinic.csv --vars sex,age --over eps=1 --utility compare --risk trakc
    scrim: there is no measure 'trakc'. Did you mean 'track'?
    [2]

What the method says of its own release is a measure too.

    $ scrim tune protect nbrs examples/clinic.csv --vars sex,age,income --over eps=0.5,1 --utility -own.empty --risk "track(age > 85)" --seed 1 --quiet -o own.csv > /dev/null; cut -d, -f1,3 own.csv
    eps,nbrs_empty
    0.5,12.0
    1,1.0
    $ scrim tune protect nbrs examples/clinic.csv --vars sex,age --over eps=1 --utility own.emtpy --risk "track(age > 85)"
    scrim: protect.nbrs gives no value 'emtpy'.
    [2]

A measure that counts records is refused where people have several.

    $ printf 'pid,sex,age\n1,f,30\n1,f,30\n2,m,40\n3,m,41\n' > stays.csv; printf 'person: pid\n' > stays.yaml; scrim tune protect suppress stays.csv --keys sex,age --over k=2 --roles stays.yaml --risk suda --utility compare
    scrim: risk.suda counts records, and people have several by pid. Use a measure that counts people, such as risk.k-anonymity or risk.individual.
    [2]
