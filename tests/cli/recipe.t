# scrim run: recipes, manifests, seeds.

The example: identifiers dropped, steps taken, policy kept, release, manifest and report written.

    $ scrim run examples/recipe.yaml -o released.csv --report report.html
    Release by examples/recipe.yaml
    Ready: all 5 rules of the policy are satisfied, and {any}
    ...
    Rules
      satisfied  Size of the smallest equivalence class, in people: must be at least 3, is 15
                 (risk.k-anonymity.k >= 3)
      satisfied  Highest re-identification risk of a record by its quasi-identifiers: must be at most
                 10%, is {any} (risk.individual.max_risk <= 0.1)
      satisfied  Records whose sensitive value can be inferred from the quasi-identifiers: must be 0, is
                 0 (attack.homogeneity.certain == 0)
      satisfied  Share of people whom the best simulated intruder re-identifies: must be at most 10%, is
                 {any} (risk.reidentification.share <= 0.1)
      satisfied  Residual risks: must be 0, is 0 (risk.residual.count == 0)
    
    People at risk
      300 → {any} re-identified in a simulated attack by an intruder who knows sex, age, region,{any}
          {any}income, visits, cholesterol and bmi (expected number)
      256 → 0 re-identified with certainty by an intruder who knows everybody's sex, age, region and
          education
      256 → 0 unique on sex, age, region and education
      294 → 0 in equivalence classes (people with the same sex, age, region and education) of fewer than
          three
    ...
    Information loss
      Values suppressed: {any}
      Number of categories of the keys: {any}
      Overall information loss (0% none, 100% all): {any}
    ...
    scrim {any}
    $ head -1 released.csv; stat -c '%a %n' released.csv released.csv.manifest.json report.html; ls
    sex,age,region,education,occupation,marital,visits,income,cholesterol,bmi,diagnosis,smoker,score,event,w,hid
    644 released.csv
    600 released.csv.manifest.json
    644 report.html
    examples
    released.csv
    released.csv.manifest.json
    released.csv.seed
    report.html
    $ scrim risk k-anonymity released.csv --keys sex,age,region,education --format json | grep -o '"below_3": *[0-9]*'
    "below_3": 0
    $ python3 -c 'import json; m = json.load(open("released.csv.manifest.json")); print(m["schema"], m["perturbed"], [s["method"] for s in m["steps"]], sorted(m["risk"]), m["risk"]["before"]["risk.k-anonymity"]["k"], m["risk"]["after"]["risk.k-anonymity"]["k"], "utility.compare" in m["utility"], [r["met"] for r in m["rules"]], list(m["input"]), m["output"]["file"])'
    1 True ['protect.recode', 'protect.top-bottom', 'protect.suppress', 'protect.shuffle', 'protect.microaggregate', 'protect.pseudonym', 'protect.round', 'protect.reorder'] ['after', 'before'] 1 15 True [True, True, True, True, True] ['file'] released.csv

