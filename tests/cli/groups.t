# scrim audit --by: the risk of subgroups, so that no small group disappears in an average.

A hundred people of the majority share their age, and five of the minority do not.

    $ printf 'id,age,origin\n' > people.csv; for i in $(seq 1 100); do echo "$i,30,majority" >> people.csv; done; for i in 1 2 3 4 5; do echo "$((100 + i)),$((40 + i)),minority" >> people.csv; done
    $ cut -d, -f1,2 people.csv > released.csv; printf 'keys: [age]\n' > roles.yaml
    $ scrim audit released.csv --roles roles.yaml --original people.csv --by origin | sed -n '2,/^$/p'
    6 of 105 people (5.7%) are re-identified in a simulated attack by an intruder who knows age. 5 of
    105 people (4.8%) are unique on age. The group with the highest risk is origin = minority (5
    people), of whom the same intruder re-identifies 100%. The table still has direct identifiers: id.
    Column id has no role, so that its risk is not judged. No policy was given, so nothing is judged.
    
    $ scrim risk reidentification people.csv released.csv --keys age --id id --by origin --format json | tr -d ' \n' | grep -o '"groups":{[^}]*}'
    "groups":{"columns":["group","people","share","certain"],"rows":[["origin=majority",100,0.01,0],["origin=minority",5,1,5]]}
    $ scrim audit released.csv --roles roles.yaml --by origin
    scrim: --by: the risk of groups is measured with the original at hand. Give --original.
    [2]
    $ scrim audit released.csv --roles roles.yaml --original people.csv --by orgin
    scrim: people.csv: there is no column 'orgin'. Did you mean 'origin'?
    [2]
