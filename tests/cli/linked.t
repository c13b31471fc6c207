# scrim run: a recipe with several files that share their people.

Three files. Every step is taken on each file that has its columns; pseudonyms and shifts are the same for a person in all of them.

    $ printf 'pid,sex,birth,name\nP001,f,1950-03-01,Ann\nP002,m,1960-05-05,Bob\nP003,f,1970-07-07,Cat\nP004,m,1980-01-31,Dan\n' > patients.csv
    $ printf 'vid,pid,admitted,ward\nV1,P001,2023-01-10,A\nV2,P001,2023-02-10,B\nV3,P002,2023-01-11,A\nV4,P003,2023-03-01,B\nV5,P004,2023-03-02,A\n' > visits.csv
    $ printf 'vid,person,taken,value\nV1,P001,2023-01-10,5\nV1,P001,2023-01-11,6\nV4,P003,2023-03-01,7\n' > lab.csv
    $ cat > recipe.yaml <<'END'
    > files:
    >   - {name: patients, input: patients.csv, person: pid, output: p.csv, roles: {keys: [sex, birth], identifiers: [name]}}
    >   - {name: visits, input: visits.csv, person: pid, output: v.csv, roles: {keys: [ward]}}
    >   - {name: lab, input: lab.csv, person: person, parent: {vid: visits.vid}, output: l.csv, roles: {numeric: [value]}}
    > steps:
    >   - protect.pseudonym: {vars: [pid, person, vid]}
    >   - protect.shift-dates: {vars: [birth, admitted, taken], days: 100}
    >   - protect.reorder
    > END
    $ scrim run recipe.yaml --seed 1 --quiet --format json > out.json; ls *.csv* | cat
    l.csv
    l.csv.manifest.json
    lab.csv
    p.csv
    p.csv.manifest.json
    p.csv.seed
    patients.csv
    v.csv
    v.csv.manifest.json
    visits.csv
    $ python3 - <<'END'
    > import csv, datetime, json
    > day = lambda t: datetime.date.fromisoformat(t)
    > read = lambda f: list(csv.DictReader(open(f)))
    > p, v, l = read('p.csv'), read('v.csv'), read('l.csv')
    > print(sorted(p[0]), len(p), len(v), len(l))
    > people = {x['pid'] for x in p}
    > print(len(people), {x['pid'] for x in v} <= people, {x['person'] for x in l} <= people, {x['vid'] for x in l} <= {x['vid'] for x in v})
    > print(people & {x['pid'] for x in read('patients.csv')})
    > born, visit = {x['pid']: day(x['birth']) for x in p}, {x['vid']: (x['pid'], day(x['admitted'])) for x in v}
    > print(sorted((visit[x['vid']][1] - born[x['person']]).days for x in l), sorted((day(x['taken']) - visit[x['vid']][1]).days for x in l))
    > out = json.load(open('out.json'))
    > print(out['values']['people'], out['values']['records'], out['tables']['links']['rows'])
    > END
    ['birth', 'pid', 'sex'] 4 5 3
    4 True True True
    set()
    [19230, 26613, 26613] [0, 0, 1]
    4 12 [['visits', 'pid', 'patients', 'pid', 0, 0], ['lab', 'person', 'patients', 'pid', 0, 0], ['lab', 'vid', 'visits', 'vid', 0, 0]]

A column that no file has, and a step that breaks a link, are errors; nothing is written.

    $ sed 's/vid\]/wid]/' recipe.yaml > typo.yaml; scrim run typo.yaml --quiet
    scrim: typo.yaml, line 6: protect.pseudonym names the column 'wid', which no file has at this step. Did you mean 'pid'?
    [2]
    $ sed 's/\[pid, person, vid\]/[pid, vid]/' recipe.yaml > half.yaml; scrim run half.yaml --quiet
    scrim: half.yaml: the steps broke the link from lab.person to patients.pid: 3 records refer to nothing, 0 before. Name both columns in the same step, and draw or drop people rather than records.
    [2]
    $ sed 's/output: v.csv/output: p.csv/' recipe.yaml > same.yaml; scrim run same.yaml --quiet
    scrim: same.yaml, line 3: two files have the output 'p.csv'.
    [2]
    $ sed 's/output: v.csv/output: lab.csv/' recipe.yaml > over.yaml; scrim run over.yaml --quiet
    scrim: lab.csv: is an input, and would be lost. Write the release to a file of its own.
    [2]
    $ sed 's/person: person, //' recipe.yaml > nobody.yaml; scrim run nobody.yaml --quiet
    scrim: nobody.yaml, line 4: 'lab' names no person. person: COLUMN says whose each record is, and links the files.
    [2]
    $ sed 's/visits.vid/ward.vid/' recipe.yaml > parent.yaml; scrim run parent.yaml --quiet
    scrim: parent.yaml, line 4: there is no file 'ward'.
    [2]
    $ scrim run recipe.yaml -o all.csv --quiet
    scrim: --output: a recipe with files has an output for each of them. Write `output:` beside each file's input.
    [2]

