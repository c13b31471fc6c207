# scrim audit: every risk and attack that fits the roles, judged by a policy.

A broken policy ends with 3 and names each broken rule.

    $ scrim audit examples/clinic.csv --roles examples/roles.yaml --policy examples/policy.yaml -o report.html > page 2> err; echo $?; cat err; head -6 page
    3
    scrim: the policy is violated: risk.k-anonymity.k >= 3 (observed: 1); risk.individual.max_risk <= 0.1 (observed: 0.336977); attack.homogeneity.certain == 0 (observed: 258); risk.reidentification.share <= 0.1 (observed: not computed); risk.residual.count == 0 (observed: 8).
    Audit of examples/clinic.csv
    Not ready: 256 of 300 people (85%) are unique on sex, age, region and education: an intruder who
    knows they are in the file re-identifies them with certainty, and all 5 rules of the policy are
    violated. The diagnosis of 258 people can be inferred with certainty from sex, age, region and
    education alone. The table still has direct identifiers: id, name, phone, birthdate, lat, lon. See
    Recommendations.
    $ scrim audit examples/clinic.csv --roles examples/roles.yaml --policy examples/policy.yaml --quiet > /dev/null
    scrim: the policy is violated: risk.k-anonymity.k >= 3 (observed: 1); risk.individual.max_risk <= 0.1 (observed: 0.336977); attack.homogeneity.certain == 0 (observed: 258); risk.reidentification.share <= 0.1 (observed: not computed); risk.residual.count == 0 (observed: 8).
    [3]
    $ grep -c '<svg' report.html | grep -qv '^0$' && grep -o '[0-9]* of 300 people[^<]*' report.html | head -1
    256 of 300 people (85%) are unique on sex, age, region and education: an intruder who knows they are in the file re-identifies them with certainty, and all 5 rules of the policy are violated. The diagnosis of 258 people can be inferred with certainty from sex, age, region and education alone. The table still has direct identifiers: id, name, phone, birthdate, lat, lon. See Recommendations.

