# scrim run with a register of releases: earlier releases of an input are found, and the new one is judged together with them.

Two releases of twelve people, each with three people or more in its smallest class. Together they leave four people alone.

    $ mkdir register; printf 'id,age,area\n' > people.csv; for i in 0 1 2 3 4 5 6 7 8 9 10 11; do echo "$i,$((20 + i * 7 % 40)),$(echo abcd | cut -c$((i % 4 + 1)))" >> people.csv; done
    $ cat > one.yaml << 'END'
    > input: people.csv
    > roles: {keys: [age, area], identifiers: [id]}
    > steps:
    >   - protect.recode: {var: age, breaks: [0, 100]}
    >   - protect.reorder: {}
    > policy: {rules: [risk.k-anonymity.k >= 3]}
    > releases: register
    > END
    $ sed 's/breaks: .*/breaks: [0, 40, 100]}\n  - protect.recode: {var: area, merge: "a,b,c,d=all"}/' one.yaml > two.yaml
    $ scrim run one.yaml -o one.csv | grep '^  satisfied'
      satisfied  Size of the smallest equivalence class, in people: must be at least 3, is 3
    $ ls register; stat -c %a register/one.csv register/register.json; head -1 register/one.csv
    one.csv
    register.json
    600
    600
    age,area,scrim_input_record
    $ sed /releases/d two.yaml > alone.yaml; scrim run alone.yaml -o alone.csv | grep '^  satisfied'
      satisfied  Size of the smallest equivalence class, in people: must be at least 3, is 6
    $ scrim run two.yaml -o two.csv --all | grep -E '^  violated|re-identified with certainty|The register'
    scrim: the policy is violated: risk.k-anonymity.k >= 3 (observed: 1).
      violated   Size of the smallest equivalence class, in people: must be at least 3, is 1
      12 → 4 re-identified with certainty by an intruder who knows everybody's age and area
      - The register has 1 earlier release, with which this one was judged.
    $ scrim run two.yaml -o two.csv > /dev/null; ls register two.csv
    scrim: the policy is violated: risk.k-anonymity.k >= 3 (observed: 1).
    ls: cannot access 'two.csv': No such file or directory
    register:
    one.csv
    register.json
    [2]

The same output again takes the place of its entry; an input that has changed is another one.

    $ scrim run one.yaml -o one.csv --seed 3 > /dev/null; ls register
    one.csv
    register.json
    $ echo 12,30,a >> people.csv; scrim run one.yaml -o three.csv
    scrim: register: is a register of another input, or of this one before it was changed. Use a register of its own, or name earlier releases as `previous` among the roles, with a column that numbers the people.
    [2]
    $ scrim run one.yaml -o three.csv --releases nowhere
    scrim: nowhere: this folder cannot be read. Make the folder of the register first. It is for the data custodian alone.
    [2]

Among the roles, earlier releases are linked by a column that numbers the people; `audit --previous` does the same.

    $ awk -F, -v OFS=, 'NR > 1 {$3 = "all"} 1' people.csv > old.csv; awk -F, -v OFS=, 'NR > 1 {$2 = "all"} 1' people.csv > new.csv
    $ scrim risk k-anonymity new.csv --keys age,area --id id --previous old.csv | grep -E '^  (k|releases) '
      k          1   Size of the smallest equivalence class, in people. 1 = someone is unique on the
      releases   2   With --previous: number of releases evaluated together
    $ printf 'keys: [age, area]\nprevious: [old.csv]\nperson: id\n' > roles.yaml; scrim audit new.csv --roles roles.yaml --only risk.k-anonymity --format json | tr ',' '\n' | grep '"releases"'
            "releases": 2
    $ printf 'keys: [age, area]\nperson: id\n' > roles.yaml; scrim audit new.csv --roles roles.yaml --previous old.csv --only risk.k-anonymity --format json | tr ',' '\n' | grep '"releases"'
            "releases": 2
    $ scrim risk k-anonymity new.csv --keys age,area --previous old.csv
    scrim: new.csv: cannot be linked to the other release: nothing says whose its records are. Name a column of both that numbers the people (--id, or the role person), or give the original.
    [2]
