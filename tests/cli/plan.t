# scrim plan: recipes that run, the same by seed, and what was asked for wrongly.

The folder has the best recipe, the others and the map; the best runs and keeps the policy.

    $ scrim plan examples/clinic.csv --roles examples/roles.yaml --policy examples/policy.yaml --candidates 60 --seed 3 -o plan --format json > plan.json; echo $?
    0
    $ python3 -c 'import json, glob; d = json.load(open("plan.json")); print(len(d["tables"]["front"]["rows"]) == len(glob.glob("plan/front/*.yaml")), d["values"]["recipe"], open("plan/plan.html").read().count("<svg"))'
    True plan/best.yaml 1
    $ grep -v '^#' plan/best.yaml | head -3
    input: ../examples/clinic.csv
    roles: ../examples/roles.yaml
    steps:
    $ scrim run plan/best.yaml > said; echo $?; sed -n 2p said | cut -c1-43
    0
    Ready: all 5 rules of the policy are satisf
    $ for r in plan/front/*.yaml; do scrim run $r -o one.csv --seed 3 --report one.html > /dev/null || echo "$r: $?"; rm -f one.csv*; done

The same seed gives the same plan; recipes of an earlier plan that has more of them go.

    $ scrim plan examples/clinic.csv --roles examples/roles.yaml --policy examples/policy.yaml --candidates 60 --seed 3 -o again > /dev/null; touch again/front/99.yaml; diff -r plan/front again/front | grep -v '^Only in'; cmp plan/best.yaml again/best.yaml
    $ n=$(ls again/front | grep -v 99 | wc -l); touch again/front/$(printf %02d $((n + 1))).yaml; scrim plan examples/clinic.csv --roles examples/roles.yaml --policy examples/policy.yaml --candidates 60 --seed 3 -o again > /dev/null; ls again/front | grep -v 99 | wc -l | grep -cx $n
    1

A policy that nothing keeps ends with 3.

    $ printf 'rules:\n  - risk.k-anonymity.k >= 100000\n' > hard.yaml; scrim plan examples/clinic.csv --roles examples/roles.yaml --policy hard.yaml --candidates 20 --seed 1 -o none > /dev/null; ls none
    scrim: the policy is violated: the nearest release (nothing but the identifiers left out) violates 1: risk.k-anonymity.k >= 100000 (observed: 1).
    front
    plan.html

Mistakes.

    $ touch file; scrim plan examples/clinic.csv --roles examples/roles.yaml --candidates 10 -o file
    scrim: file: cannot be made, or is no folder.
    [2]
    $ scrim plan examples/clinic.csv --roles examples/roles.yaml --budget soon
    scrim: --budget: 'soon' is not a time. Write 90s, 10m or 1h.
    [2]
    $ scrim plan examples/clinic.csv --roles examples/roles.yaml --keep 'incom ~ age'
    scrim: --keep: formula "incom", at character 1: there is no column 'incom'. Did you mean 'income'?
    [2]

Two releases side by side, by their manifests; one that was not measured says so.

    $ scrim report compare examples/release-a.manifest.json examples/release-b.manifest.json | sed -n 3,4p
      comparison   B has lower risk, A lower information loss. Neither dominates the other. The
                   strongest simulated intruder re-identifies 100% of the people in A and 98.3% in B.
    $ scrim protect round examples/clinic.csv --vars income --base 1000 -o r.csv > /dev/null; scrim report compare r.csv r.csv
    scrim: r.csv: this is not a manifest of a recipe: it has no measures. `scrim run` writes one beside the release.
    [2]

A release that changed after the run that measured it is not compared.

    $ cp examples/release-a.manifest.json a.csv.manifest.json; echo sex > a.csv; scrim report compare a.csv examples/release-b.manifest.json
    scrim: a.csv: was changed after the run that measured it. Run the recipe again.
    [2]

Where no candidate satisfies the policy, the steps that scrim recommends for the residual risks are tried behind the nearest ones. A rule that cannot be met is named, with the value seen and by how much it is missed.

    $ scrim plan examples/clinic.csv --roles examples/roles.yaml --policy ema --candidates 150 --seed 1 -o remedied > page; echo $?; grep -c 'protect.reorder' remedied/best.yaml; scrim run remedied/best.yaml --seed 1 -o ema.csv > verdict; echo $?; grep -c 'satisfied  Residual risks: must be 0, is 0' verdict
    0
    1
    0
    1

A large table is searched on a sample. What satisfies the policy there is made of all records, and the search ends when nothing improves.

    $ awk 'BEGIN { srand(3); print "sex,age,place,job,income"; for (i = 0; i < 7000; i++) printf "%s,%d,%s,%s,%d\n", substr("fm", 1 + int(2 * rand()), 1), 18 + 60 * rand(), substr("abcdefgh", 1 + int(8 * rand()), 1), substr("pqrst", 1 + int(5 * rand()), 1), 1000 + 5000 * rand() }' > many.csv
    $ printf 'keys: [sex, age, place, job]\nnumeric: [income]\n' > many.yaml; printf 'rules:\n  - risk.k-anonymity.k >= 3\n  - risk.reidentification.share <= 0.02\n' > strict.yaml
    $ scrim plan many.csv --roles many.yaml --policy strict.yaml --candidates 30 --seed 1 -o large --format json > large.json; echo $?; scrim run large/best.yaml --seed 1 -o large.csv > /dev/null; echo $?
    0
    0
    $ python3 -c 'import json; v = json.load(open("large.json"))["values"]; print(v["feasible"] >= 1, v["measured_whole"] < v["candidates"], v["best_risk"] <= 0.02)'
    True True True
