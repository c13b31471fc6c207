# The same seed gives the same bytes: on any number of threads, in any locale.

    $ for t in 1 2 3; do scrim protect noise examples/clinic.csv --vars income,visits,bmi --method correlated --amount 0.1 --seed 42 --threads $t -o t$t.csv > /dev/null; done; cmp t1.csv t2.csv && cmp t1.csv t3.csv && echo same
    same
    $ scrim protect noise examples/clinic.csv --vars income,visits,bmi --method correlated --amount 0.1 --seed 43 -o other.csv > /dev/null; cmp -s t1.csv other.csv || echo different
    different
    $ LC_ALL=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8 scrim protect noise examples/clinic.csv --vars income,visits,bmi --method correlated --amount 0.1 --seed 42 -o de.csv > /dev/null; cmp t1.csv de.csv && echo same
    same
    $ scrim utility compare examples/clinic.csv examples/clinic-released.csv --vars income,bmi --threads 1 --format json > a; LC_ALL=de_DE.UTF-8 scrim utility compare examples/clinic.csv examples/clinic-released.csv --vars income,bmi --threads 2 --format json > b; cmp a b && echo same
    same

A secret seed is made once and used again.

    $ for i in 1 2; do scrim protect noise examples/clinic.csv --vars income --amount 0.1 --seed-file s -o s$i.csv > /dev/null; done; cmp s1.csv s2.csv && echo same; wc -c < s
    same
    65
    $ echo abc > s; scrim protect noise examples/clinic.csv --vars income --amount 0.1 --seed-file s -o s3.csv
    scrim: s: a seed file holds 64 hexadecimal digits.
    [2]
    $ for i in 1 2; do scrim protect noise examples/clinic.csv --vars income --amount 0.1 -o f$i.csv > /dev/null; done; cmp -s f1.csv f2.csv || echo different
    different

A seed never appears.

    $ scrim protect noise examples/clinic.csv --vars income --amount 0.1 --seed 918273645 -o n.csv --format json | grep -c 918273645; grep -c 918273645 n.csv.manifest.json; true
    0
    0
