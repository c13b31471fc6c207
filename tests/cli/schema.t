# A schema is proposed from a table, and is refused until its derived lines were confirmed.

    $ scrim inspect examples/clinic.csv --schema -o schema.yaml > /dev/null; grep -E '^unit|age|income|sex|# +(id|hid)' schema.yaml
    unit: add-remove  # the number of records is confidential; replace-one takes it as public
      "sex": {categories: ["f", "m", other], missing: possible, confirm: categories}  # categories from the data: those of ten records or more
      "age": {type: integer, bounds: [0, 120], missing: possible}  # bounds of an age, by the column's name
      "income": {type: integer, bounds: [0, 200000], missing: possible, confirm: bounds}  # bounds from the data, rounded
    #   id names people
    #   hid is the number of a household
    $ scrim synth private examples/clinic.csv --schema schema.yaml --zcdp 1 --no-ledger
    scrim: schema.yaml, line 7: --schema: 'sex' is not confirmed: it was derived from the data. Compare it with what is public, correct it, and remove `confirm`.
    [2]
    $ scrim release check-schema examples/clinic.csv --schema schema.yaml
    scrim: schema.yaml, line 7: --schema: 'sex' is not confirmed: it was derived from the data. Compare it with what is public, correct it, and remove `confirm`.
    [2]
    $ sed 's/, confirm: [a-z]*//' schema.yaml > confirmed.yaml; scrim synth private examples/clinic.csv --schema confirmed.yaml --method mst --zcdp 1 --no-ledger -o new.csv > /dev/null; head -1 new.csv
    sex,age,region,education,occupation,marital,visits,income,cholesterol,bmi,diagnosis,smoker,score,event,w
    $ scrim inspect examples/clinic.csv -o roles.yaml > /dev/null; head -1 roles.yaml
    # Suggested from names and values: the data custodian decides.
