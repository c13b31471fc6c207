# audit --holders: what those who hold parts of a table would learn from it.

    $ scrim audit examples/clinic.csv --roles examples/roles.yaml --holders examples/holders.yaml --only attack.homogeneity | sed -n '/^Disclosure to holders/,/^$/p'
    Disclosure to holders of parts of the data
      night clinic: 142 people by attack.background, 124 without its own data; most from day clinic
      night clinic: 44 people by risk.roc-publication, 0 without its own data
      day clinic: 17 people by attack.background, 11 without its own data; most from night clinic
      day clinic: 28 people by risk.roc-publication, 0 without its own data
      insurer: 16 people by attack.background, 16 without its own data; most from night clinic
      insurer: 19.5 people by attack.linkage, 0.12 without its own data; most from day clinic
      night clinic with day clinic: 90 people by attack.background, 80 without its own data
      night clinic with day clinic: 48 people by risk.roc-publication, 0 without its own data
      night clinic with insurer: 171 people by attack.background, 158 without its own data; most from
        day clinic
      night clinic with insurer: 25 people by attack.linkage, 0.235 without its own data; most from day
        clinic
      night clinic with insurer: 44 people by risk.roc-publication, 0 without its own data
      day clinic with insurer: 17 people by attack.background, 11 without its own data; most from night
        clinic
      day clinic with insurer: 18 people by attack.linkage, 0.155 without its own data; most from night
        clinic
      day clinic with insurer: 28 people by risk.roc-publication, 0 without its own data
    
    $ scrim audit examples/clinic.csv --roles examples/roles.yaml --holders examples/holders.yaml --only attack.homogeneity --all | grep -A3 'consent forms'
      - For consent forms: 3 parties hold parts of these data. From this table, the one that would be
        sure of most people (night clinic with insurer) would be certain of the diagnosis of 171 of the
        179 people whose records it does not hold, most of them of day clinic.
      - For consent forms: by what they hold of people, night clinic with insurer would be expected to
        tell rightly which record of the table is whose for 25 of the 179 people whose records it does
        not hold; no other of them for more.
      - The table still has direct identifiers (id, name, phone, birthdate, lat, lon). Remove them
    $ printf 'holders:\n  - party: A\n' > bad.yaml; scrim audit examples/clinic.csv --roles examples/roles.yaml --holders bad.yaml
    scrim: bad.yaml, line 2: a holder needs a rule (which records are its own) or a file.
    [2]

Since when is said beside it.

    $ scrim audit examples/clinic.csv --roles examples/roles.yaml --holders examples/holders.yaml --only attack.homogeneity --format json | python3 -c "import json, sys; print(sorted({(r[0], r[-1]) for r in json.load(sys.stdin)['tables']['holders']['rows'] if r[-1]}))"
    [('day clinic', '2023'), ('day clinic with insurer', '2023'), ('night clinic', '2021'), ('night clinic with day clinic', '2021, 2023'), ('night clinic with insurer', '2021')]
