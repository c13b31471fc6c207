# Tables in other formats than CSV: whatever reads a table reads them, and what fails says so and writes nothing.

Through all of them and back, the table is the same.

    $ scrim convert examples/clinic.csv a.dta > /dev/null; scrim convert a.dta a.sav > /dev/null; scrim convert a.sav a.zsav > /dev/null; scrim convert a.zsav a.xpt | grep named; scrim convert a.dta a.xlsx > /dev/null
    $ scrim convert a.xlsx a.arrow > /dev/null; scrim convert a.arrow sqlite:a.db#people > /dev/null; scrim convert sqlite:a.db#people a.arrows > /dev/null; cat a.arrows | scrim convert - back.csv > /dev/null; cmp back.csv examples/clinic.csv && echo same
    same

Standard input and output may be closed: what is written there by others is not in the file.

    $ for f in d.sav d.xlsx; do scrim convert examples/clinic.csv $f 0<&- 2>&- > /dev/null; scrim convert $f back.csv > /dev/null; cmp back.csv examples/clinic.csv && echo same; done
    same
    same
    $ for f in d.sav d.xlsx; do rm $f; scrim convert examples/clinic.csv $f 1>&- 2>&-; scrim convert $f back.csv > /dev/null; cmp back.csv examples/clinic.csv && echo same; done
    same
    same

Any of them is a method's input and output; a release does not take its input's place.

    $ scrim risk k-anonymity "sqlite:a.db?query=select sex, region from people where age > 40" --keys sex,region --format json | grep -o '"k"' | head -1
    "k"
    $ scrim protect suppress a.sav --keys sex,age,region --k 3 -o b.sav > /dev/null; grep -c '"age": {"suppressed": [1-9][0-9]*, "before": 0}' b.sav.manifest.json; scrim convert b.sav b.csv > /dev/null; scrim protect suppress examples/clinic.csv --keys sex,age,region --k 3 -o c.csv > /dev/null; cmp b.csv c.csv && echo same
    1
    same
    $ scrim protect noise sqlite:a.db#people --vars income --amount 0.1 -o sqlite:./a.db#people
    scrim: sqlite:./a.db#people: is an input of this command, and would be overwritten. Choose another output file.
    [2]
    $ scrim protect noise a.sav --vars income --amount 0.1 -o a.sav
    scrim: a.sav: is an input of this command, and would be overwritten. Choose another output file.
    [2]

What is broken, absent or not to be had is one sentence, and the old target stays.

    $ head -c 2000 a.sav > cut.sav; echo precious > out.csv; scrim convert cut.sav out.csv; cat out.csv
    scrim: cut.sav: cannot be read as a whole SPSS file (File did not contain the expected number of rows). It may have been cut short, or be of another kind than its suffix says; copy or save it again.
    precious
    $ head -c 3000 a.xlsx > cut.xlsx; scrim convert cut.xlsx out.csv; cat out.csv
    scrim: cut.xlsx: cannot be read as an Excel workbook: it is no ZIP archive. It may have been cut short, or be an old .xls; save it as .xlsx.
    precious
    $ head -c 3000 a.arrow > cut.arrow; scrim convert cut.arrow out.csv; cat out.csv
    scrim: cut.arrow: is not a whole Arrow file or stream: it does not end as a file does. It may have been cut short; write or copy it again.
    precious
    $ sed 's/<release>118/<release>999/' a.dta > new.dta; scrim convert new.dta out.csv
    scrim: new.dta: is a Stata file of a version that is not supported. Save it again in another version of the format.
    [2]
    $ scrim convert a.csv.sav out.csv
    scrim: a.csv.sav: cannot open: there is no such file.
    [2]
    $ scrim convert sqlite:a.db#nope out.csv
    scrim: sqlite:a.db#nope: there is no table 'nope' in it.
    [2]
    $ scrim convert "sqlite:a.db?query=select nope from people" out.csv
    scrim: sqlite:a.db?query=select nope from people: SQLite says: no such column: nope.
    [2]
    $ scrim convert sqlite:a.db out.csv
    scrim: sqlite:a.db: names no table. Put #TABLE, or ?query=select …, after the database.
    [2]
    $ scrim convert a.xlsx out.csv --sheet Nope
    scrim: a.xlsx: has no sheet 'Nope'. It has: 'Sheet1'.
    [2]
    $ scrim convert postgresql://u:secret@localhost/db#t out.csv
    scrim: postgresql://…: a name that is kept in results must not hold a password. Put the password into ~/.pgpass or PGPASSWORD.
    [2]
    $ scrim convert "postgresql:///db?host=/nowhere&user=u#t" out.csv 2>&1 | head -c 60
    scrim: postgresql:///db?host=/nowhere&user=u#t: PostgreSQL s
    $ SCRIM_DUCKDB=/nowhere.so scrim convert a.parquet out.csv
    scrim: a.parquet: SCRIM_DUCKDB names no library that can be opened, and this is read by it. Put libduckdb.so (duckdb.org, C/C++; or the npm package @duckdb/node-bindings-linux-x64 or -arm64) where libraries are found, or name it in SCRIM_DUCKDB.
    [2]
    $ SCRIM_DUCKDB=$(dirname $SCRIM)/libaborts.so scrim convert a.parquet out.csv
    scrim: a.parquet: out of memory, or a library failed that was at work.
    [1]
    $ SCRIM_DUCKDB=$(dirname $SCRIM)/libaborts.so scrim convert examples/clinic.csv a.parquet; ls -a | grep scrim-
    scrim: a.parquet: out of memory, or a library failed that was at work.
    [1]
    $ cat out.csv
    precious