Without a seed the same secret still serves all files of the run.

    $ scrim run recipe.yaml --quiet > /dev/null; python3 -c "
    > import csv
    > read = lambda f: list(csv.DictReader(open(f)))
    > print({x['pid'] for x in read('v.csv')} <= {x['pid'] for x in read('p.csv')})"
    True

The made-up hospital is what its script writes. Its links are proposed from a folder, and its release satisfies its rules.

    $ cp -r examples/hospital .; cd hospital; cp visits.csv before.csv; python3 -B make.py; cmp visits.csv before.csv; rm before.csv; scrim inspect patients.csv --files . --format json --quiet | python3 -c "
    > import json, sys
    > t = json.load(sys.stdin)['tables']
    > print(t['links']['rows']); print(t['files']['rows'])"
    [['laboratory', 'patient', 'patients', 'patient', 295, 0], ['laboratory', 'visit', 'visits', 'visit', 295, 0], ['visits', 'patient', 'patients', 'patient', 198, 0]]
    [['patients', 120, 'patient', None], ['laboratory', 295, 'patient', 'visit: visits.visit'], ['visits', 198, 'patient', None]]
    $ cd hospital; scrim run recipe.yaml --seed 1 --format json --quiet | python3 -c "
    > import csv, json, sys
    > d = json.load(sys.stdin)
    > v = d['results']['after']['results']['risk.reidentification']
    > print(d['values']['state'], d['values']['people'], d['values']['records'], v['values']['truth'], v['values']['knows'])
    > print(d['tables']['links']['rows'])
    > one, two, whole = [row[2] for row in v['tables']['knowledge']['rows']]
    > print(one <= two <= whole, whole > 0.3)
    > read = lambda f: list(csv.DictReader(open('released-' + f + '.csv')))
    > p, s, t = read('patients'), read('visits'), read('laboratory')
    > print(len(p), len(s), len(t), {x['patient'] for x in s} <= {x['patient'] for x in p}, {x['visit'] for x in t} <= {x['visit'] for x in s})"
    residual risk 120 613 recipe one
    [['visits', 'patient', 'patients', 'patient', 0, 0], ['laboratory', 'patient', 'patients', 'patient', 0, 0], ['laboratory', 'visit', 'visits', 'visit', 0, 0]]
    True True
    120 198 295 True True

The same files without a step are an audit: what is known before anything is done.

    $ cd hospital; sed -e '/^steps:/,/^policy:/{/^policy:/!d}' -e '/output:/d' recipe.yaml > audit.yaml; scrim run audit.yaml --quiet 2>&1 | sed -n '2,3p'
    Not ready: 120 of 120 people (100%) are re-identified in a simulated attack by an intruder who knows
    file, sex, born, district, admitted and ward, and all 3 rules of the policy are violated. This is