With a random step the seed goes to a file of its own, for its owner alone, and nowhere else; the manifest run again with it gives the same bytes.

    $ cat > noisy.yaml << 'END'
    > input: examples/clinic.csv
    > roles: {keys: [sex, region], identifiers: "id, name, phone"}
    > steps:
    >   - protect.noise: {vars: [income, bmi], amount: 0.1}
    >   - protect.recode: {var: age, breaks: [0, 40, 60]}
    >   - protect.noise: {vars: income, method: laplace, amount: 0.05}
    > output: out/noisy.csv
    > END
    > mkdir out; scrim run noisy.yaml > /dev/null && stat -c '%a %n' out/*
    644 out/noisy.csv
    600 out/noisy.csv.manifest.json
    600 out/noisy.csv.seed
    $ grep -c "$(cat out/noisy.csv.seed)" out/noisy.csv.manifest.json; scrim run out/noisy.csv.manifest.json --seed-file out/noisy.csv.seed -o again.csv > /dev/null; cmp out/noisy.csv again.csv && echo same
    0
    same
    $ cd out; scrim run noisy.csv.manifest.json --seed-file noisy.csv.seed --threads 1 -o more.csv > /dev/null; cmp noisy.csv more.csv && echo same
    same
    $ scrim run out/noisy.csv.manifest.json
    scrim: out/noisy.csv: draws random numbers, and without its seed a repeated run would replace it by another release. --seed-file out/noisy.csv.seed makes the same again; -o writes a new one elsewhere.
    [2]
    $ cp examples/clinic.csv own.csv; printf 'input: own.csv\nsteps:\n  - protect.round: {vars: income, base: 100}\noutput: own.csv\n' > own.yaml; scrim run own.yaml; cmp own.csv examples/clinic.csv && echo untouched
    scrim: own.csv: is the input, and would be overwritten. Choose another output file.
    untouched
    $ scrim run noisy.yaml -o other.csv > /dev/null; cmp -s out/noisy.csv other.csv || echo different
    different

Somebody who has a manifest and knows the input but for one cell cannot test a guess: no hash in it, of any kind and of any guess, is that of the input; and two inputs that differ in a cell which the release does not have give the same bytes.

    $ cat > guess.py << 'END'
    > import hashlib, re, sys
    > known, manifests = open("examples/clinic.csv", "rb").read(), b"".join(open(f, "rb").read() for f in sys.argv[1:])
    > seen = set(re.findall(rb"[0-9a-fA-F]{32,128}", manifests))
    > kinds = [getattr(hashlib, k) for k in ("md5", "sha1", "sha256", "sha384", "sha512", "blake2b", "blake2s", "sha3_256")] + [lambda b: hashlib.blake2b(b, digest_size=32)]
    > tried = 0
    > for pay in range(1000):  # the first record's income, of which three digits are not known
    >     guess = known if not pay else re.sub(rb",(\d{2})\d{3},", b",\\g<1>%03d," % pay, known, count=1)
    >     tried += 1
    >     for k in kinds:
    >         if k(guess).hexdigest().encode() in seen: sys.exit("a guess is confirmed")
    > print(tried, "guesses, none confirmed;", len(seen), "hashes, of releases")
    > END
    > scrim protect round examples/clinic.csv --vars income --base 1000 -o one.csv > /dev/null; scrim tabular build examples/clinic.csv --dims sex,region --response income -o two.csv > /dev/null; scrim convert out/noisy.csv three.csv > /dev/null; python3 guess.py released.csv.manifest.json out/noisy.csv.manifest.json one.csv.manifest.json two.csv.manifest.json three.csv.manifest.json
    1000 guesses, none confirmed; 4 hashes, of releases

Which columns a random step changed stands in the manifest: the others can still be counted.

    $ grep -o '"perturbed.*' out/noisy.csv.manifest.json; scrim risk k-anonymity out/noisy.csv --keys sex,region --format json | grep -c '"k"'
    "perturbed": true,
    "perturbed_columns": ["income", "bmi"],
    1
    $ scrim risk k-anonymity out/noisy.csv --keys sex,income
    scrim: this table was perturbed: risk k-anonymity counts frequencies, which no longer show its risk. Use risk linkage, which compares with the original, or --force to compute it nevertheless.
    [2]

A copy in another format is as perturbed as the original.

    $ scrim convert out/noisy.csv copy.tsv > /dev/null; grep -o '"perturbed.*' copy.tsv.manifest.json; stat -c '%a' copy.tsv.manifest.json; scrim convert examples/clinic.csv plain.tsv > /dev/null; ls plain.tsv*
    "perturbed": true,
    "perturbed_columns": ["income", "bmi"],
    600
    plain.tsv
    $ scrim risk k-anonymity copy.tsv --keys sex,income 2>&1 | head -c 35
    scrim: this table was perturbed: ri

A single method's manifest runs again too.

    $ scrim protect noise examples/clinic.csv --vars income --amount 0.2 --seed-file s -o one.csv > /dev/null; scrim run one.csv.manifest.json --seed-file s -o two.csv > /dev/null; cmp one.csv two.csv && echo same
    same

JSON is read as well.

    $ echo '{"schema": 1, "input": "examples/clinic.csv", "roles": {"identifiers": ["id", "name", "phone"]}, "steps": [{"protect.recode": {"var": "age", "breaks": [0, 50]}}], "output": "j.csv"}' > r.json; scrim run r.json > /dev/null; head -2 j.csv
    sex,age,region,education,occupation,marital,birthdate,visits,income,cholesterol,bmi,diagnosis,smoker,score,event,w,hid,lat,lon
    f,"[50,inf)",Aldermoor,vocational,nursing,divorced,1970-03-14,0,27040,6,30.3,arthritis,0,33.35,1,7,1340,47.05143,8.11083

A release that breaks its policy is not written, unless that is asked for.

    $ cat > strict.yaml << 'END'
    > input: examples/clinic.csv
    > roles: {keys: [sex, age, region], identifiers: [id, name, phone]}
    > steps: []
    > policy: {rules: [risk.k-anonymity.k >= 2, risk.k-anonymity.uniques == 0]}
    > output: strict.csv
    > END
    > scrim run strict.yaml 2> /dev/null | head -2; scrim run strict.yaml > /dev/null
    Release by strict.yaml
    Not ready: 242 of 300 people (81%) are re-identified in a simulated attack by an intruder who knows
    scrim: the policy is violated: risk.k-anonymity.k >= 2 (observed: 1); risk.k-anonymity.uniques == 0 (observed: 197).
    [3]
    $ ls strict.csv; scrim run strict.yaml --keep > /dev/null; ls strict.csv
    ls: cannot access 'strict.csv': No such file or directory
    scrim: the policy is violated: risk.k-anonymity.k >= 2 (observed: 1); risk.k-anonymity.uniques == 0 (observed: 197).
    strict.csv

Errors name the file and the line.

    $ say() { cat > bad.yaml; scrim run bad.yaml; }; say << 'END'
    > input: examples/clinic.csv
    > steps:
    >   - protect.recode: {var: age, breaks: [0, 40
    > END
    scrim: bad.yaml, line 4, character 1: is not YAML: did not find expected ',' or ']', while parsing a flow sequence.
    [2]
    $ printf 'keys:\n\t- sex\n' > tab.yaml; scrim audit examples/clinic.csv --roles tab.yaml
    scrim: tab.yaml, line 2, character 1: is not YAML: found character that cannot start any token, while scanning for the next token. There is a tab: YAML is indented with spaces alone.
    [2]
    $ say() { cat > bad.yaml; scrim run bad.yaml; }; say << 'END'
    > input: examples/clinic.csv
    > setps: []
    > END
    scrim: bad.yaml, line 2: a recipe has no 'setps'. Did you mean 'steps'?
    [2]
    $ say() { cat > bad.yaml; scrim run bad.yaml; }; say << 'END'
    > input: examples/clinic.csv
    > steps:
    >   - protect.recdoe: {var: age}
    > END
    scrim: bad.yaml, line 3: there is no method 'recdoe' in the group 'protect'. Did you mean 'recode'? `scrim methods protect` lists all methods.
    [2]
    $ say() { cat > bad.yaml; scrim run bad.yaml; }; say << 'END'
    > input: examples/clinic.csv
    > steps:
    >   - protect.noise:
    >       vars: [income]
    >       amuont: 0.1
    > END
    scrim: bad.yaml, line 5: protect.noise has no 'amuont'. Did you mean 'amount'?
    [2]
    $ say() { cat > bad.yaml; scrim run bad.yaml; }; say << 'END'
    > input: examples/clinic.csv
    > steps:
    >   - protect.noise:
    >       vars: [income]
    >       amount: much
    > END
    scrim: bad.yaml, line 5: --amount: expects a number, not 'much'.
    [2]
    $ say() { cat > bad.yaml; scrim run bad.yaml; }; say << 'END'
    > input: examples/clinic.csv
    > steps:
    >   - protect.recode: {var: age, breaks: [0, 40]}
    >   - protect.noise: {vars: [incme], amount: 0.1}
    > END
    scrim: bad.yaml, line 4: --vars: there is no column 'incme' (in examples/clinic.csv). Did you mean 'income'?
    [2]
    $ say() { cat > bad.yaml; scrim run bad.yaml; }; say << 'END'
    > input: examples/clinic.csv
    > roles:
    >   keys: [sex, agee]
    > steps: []
    > END
    scrim: bad.yaml, line 3: there is no column 'agee'. Did you mean 'age'?
    [2]
    $ say() { cat > bad.yaml; scrim run bad.yaml; }; say << 'END'
    > input: examples/clinic.csv
    > roles: {identifiers: [nmae]}
    > steps: []
    > END
    scrim: bad.yaml, line 2: there is no column 'nmae'. Did you mean 'name'?
    [2]
    $ say() { cat > bad.yaml; scrim run bad.yaml; }; say << 'END'
    > input: examples/clinic.csv
    > roles: {kees: [sex]}
    > steps: []
    > END
    scrim: bad.yaml, line 2: there is no role 'kees'. Did you mean 'keys'?
    [2]
    $ say() { cat > bad.yaml; scrim run bad.yaml; }; say << 'END'
    > input: examples/clinic.csv
    > input: examples/clinic.csv
    > steps: []
    > END
    scrim: bad.yaml, line 2: 'input' is given twice, first on line 1.
    [2]
    $ say() { cat > bad.yaml; scrim run bad.yaml; }; say << 'END'
    > input: nowhere.csv
    > steps: []
    > END
    scrim: nowhere.csv: cannot open: there is no such file.
    [2]
    $ say() { cat > bad.yaml; scrim run bad.yaml; }; say << 'END'
    > input: examples/clinic.csv
    > steps: []
    > policy: {rules: [risk.k-anonymity.kk > 3]}
    > END
    scrim: bad.yaml, line 3: risk.k-anonymity has no value 'kk'. Did you mean 'k'?
    [2]
    $ say() { cat > bad.yaml; scrim run bad.yaml; }; say << 'END'
    > input: examples/clinic.csv
    > steps: []
    > policy:
    >   rules:
    >     - k is at least 3
    > END
    scrim: bad.yaml, line 5: 'k is at least 3' is not a rule. A rule is a method's value, a comparison and a number, such as: risk.k-anonymity.k >= 3
    [2]
    $ : > bad.yaml; scrim run bad.yaml
    scrim: bad.yaml: is empty.
    [2]
    $ echo 'steps: []' > bad.yaml; scrim run bad.yaml
    scrim: bad.yaml, line 1: the recipe has no input.
    [2]
    $ printf 'input: examples/clinic.csv\nsteps: [release.calibrate]\n' > bad.yaml; scrim run bad.yaml
    scrim: bad.yaml, line 2: release.calibrate takes no table, so that it cannot be a step.
    [2]
    $ printf 'schema: 2\ninput: examples/clinic.csv\nsteps: []\n' > bad.yaml; scrim run bad.yaml
    scrim: bad.yaml, line 1: has a schema other than 1. A later version of scrim wrote it; this is 0.1.0.
    [2]
    $ printf 'input: &a examples/clinic.csv\nsteps: *a\n' > bad.yaml; scrim run bad.yaml
    scrim: bad.yaml, line 2: aliases (*name) are not read here: write it out.
    [2]
    $ scrim run nowhere.yaml
    scrim: nowhere.yaml: cannot open: there is no such file.
    [2]

A schema that stands in the roles; and identifiers that no real number holds, beside an odd cell: as many persons as without it.

    $ printf 'id,x\n9007199254740993,1\n9007199254740992,2\n9007199254740994,2\n30.5,3\n' > people.csv
    $ cat > people.yaml << END
    > input: people.csv
    > roles:
    >   schema:
    >     person: id
    >     columns:
    >       x: {type: integer, bounds: [0, 10]}
    > steps:
    >   - release.query: {query: "count()", epsilon: 900, no-ledger: true}
    > END
    $ scrim run people.yaml --format json | grep -o '"count()", 4, 4, 4, 1'
    "count()", 4, 4, 4, 1
    $ sed 's/integer/whole/' people.yaml > bad.yaml; scrim run bad.yaml
    scrim: the schema, line 1: --schema: the type of 'x' is integer, real or category.
    [2]

A rule can name the step that it is judged after: k, before noise is added to one of the keys.

    $ cat > at.yaml << END
    > input: examples/clinic.csv
    > roles: {keys: [sex, education]}
    > steps:
    >   - protect.suppress: {k: 4}
    >   - protect.pram: {vars: [sex], keep: 0.8}
    > policy:
    >   - risk.k-anonymity.k >= 4 at protect.suppress
    >   - risk.k-anonymity.k >= 99 at step 1
    >   - risk.k-anonymity.k >= 4
    > END
    $ scrim run at.yaml 2> /dev/null | sed -n '/^Rules/,/^$/p'
    Rules
      satisfied  Size of the smallest equivalence class, in people (after protect.suppress): must be at
                 least 4, is 4 (risk.k-anonymity.k >= 4 at protect.suppress)
      violated   Size of the smallest equivalence class, in people (after step 1): must be at least 99,
                 is 4 (risk.k-anonymity.k >= 99 at step 1)
      violated   Size of the smallest equivalence class, in people: must be at least 4, could not be
                 computed (risk.k-anonymity.k >= 4) (this table was perturbed: risk k-anonymity counts
                 frequencies, which no longer show its risk. Use risk linkage, which compares with the
                 original, or --force to compute it nevertheless.)
    
    $ sed 's/at step 1/at step 3/' at.yaml > bad.yaml; scrim run bad.yaml
    scrim: bad.yaml, line 8: the rule is to be judged at 'step 3', and the recipe has no such step. Name one of its steps, or its number: risk.k-anonymity.k >= 3 at step 1
    [2]
    $ printf 'rules: ["risk.k-anonymity.k >= 2 at step 1"]\n' > alone.yaml; scrim audit examples/clinic.csv --roles examples/roles.yaml --policy alone.yaml 2>&1 | grep '^  violated'
      violated   Size of the smallest equivalence class, in people (after step 1): must be at least 2,

How the input is read stands in the recipe, or on the command line; the manifest keeps it, so that it runs again without either.

    $ printf 'sex;x\nm;1,5\nf;NA\nm;2,5\nf;3,5\nm;-8\n' > comma.csv
    $ printf 'input: comma.csv\nreading: {na: [NA, -8], decimal: ","}\nsteps:\n  - protect.round: {vars: [x], base: 1}\noutput: round.csv\n' > read.yaml
    $ scrim run read.yaml --seed 1 > /dev/null; cat round.csv; grep reading round.csv.manifest.json
    sex;x
    m;2,0
    f;
    m;3,0
    f;4,0
    m;
      "reading": {"na": ["NA", "-8"], "decimal": ","},
    $ scrim run round.csv.manifest.json --seed 1 -o again.csv > /dev/null; cmp round.csv again.csv
    $ scrim protect top-bottom comma.csv --na NA,-8 --decimal , --var x --top 3 -o top.csv > /dev/null; cat top.csv; grep reading top.csv.manifest.json
    sex;x
    m;1,5
    f;
    m;2,5
    f;3
    m;
      "reading": {"na": ["NA", "-8"], "decimal": ","},
    $ scrim run top.csv.manifest.json -o again.csv > /dev/null; cmp top.csv again.csv
    $ sed 's/decimal/decimals/' read.yaml > bad.yaml; scrim run bad.yaml
    scrim: bad.yaml, line 2: reading has no 'decimals'. Did you mean 'decimal'?
    [2]
    $ sed 's/","/",,"/' read.yaml > bad.yaml; scrim run bad.yaml
    scrim: bad.yaml, line 2: decimal must be one character.
    [2]
    $ sed 's/decimal: ","/types: {x: text}/' read.yaml > bad.yaml; scrim run bad.yaml
    scrim: bad.yaml, line 4, column 'x': --vars: needs numbers, and this column holds text.
    [2]

What inspect suggests is a roles file, and roles fill any method.

    $ printf 'sex,x\nm,"1,5"\nf,"2,5"\nm,"3,5"\n' > commas.csv; scrim inspect commas.csv | grep commas:
      - 'x' is read as words: its numbers have decimal commas: try --decimal ,
    $ scrim inspect examples/clinic.csv -o found.yaml > /dev/null; cat found.yaml
    # Suggested from names and values: the data custodian decides.
    keys: ["sex", "age", "region", "education", "occupation", "marital"]
    sensitive: ["diagnosis", "smoker", "event"]
    numeric: ["income", "cholesterol", "bmi", "score"]
    weight: "w"
    household: "hid"
    identifiers: ["id", "name", "phone", "birthdate", "lat", "lon"]
    # Not decided. Give each of these a role, or list it as other: […] where it is harmless.
    #   visits: few values: known to others (keys), confidential (sensitive), or harmless (other)?
    $ scrim risk k-anonymity examples/clinic.csv --roles found.yaml | grep '^  k '
      k          1   Size of the smallest equivalence class, in people. 1 = someone is unique on the
    $ scrim protect suppress examples/clinic.csv --roles found.yaml --k 2 -o two.csv > /dev/null; scrim run two.csv.manifest.json -o again.csv > /dev/null; cmp two.csv again.csv
    $ scrim risk suda examples/clinic.csv --keys sex,age -o x.yaml
    scrim: risk.suda suggests no roles to write to x.yaml.
    [2]
    $ scrim inspect examples/clinic.csv --roles found.yaml
    scrim: inspect has no parameter --roles.
    [2]
    $ scrim risk suda examples/clinic.csv --roles nowhere.yaml
    scrim: nowhere.yaml: cannot open: there is no such file.
    [2]
    $ printf 'input: examples/clinic.csv\nsteps:\n  - protect.suppress: {k: 3, roles: found.yaml}\n' > bad.yaml; scrim run bad.yaml
    scrim: bad.yaml, line 3: roles hold for all steps: they stand at the head of the recipe.
    [2]

--public leaves out what helps an intruder, in every method; what a method makes is written whole.

    $ scrim risk detail examples/clinic.csv --vars income --public | sed -n '3,$p'
    
      identifiers           6   Columns that are direct identifiers by their role, name or values:
                                names, addresses, personal numbers, coordinates. 0 = none recognised
      dates                 1   Columns of exact dates, also as text (31/12/1999). 0 = none recognised
      free_text             0   Columns of free text, whose content was not examined
      undecided             –   Columns without a role in the roles file
      ages_above            3   Records with an age above --oldest, also by year of birth. 0 = safe
      key_count             6   Number of keys
      top_share    0.00341297   Smallest share of records that have the column's largest value, over
                                --vars, 0 to 1. Top coding at the 99.5% quantile gives at least 0.005.
                                Larger is safer
    $ scrim protect top-bottom examples/clinic.csv --var income --top-quantile 0.98 --public -o top.csv | grep -c income; scrim run top.csv.manifest.json -o again.csv > /dev/null; cmp top.csv again.csv
    0
    $ scrim risk individual examples/clinic.csv --keys sex,age --public -o each.csv
    scrim: --public writes nothing about single records: use -o with .html or .json.
    [2]

A seed that is a number can be guessed: the verdict of what is written says so.

    $ printf 'input: examples/clinic.csv\nsteps:\n  - protect.noise: {vars: income, amount: 0.1}\noutput: seeded.csv\n' > seeded.yaml
    $ scrim run seeded.yaml --seed 1 | tr '\n' ' ' | grep -o 'Warning: the seed was given as a number'
    Warning: the seed was given as a number
    $ scrim run seeded.yaml | tr '\n' ' ' | grep -c 'Warning: the seed was given as a number'
    0
    [1]

Records that stand elsewhere are compared with their own: another order protects nobody from linkage, and costs nothing.

    $ printf 'input: examples/clinic.csv\nroles: {keys: [sex], numeric: [income, bmi], identifiers: [id, name, phone, birthdate, lat, lon]}\nsteps:\n  - protect.reorder: {}\n  - utility.loss: {}\npolicy: {rules: [risk.linkage.confidentiality >= 0.9, utility.loss.loss <= 0]}\noutput: moved.csv\n' > moved.yaml
    $ scrim run moved.yaml 2>&1 | grep -E '^  (violated|satisfied)|order'
      violated   Share of released records that are not linked with their source: must be at least 90%,
      satisfied  Information loss: must be at most 0, is 0 (utility.loss.loss <= 0)
    $ scrim protect reorder examples/clinic.csv -o moved.csv > /dev/null; scrim risk linkage examples/clinic.csv moved.csv --vars income,bmi
    scrim: moved.csv: its records were put in another order, as its manifest says: their place does not tell whose they are. Measure in the recipe that reorders, which knows, or before it; methods that take --id can pair by that.
    [2]
    $ scrim risk reidentification examples/clinic.csv moved.csv --keys sex,age --id id | grep '^  people'
      people              300   {any}

A residual risk is gone after the step that it names: dates that were shifted, ids with others in their place, records in another order.

    $ (echo pid,sex,seen; for i in $(seq 100); do printf '%d,%s,20%02d-%02d-%02d\n' $((500 + i / 2)) $((i % 2)) $((10 + i % 9)) $((1 + i % 12)) $((1 + i % 28)); done) > seen.csv
    $ printf 'input: seen.csv\nroles: {keys: [sex]}\nsteps:\n  - protect.recode: {var: sex, merge: "1=f"}\npolicy: {rules: [risk.residual.count == 0]}\noutput: ends.csv\n' > ends.yaml; scrim run ends.yaml 2> /dev/null | grep 'Residual risk'
      violated   Residual risks: must be 0, is 3 (risk.residual.count == 0)
      Residual risks: must be 0, is 3. Try the recommended steps against each residual risk.
      Residual risk in pid: ids unchanged from the original. Recommended step: protect.pseudonym: {vars:
      Residual risk in seen: dates to the day. Recommended step: protect.shift-dates: {vars: [seen]}, or
      Residual risk: records are in the order of the original. Recommended step: protect.reorder: {}
    $ printf 'input: seen.csv\nroles: {keys: [sex]}\nsteps:\n  - protect.shift-dates: {vars: [seen], subject: pid}\n  - protect.pseudonym: {vars: [pid]}\n  - protect.reorder: {}\npolicy: {rules: [risk.residual.count == 0]}\noutput: ends.csv\n' > ends.yaml; scrim run ends.yaml | grep '^  satisfied'
      satisfied  Residual risks: must be 0, is 0 (risk.residual.count == 0)

What was dropped is not called blanked.

    $ printf 'input: examples/clinic.csv\nroles: {keys: [sex, region], identifiers: [id, name, phone]}\nsteps:\n  - protect.drop: {vars: [birthdate, lat, lon]}\n  - protect.suppress-records: {where: "age > 90", action: blank, vars: [age]}\noutput: dropped.csv\n' > dropped.yaml
    $ scrim run dropped.yaml | grep -A 2 'Information loss'
    Information loss
      Values suppressed: 3
      Columns dropped: birthdate, lat, lon

Codes with a nought in front, days and addresses have no decimal commas; a comma before three digits may be one; one word among numbers is missing.

    $ printf 'zip;day;from;amount;part;mark\n03601;02.06.2016;10.1.2.3;1,234;0,125;1.5\n82001;17.11.2015;10.1.20.30;12,500;1,250;NA\n00501;06.02.2015;10.100.200.3;7,001;3,500;2.5\n' | sed 's/NA/none/' > forms.csv; scrim inspect forms.csv | grep -A 1 "read as"
      - 'day' is read as words: it holds days in another form than 1999-12-31: try --types
        day:date:dd.mm.yyyy
      - 'amount' is read as words: its numbers have commas before three digits. Where these are
        decimals, try --decimal ,; thousands must be written without.
      - 'part' is read as words: its numbers have decimal commas: try --decimal ,
      - 'mark' is read as words: 66% numbers, the rest 'none': try --na none.
    

What was followed is not said again: then it is something else that keeps numbers from being read.

    $ printf 'a;b;c\n1,5;2.345,5;-0,125\n2,5;1.234,25;7,250\n3,5;2,5;1,125\nnone;3,5;9,999\n' > commas.csv; scrim inspect commas.csv | grep -A 1 "read as"; scrim inspect commas.csv --decimal , | grep -A 1 "read as"; scrim inspect commas.csv --decimal , --na none | grep -A 1 "read as"
      - 'a' is read as words: 75% numbers, the rest 'none': try --na none.
      - 'a' is read as words: its numbers have decimal commas: try --decimal ,
      - 'b' is read as words: its numbers have points between thousands, which must be written without,
        and decimal commas: then try --decimal ,
      - 'c' is read as words: its numbers have decimal commas: try --decimal ,
    
      - 'a' is read as words: 75% numbers, the rest 'none': try --na none.
      - 'b' is read as words: its numbers have points between thousands, which must be written without.
    
      - 'b' is read as words: its numbers have points between thousands, which must be written without.
    
    $ printf 'a,b\n"1",x\n"2",y\n"",z\n"4",z\n' > quoted.csv; scrim inspect quoted.csv | grep -A1 'read as'
      - 'a' is read as words: 75% numbers, the rest "", a word without letters: a missing cell has no
        quotes.

A cell's change hangs on its records' keys, not on the step of the recipe that makes the table.

    $ printf 'input: examples/clinic.csv\nsteps:\n  - tabular.cell-key: {dims: region, id: id}\noutput: first.csv\n' > first.yaml
    $ printf 'input: examples/clinic.csv\nsteps:\n  - protect.round: {vars: [income], base: 10}\n  - tabular.cell-key: {dims: region, id: id}\noutput: second.csv\n' > second.yaml
    $ scrim run first.yaml --seed 7 --quiet > /dev/null
    $ scrim run second.yaml --seed 7 --quiet > /dev/null
    $ cmp first.csv second.csv