A workbook is whole or is not written: what is made goes through temporary files, whose room may run out.

    $ (echo a,b; seq 20000 | sed 's|.*|&,word&|') > long.csv; (ulimit -f 100; scrim convert long.csv long.xlsx); echo $?; ls long.xlsx
    scrim: long.xlsx: cannot be written whole: memory or room for temporary files ran out.
    1
    ls: cannot access 'long.xlsx': No such file or directory
    [2]

JSON lines without a line have no columns.

    $ : > empty.jsonl; scrim convert empty.jsonl -
    scrim: empty.jsonl: is empty: there are no records, and no columns.
    [2]

A model that is saved as .json is held there whole, and drawn from; the result of any other run is no table.

    $ (echo a,b; seq 40 | sed 's|.*|&,x|') > few.csv; scrim synth cart few.csv --other a --save-model -o model.json > /dev/null; scrim synth draw model.json --n 3 -o drawn.csv > /dev/null; wc -l < drawn.csv; head -1 drawn.csv
    4
    b,a
    $ scrim synth cart few.csv -o result.json > /dev/null; scrim synth draw result.json 2>&1 | head -c 60
    scrim: result.json: is in no format that is known by its nam
    $ scrim synth cart few.csv --other a --save-model --public -o public.json > /dev/null; grep -c "leaf 0" public.json
    0
    [1]

Lines that end in CR alone are lines, at once and in parts; beside an LF, a CR is a character of its cell.

    $ printf 'a,b\r1,2\r3,4\r' > cr.csv; scrim convert cr.csv - ; scrim protect round cr.csv --vars b --base 1 --max-memory 64M -o lf.csv > /dev/null; cat lf.csv; printf 'a,b\r1,2\r' | gzip -c > cr.csv.gz; scrim convert cr.csv.gz -
    a,b
    1,2
    3,4
    a,b
    1,2
    3,4
    a,b
    1,2

Imputation fills empty cells; a code that means "missing" stays, unless it is named.

    $ (echo g,y; for i in 1 2 3 4 5 6 7 8; do printf 'a,%s\n' $i N '' 9; done) > codes.csv; for c in X N; do scrim synth impute codes.csv --missing-codes $c --seed 1 --format json -o done.csv | grep -o '"imputed": *[0-9]*' | head -1; grep -c N done.csv; done
    "imputed": 8
    8
    "imputed": 16
    0
    [1]

Records and blanks that a format cannot hold are an error, not a loss: values that differ only in blanks at their end, blank records before the end of a SAS transport file. An Excel sheet keeps empty records.

    $ printf 'id,x\n1,a\n2,"a "\n' > blanks.csv; for f in sav dta xpt; do scrim convert blanks.csv blanks.$f; done
    scrim: blanks.sav, column 'x': has values that differ only in the blanks at their end, which this kind of file does not keep. Recode them, or write CSV, Excel or Arrow.
    scrim: blanks.dta, column 'x': has values that differ only in the blanks at their end, which this kind of file does not keep. Recode them, or write CSV, Excel or Arrow.
    scrim: blanks.xpt, column 'x': has values that differ only in the blanks at their end, which this kind of file does not keep. Recode them, or write CSV, Excel or Arrow.
    [1]
    $ printf 'x\na\n""\nb\n""\n' > ends.csv; scrim convert ends.csv ends.xlsx > /dev/null; scrim convert ends.xlsx - | wc -l; scrim convert ends.csv ends.xpt
    5
    scrim: ends.xpt, record 4: is all blank text, which a SAS transport file cannot tell from its end. Add a column of numbers, or write another format.
    [1]