The example's release satisfies its policy. An audit of the file alone does not know whose records are whose, and says so.

    $ scrim run examples/recipe.yaml --seed 1 -o ready.csv --report r.html > /dev/null; scrim audit ready.csv --roles examples/roles.yaml --original examples/clinic.csv | sed -n 2,3p
    8 of 300 people (2.6%) are re-identified in a simulated attack by an intruder who knows sex, age,
    region and education (the intruder's own estimate, because the true links are not known). Every

One that satisfies its rules, on the keys alone, ends with 0. The verdict says what remains.

    $ printf 'rules:\n  - risk.k-anonymity.k >= 3\n' > keys.yaml
    $ printf 'input: examples/clinic.csv\nroles: examples/roles.yaml\nsteps:\n  - protect.recode: {var: age, breaks: [0, 30, 45, 60, 75]}\n  - protect.top-bottom: {var: income, top-quantile: 0.98, replace: tail-mean}\n  - protect.suppress: {k: 5}\npolicy: keys.yaml\noutput: released.csv\n' > keys-only.yaml
    $ scrim run keys-only.yaml > /dev/null; scrim audit released.csv --roles examples/roles.yaml --policy keys.yaml --original examples/clinic.csv > page; echo $?; head -2 page
    0
    Audit of released.csv
    The rules are satisfied, but 300 of 300 people (100%) are re-identified in a simulated attack by an

Residual risks of a release are named with the step that would remove them.

    $ scrim audit released.csv --roles examples/roles.yaml --original examples/clinic.csv | sed -n '/^Recommendations$/,/^$/p'
    Recommendations
      Residual risk in income: 287 people have a unique value, unchanged from the original. Recommended
        step: protect.microaggregate: {vars: [income], k: 3}
      Residual risk in cholesterol: 4 people have a unique value, unchanged from the original.
        Recommended step: protect.microaggregate: {vars: [cholesterol], k: 3}
      Residual risk in bmi: 53 people have a unique value, unchanged from the original. Recommended
        step: protect.microaggregate: {vars: [bmi], k: 3}
      Residual risk in score: 272 people have a unique value, unchanged from the original. Recommended
        step: protect.microaggregate: {vars: [score], k: 3}
      Residual risk in hid: household numbers unchanged from the original. Recommended step:
        protect.pseudonym: {vars: [hid]}
      Residual risk in w: weights determine region, which was suppressed. Recommended step:
        protect.round: {vars: [w], base: 10}
      Residual risk: records are in the order of the original. Recommended step: protect.reorder: {}
    

A rule that cannot be computed is broken.

    $ printf 'keys: [sex, age]\n' > r.yaml; scrim audit examples/clinic.csv --roles r.yaml --policy examples/policy.yaml 2> /dev/null | sed -n '/^Rules/,/^$/p'
    Rules
      violated   Size of the smallest equivalence class, in people: must be at least 3, is 1
                 (risk.k-anonymity.k >= 3)
      violated   Highest re-identification risk of a record by its quasi-identifiers: must be at most
                 10%, is 100% (risk.individual.max_risk <= 0.1)
      violated   Records whose sensitive value can be inferred from the quasi-identifiers: must be 0,
                 could not be computed (attack.homogeneity.certain == 0) (needs sensitive)
      violated   Share of people whom the best simulated intruder re-identifies: must be at most 10%,
                 could not be computed (risk.reidentification.share <= 0.1) (needs the original file, to
                 compare the release with it)
      violated   Residual risks: must be 0, is 6 (risk.residual.count == 0)
    
    $ scrim protect noise examples/clinic.csv --vars age --amount 0.1 -o noisy.csv > /dev/null; scrim audit noisy.csv --roles r.yaml --policy examples/policy.yaml 2> /dev/null | sed -n 2p
    Not ready: all 5 rules of the policy are violated. Re-identification cannot be measured without the

Without a policy nothing is judged.

    $ scrim audit examples/clinic.csv --roles r.yaml | sed -n 2,3p
    34 of 300 people (11%) are unique on sex and age: an intruder who knows they are in the file
    re-identifies them with certainty. The table still has direct identifiers: id, name, phone,

JSON has the rules as a table and each method's result.

    $ scrim audit examples/clinic.csv --roles examples/roles.yaml --policy examples/policy.yaml --format json 2> /dev/null | python3 -c 'import json, sys; r = json.load(sys.stdin); print(r["method"], r["values"]["rules_broken"], r["tables"]["rules"]["columns"], r["results"]["risk.k-anonymity"]["values"]["k"], r["values"]["identifiers"])'
    audit 5 ['rule', 'met', 'seen', 'why', 'words'] 1 6

Mistakes.

    $ scrim audit examples/clinic.csv
    scrim: --roles: is needed: Roles of the columns: a YAML file (keys, sensitive, numeric, weight, household, person, identifiers). For example: scrim audit examples/clinic.csv --roles examples/roles.yaml --policy examples/policy.yaml
    [2]
    $ scrim audit examples/clinic.csv --roles nowhere.yaml
    scrim: nowhere.yaml: cannot open: there is no such file.
    [2]
    $ scrim audit examples/clinic.csv --roles examples/roles.yaml --policy nowhere.yaml
    scrim: nowhere.yaml: cannot open: there is no such file.
    [2]
    $ printf 'keys: [sex, aeg]\n' > bad.yaml; scrim audit examples/clinic.csv --roles bad.yaml
    scrim: bad.yaml, line 1: there is no column 'aeg'. Did you mean 'age'?
    [2]
    $ printf 'rules:\n  - risk.k-anonimity.k >= 3\n' > bad.yaml; scrim audit examples/clinic.csv --roles examples/roles.yaml --policy bad.yaml
    scrim: bad.yaml, line 2: there is no method 'k-anonimity' in the group 'risk'. Did you mean 'k-anonymity'? `scrim methods risk` lists all methods.
    [2]
    $ printf 'rules:\n  - risk.k-anonymity.k >= three\n' > bad.yaml; scrim audit examples/clinic.csv --roles examples/roles.yaml --policy bad.yaml
    scrim: bad.yaml, line 2: 'risk.k-anonymity.k >= three' is not a rule. A rule is a method's value, a comparison and a number, such as: risk.k-anonymity.k >= 3
    [2]
    $ printf 'rules:\n  - risk.k-anonymity.k >= 3\nparams:\n  risk.k-anonymity: {missing: maybe}\n' > bad.yaml; scrim audit examples/clinic.csv --roles r.yaml --policy bad.yaml 2> /dev/null | sed -n '/^Rules/,/^$/p'
    Rules
      violated   Size of the smallest equivalence class, in people: must be at least 3, could not be
                 computed (risk.k-anonymity.k >= 3) (--missing: has no value 'maybe'. It takes wildcard,
                 category.)
    

Policies that come with the program are called by name.

    $ scrim audit examples/clinic.csv --roles examples/roles.yaml --policy hipaa 2> /dev/null | sed -n '/^Rules/,/^$/p'
    Rules
      violated   (A) Columns of names: must be 0, is 1 (risk.safe-harbour.names == 0)
      violated   (B) Columns of areas smaller than a state: must be 0, is 2 (risk.safe-harbour.areas ==
                 0)
      violated   (C) Columns of dates finer than a year, or of ages above oldest: must be 0, is 2
                 (risk.safe-harbour.dates == 0)
      violated   (D) Columns of telephone numbers: must be 0, is 1 (risk.safe-harbour.phones == 0)
      satisfied  (E) Columns of fax numbers: must be 0, is 0 (risk.safe-harbour.faxes == 0)
      satisfied  (F) Columns of e-mail addresses: must be 0, is 0 (risk.safe-harbour.emails == 0)
      satisfied  (G) Columns of social security numbers: must be 0, is 0
                 (risk.safe-harbour.social_security == 0)
      satisfied  (H) Columns of medical record numbers: must be 0, is 0
                 (risk.safe-harbour.record_numbers == 0)
      satisfied  (I) Columns of health plan beneficiary numbers: must be 0, is 0
                 (risk.safe-harbour.plan_numbers == 0)
      satisfied  (J) Columns of account numbers: must be 0, is 0 (risk.safe-harbour.accounts == 0)
      satisfied  (K) Columns of certificate and licence numbers: must be 0, is 0
                 (risk.safe-harbour.licences == 0)
      satisfied  (L) Columns of vehicle identifiers and plates: must be 0, is 0
                 (risk.safe-harbour.vehicles == 0)
      satisfied  (M) Columns of device identifiers and serial numbers: must be 0, is 0
                 (risk.safe-harbour.devices == 0)
      satisfied  (N) Columns of web addresses: must be 0, is 0 (risk.safe-harbour.urls == 0)
      satisfied  (O) Columns of IP addresses: must be 0, is 0 (risk.safe-harbour.ip_addresses == 0)
      satisfied  (P) Columns of biometric identifiers: must be 0, is 0 (risk.safe-harbour.biometrics ==
                 0)
      satisfied  (Q) Columns of pictures: must be 0, is 0 (risk.safe-harbour.photographs == 0)
      violated   (R) Columns of any other number or code that names one person: must be 0, is 1
                 (risk.safe-harbour.other_codes == 0)
      violated   Share of people whom the best simulated intruder re-identifies: must be at most 10%,
                 could not be computed (risk.reidentification.share <= 0.1) (needs the original file, to
                 compare the release with it)
      satisfied  Columns without a role in the roles file: must be 0, is 0 (risk.detail.undecided == 0)
      violated   Residual risks: must be 0, is 8 (risk.residual.count == 0)
    
    $ for p in cenex cenex-research fcsm unece; do scrim audit examples/clinic.csv --roles examples/roles.yaml --policy $p > /dev/null; done
    scrim: the policy is violated: risk.detail.identifiers == 0 (observed: 6); risk.detail.least_area >= 200000 (observed: 77.4); risk.detail.least_category >= 200000 (observed: 7); risk.detail.least_pair >= 1000 (observed: 6.6); risk.detail.least_records >= 3 (observed: 1); risk.reidentification.share <= 0.1 (observed: not computed); risk.residual.count == 0 (observed: 8).
    scrim: the policy is violated: risk.detail.identifiers == 0 (observed: 6); risk.detail.least_triple >= 100 (observed: 6.6); risk.detail.least_area >= 10000 (observed: 77.4); risk.detail.least_records >= 3 (observed: 1); risk.reidentification.share <= 0.1 (observed: not computed); risk.residual.count == 0 (observed: 8).
    scrim: the policy is violated: risk.detail.identifiers == 0 (observed: 6); risk.detail.least_area >= 100000 (observed: 77.4); risk.detail.top_share >= 0.005 (observed: 0.00337838); risk.individual.max_risk <= 0.1 (observed: 0.336977); risk.reidentification.share <= 0.1 (observed: not computed); risk.residual.count == 0 (observed: 8).
    scrim: the policy is violated: risk.detail.identifiers == 0 (observed: 6); risk.k-anonymity.k >= 3 (observed: 1); risk.reidentification.share <= 0.1 (observed: not computed); risk.residual.count == 0 (observed: 8).
    [3]
    $ scrim audit examples/clinic.csv --roles examples/roles.yaml --policy hippa
    scrim: hippa: cannot open: there is no such file. Did you mean 'hipaa'? These come with the program: cenex-research, cenex, cms, ema, fcsm, ferpa, hipaa, identifiability, template, unece.
    [2]

What would take too long is left out, and said.

    $ scrim audit examples/clinic.csv --roles examples/roles.yaml --time 1e-9 --all | grep 'Not run: risk.detail'
      - Not run: risk.detail: would take about 0.00006 s, and 1e-9 s are allowed.
    $ scrim audit examples/clinic.csv --roles examples/roles.yaml --time 0
    scrim: --time: must be more than 0.
    [2]

The report can be signed: a page with the verdict, who is at risk and pictures, details folded.

    $ scrim audit examples/clinic.csv --roles examples/roles.yaml --policy examples/policy.yaml --author 'A. Steward' --date 2026-11-15 -o signed.html > /dev/null 2>&1; python3 -c 'h = open("signed.html").read(); first = h[:h.index("<details")]; print(first.count("<svg"), "Sign-off" in first, "A. Steward" in first, "2026-11-15" in first, "256 people are unique" in first)'
    2 True True True True

Two methods run at once; what comes out is the same, byte for byte.

    $ for n in 1 2 5; do scrim audit released.csv --roles examples/roles.yaml --original examples/clinic.csv --seed 7 --threads $n --format json > a$n.json 2> /dev/null; done; cmp a1.json a2.json && cmp a1.json a5.json && grep -c risk.linkage a1.json
    4
