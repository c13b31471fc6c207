# Columns that name people do not come out of a synthesis.

    $ for m in cart sequential copula; do scrim synth $m examples/clinic.csv --seed 1 -o new.csv > /dev/null; head -3 new.csv | cut -d, -f1-3; awk -F, 'NR == FNR { for (c = 1; c < 4; c++) real[c, $c]; next } FNR > 1 { for (c = 1; c < 4; c++) if ((c, $c) in real) copied++ } END { print copied + 0 }' examples/clinic.csv new.csv; done
    id,name,phone
    100001,name 1,phone 1
    100002,name 2,phone 2
    0
    id,name,phone
    100001,name 1,phone 1
    100002,name 2,phone 2
    0
    id,name,phone
    100001,name 1,phone 1
    100002,name 2,phone 2
    0
    $ printf 'identifiers: [id, name, phone, occupation]\nother: [lat, lon]\n' > roles.yaml; scrim synth cart examples/clinic.csv --roles roles.yaml --seed 1 -o new.csv | grep -A 4 'made up'; head -2 new.csv | tail -1 | cut -d, -f1-3,8
      - Values were made up for columns that name people or are free text: id (a direct identifier by
        its role), name (a direct identifier by its role), phone (a direct identifier by its role),
        occupation (a direct identifier by its role). Name in --other what is harmless.
      - Drawn from trees, without a differential privacy guarantee. Original values recur in other
        combinations. Measure the risk with --evaluate.
    100001,name 1,phone 1,occupation 1
    $ scrim synth cart examples/clinic.csv --vars sex,name --other name --seed 1 -o new.csv | grep -c 'made up'
    0
    [1]
    $ scrim synth cart examples/clinic.csv --visit name
    scrim: column 'name': --visit: names people or is free text: its values are made up and not drawn. Leave the column out, or name it in --other if it is harmless.
    [2]
    $ scrim synth partial examples/clinic.csv --vars income,name
    scrim: column 'name': --vars: names people or is free text: its values are made up and not drawn. Leave the column out, or name it in --other if it is harmless.
    [2]
    $ scrim synth cart examples/clinic.csv --vars id,name
    scrim: column 'id': every column names people or is free text: nothing is left to synthesise. Name in --other the columns that are harmless.
    [2]