A parent key in the release says which test belongs to which visit. Person 2 has the visits and the tests of the others, and is the only one with test y at
a visit to ward A. Without the key in the release nobody is unique. A file with one record per person tells which visit is meant in the same way.

    $ mkdir above; cd above; printf 'pid,sex\n1,f\n2,f\n3,f\n4,f\n' > pat.csv
    $ cd above; printf 'vid,pid,ward\nv1,1,A\nv2,1,B\nv3,2,A\nv4,2,B\nv5,3,A\nv6,3,B\nv7,4,A\nv8,4,B\n' > vis.csv
    $ cd above; printf 'vid,pid,test\nv1,1,x\nv2,1,y\nv3,2,y\nv4,2,x\nv5,3,x\nv6,3,y\nv7,4,x\nv8,4,y\n' > lab.csv
    $ cd above; printf 'vid,pid,test\nv1,1,x\nv4,2,x\nv5,3,x\nv7,4,x\n' > once.csv
    $ cd above; cat > keyed.yaml <<'END'
    > files:
    >   - {name: pat, input: pat.csv, person: pid, roles: {keys: [sex], knows: all}}
    >   - {name: vis, input: vis.csv, person: pid, roles: {keys: [ward], other: [vid]}}
    >   - {name: lab, input: lab.csv, person: pid, parent: {vid: vis.vid}, roles: {keys: [test], other: [vid]}}
    > steps:
    >   - protect.pseudonym: {vars: [pid, vid]}
    >   - protect.reorder
    > END
    $ cd above; sed 's/lab.csv/once.csv/' keyed.yaml > once.yaml; sed 's/protect.reorder/protect.drop: {vars: [vid]}/; s/pid, vid\]}/pid]}/' keyed.yaml > unkeyed.yaml
    $ cd above; for r in keyed once unkeyed; do scrim run $r.yaml --seed 1 --quiet --format json | python3 -c "
    > import json, sys
    > r = json.load(sys.stdin)['results']['after']['results']
    > print('$r', r['risk.k-anonymity']['tables']['knowledge']['rows'], r['risk.reidentification']['values']['certain'])"; done
    keyed [['one', 1, 1], ['two', 1, 1], ['all', 1, 1]] 1
    once [['one', 1, 1], ['two', 1, 1], ['all', 1, 1]] 1
    unkeyed [['one', 4, 0], ['two', 4, 0], ['all', 4, 0]] 0

Released files show who has a record in them, even a blank one: persons 1 and 2 have a visit whose ward is suppressed, 3 and 4 have none.

    $ cd above; printf 'vid,pid,ward\nv1,1,\nv2,2,\n' > vis.csv; sed '/name: lab/d; s/knows: all/knows: one/' keyed.yaml > blank.yaml; scrim run blank.yaml --seed 1 --quiet --format json | python3 -c "
    > import json, sys
    > r = json.load(sys.stdin)['results']['after']['results']['risk.k-anonymity']
    > print(r['params']['keys'], r['values']['k'], r['values']['classes'])"
    ['file', 'sex', 'ward'] 2 2

A folder is profiled file by file, with the links. One table is needed where a folder is given to audit.

    $ cd hospital; mkdir set; cp patients.csv visits.csv laboratory.csv set; scrim inspect set --format json --quiet | python3 -c "
    > import json, sys
    > d = json.load(sys.stdin)
    > print(d['values'], list(d['results']), len(d['tables']['links']['rows']), [len(r['tables']['profile']['rows']) for r in d['results'].values()])
    > print(d['notes'][1])"
    {'records': 613, 'columns': 16} ['laboratory', 'patients', 'visits'] 3 [5, 5, 6]
    `patient` of patients says whose the records of all linked files are. Name it as the person. It is no identifier to drop: protect.pseudonym replaces it alike in all files.
    $ scrim inspect
    scrim: inspect needs an input: a table, or a folder of linked tables. For example: scrim inspect examples/clinic.csv
    [2]

A person's number that is repeated by mistake is still the person, and the number of a visit is not.

    $ mkdir twice; printf 'patient_id,sex\nP1,f\nP2,m\nP2,f\nP4,m\nP5,f\nP6,m\n' > twice/patients.csv
    $ printf 'visit,patient_id\nV1,P1\nV2,P1\nV3,P2\nV4,P4\nV5,P5\nV6,P6\n' > twice/visits.csv; printf 'visit,patient_id,test\nV1,P1,x\nV2,P1,y\nV3,P2,x\nV3,P2,y\n' > twice/tests.csv
    $ scrim inspect twice --format json --quiet | python3 -c "
    > import json, sys
    > d = json.load(sys.stdin); print(d['tables']['files']['rows'], *d['notes'], sep='\n')"
    [['patients', 6, 'patient_id', None], ['tests', 4, 'patient_id', 'visit: visits.visit'], ['visits', 6, 'patient_id', None]]
    No file has one record for each value of `patient_id`: patients has 6 records and 5 values. If each person has one record there, correct the repeated or missing numbers.
    The links are suggestions from names and values. A recipe takes them as `files:`.
