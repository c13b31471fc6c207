# Where files go, and with what mode.

A new file follows the umask, an existing one keeps its mode; seeds and manifests are for their owner alone.

    $ umask 022; scrim protect noise examples/clinic.csv --vars income --amount 0.1 --seed-file my.seed -o new.csv > /dev/null; stat -c '%a %n' new.csv new.csv.manifest.json my.seed
    644 new.csv
    600 new.csv.manifest.json
    600 my.seed
    $ umask 027; scrim convert examples/clinic.csv other.csv > /dev/null; stat -c '%a %n' other.csv
    640 other.csv
    $ touch kept.csv; chmod 604 kept.csv; umask 077; scrim convert examples/clinic.csv kept.csv > /dev/null; stat -c '%a %n' kept.csv
    604 kept.csv
    $ touch open.seed; chmod 644 open.seed; rm open.seed; umask 000; scrim protect noise examples/clinic.csv --vars income --amount 0.1 --seed-file open.seed -o x.csv > /dev/null; stat -c '%a %n' open.seed x.csv x.csv.manifest.json
    600 open.seed
    666 x.csv
    600 x.csv.manifest.json
    $ touch y.csv.manifest.json; chmod 666 y.csv.manifest.json; scrim protect noise examples/clinic.csv --vars income --amount 0.1 -o y.csv > /dev/null; stat -c '%a %n' y.csv.manifest.json
    600 y.csv.manifest.json

A symlink's target is what gets written.

    $ mkdir deep; ln -s deep/real.csv link.csv; scrim convert examples/homes.csv link.csv > /dev/null; stat -c '%F %n' link.csv deep/real.csv
    symbolic link link.csv
    regular file deep/real.csv
    $ echo old > deep/real.csv; scrim convert examples/homes.csv link.csv > /dev/null; stat -c '%F %n' link.csv; cmp deep/real.csv examples/homes.csv && echo same
    symbolic link link.csv
    same

Standard input and output, FIFOs, devices.

    $ cat examples/homes.csv | scrim convert - - | cmp - examples/homes.csv && echo same
    same
    $ scrim convert examples/homes.csv /dev/stdout | cmp - examples/homes.csv && echo same
    same
    $ scrim protect top-bottom examples/homes.csv --var lat --top 47.06 -o - | head -3
    subject,lat,lon
    1,47.05074,8.0905
    2,47.05006,8.09975
    $ scrim protect top-bottom examples/homes.csv --var lat --top 47.06 -o /dev/stdout | head -2
    subject,lat,lon
    1,47.05074,8.0905
    $ mkfifo in.fifo out.fifo; cat examples/homes.csv > in.fifo & scrim convert in.fifo out.fifo > /dev/null & cmp out.fifo examples/homes.csv && echo same; wait
    same
    $ scrim convert examples/homes.csv /dev/null
    convert  Convert a table to another file format
    
      rows     8   Records written
      columns  3   Columns written
    
    Parameters
      data = examples/homes.csv; output = /dev/null
    $ scrim convert /dev/null out.csv
    scrim: /dev/null: is empty. A table begins with a line that names its columns.
    [2]

Compressed by suffix.

    $ scrim convert examples/clinic.csv c.csv.gz > /dev/null && scrim convert c.csv.gz c.csv.zst > /dev/null && scrim convert c.csv.zst c.csv > /dev/null && cmp c.csv examples/clinic.csv && echo same
    same

What cannot be written leaves nothing, and an existing file as it was.

    $ scrim convert examples/clinic.csv nowhere/out.csv
    scrim: nowhere/out.csv: cannot write: there is no such folder.
    [2]
    $ mkdir folder.csv; scrim convert examples/clinic.csv folder.csv
    scrim: folder.csv: is a folder, not a file.
    [2]
    $ scrim convert examples/clinic.csv /dev/full
    scrim: /dev/full: cannot write: No space left on device. Nothing was written; free some space and run it again.
    [1]
    $ scrim methods > /dev/full
    scrim: cannot write to standard output: No space left on device.
    [1]
    $ scrim risk k-anonymity examples/clinic.csv --keys sex --format json > /dev/full
    scrim: cannot write to standard output: No space left on device.
    [1]
    $ scrim convert examples/clinic.csv out.unknown
    scrim: out.unknown: is in no format that is known by its name. Tables are .csv, .tsv, .txt (also .gz, .zst), .sav, .zsav, .por, .dta, .sas7bdat, .xpt, .xlsx, .ods, .docx, .jj, .rda, .jsonstat, .px, .arrow, .arrows, .feather, .parquet, .jsonl, .ndjson, duckdb:?query=select …, sqlite:FILE#TABLE, postgresql://USER@HOST/DB#TABLE; '-' is a standard stream.
    [2]
    $ echo precious > small.csv; (ulimit -f 4; scrim convert examples/clinic.csv small.csv); cat small.csv
    scrim: small.csv: cannot write: File too large.
    precious
    $ ls
    c.csv
    c.csv.gz
    c.csv.zst
    deep
    examples
    folder.csv
    in.fifo
    kept.csv
    link.csv
    my.seed
    new.csv
    new.csv.manifest.json
    open.seed
    other.csv
    out.fifo
    small.csv
    x.csv
    x.csv.manifest.json
    y.csv
    y.csv.manifest.json

Standard input is read once, and its table can be written with what was found; a report and a table in one go; an input is not overwritten.

    $ cat examples/clinic.csv | scrim risk k-anonymity - --keys sex,age -o counted.csv --format csv > /dev/null; head -2 counted.csv | cut -d, -f1,23,24
    id,fk,Fk
    12087,6,6.0
    $ scrim protect top-bottom examples/homes.csv --var lat --top 47.06 -o top.html -o top.csv > /dev/null; wc -l < top.csv
    9
    $ cp examples/homes.csv mine.csv; scrim protect top-bottom mine.csv --var lat --top 47.06 -o ./mine.csv; cmp mine.csv examples/homes.csv && echo untouched
    scrim: ./mine.csv: is an input of this command, and would be overwritten. Choose another output file.
    untouched
    $ scrim protect top-bottom mine.csv --var lat --top 47.06 -o a.csv -o b.csv
    scrim: there is 1 table to write, and 2 names for them (-o).
    [2]

How the cells of a table add up goes with it, and goes again with the table that takes its place.

    $ scrim tabular build examples/clinic.csv --dims region,sex --hierarchies examples/hierarchies -o cells.csv > /dev/null; test -s cells.csv.structure.json && echo kept
    kept
    $ scrim tabular primary cells.csv --threshold 3 -o primary.csv > /dev/null; scrim tabular suppress primary.csv -o hidden.csv > /dev/null; scrim tabular audit hidden.csv | grep -c ' exposed  *0 '
    1
    $ scrim convert examples/homes.csv cells.csv > /dev/null; test -s cells.csv.structure.json || echo gone
    gone

A suffix in capitals is the same suffix, to read and to write.

    $ cp examples/homes.csv HOMES.CSV; scrim protect top-bottom HOMES.CSV --var lat --top 47.06 -o TOP.CSV > /dev/null; cmp TOP.CSV top.csv && echo same
    same

Few small whole numbers are codes, and a type says otherwise:

    $ (echo kind,x; for i in 1 2 3 4 5 6 7; do echo 3,$i; echo 1,$i; echo 4,2$i; done) > kinds.csv
    $ scrim utility compare kinds.csv kinds.csv --format json | grep -o 'Treated as codes[^.]*'
    Treated as codes, not as numbers: kind
    $ scrim utility compare kinds.csv kinds.csv --types kind:integer --format json | grep -c 'Treated as codes'
    0
    [1]
    $ scrim inspect kinds.csv | grep -o '^  kind  *integer  *nominal'; scrim inspect kinds.csv --types kind:integer | grep -o '^  kind  *integer  *numeric'
      kind    integer  nominal
      kind    integer  numeric

A workbook under another name is said to be one.

    $ scrim convert examples/homes.csv homes.xlsx > /dev/null; mv homes.xlsx renamed.csv; scrim inspect renamed.csv
    scrim: renamed.csv: is a ZIP archive, as Excel's workbooks are, and no text. Where it is a workbook, give it a name that ends in .xlsx.
    [2]

Words that a spreadsheet program takes for formulas are named, and escaped on request. Numbers stay numbers; what is escaped reads as a word that begins with an apostrophe.

    $ printf 'id,note,=name,x\n1,=1+1,a,-5\n2,"@SUM(1,2)",b,7\n3,+49 30,a,-1\n4,plain,-b,2\n' > formulas.csv
    $ scrim convert formulas.csv plain.csv | tr -s ' \n' ' ' | grep -o 'Such cells are in note and =name'
    Such cells are in note and =name
    $ scrim convert formulas.csv safe.csv --spreadsheet-safe > /dev/null; cat safe.csv
    id,note,"'=name",x
    1,"'=1+1",a,-5
    2,"'@SUM(1,2)",b,7
    3,"'+49 30",a,-1
    4,plain,"'-b",2
    $ scrim convert formulas.csv safe.arrow --spreadsheet-safe > /dev/null; scrim convert safe.arrow back.csv > /dev/null; cmp back.csv formulas.csv
    $ printf 'input: formulas.csv\nreading: {spreadsheet-safe: true}\nroles: {keys: [id]}\nsteps:\n  - protect.recode: {var: x, breaks: [0]}\n' > safe.yaml; scrim run safe.yaml -o out.csv > /dev/null; head -2 out.csv; grep -c spreadsheet-safe out.csv.manifest.json
    id,note,"'=name",x
    1,"'=1+1",a,"(-inf,0)"
    1
    $ grep -v reading safe.yaml > unsafe.yaml; scrim run unsafe.yaml -o out.csv | tr -s ' \n' ' ' | grep -o 'Such cells are in note and =name'; sed -n 2p out.csv
    1,=1+1,a,"(-inf,0)"
    $ scrim protect noise formulas.csv --vars x --amount 1 --seed 1 --spreadsheet-safe -o noisy.csv > /dev/null; cut -d, -f2 noisy.csv | head -2
    note
    "'=1+1"
    $ scrim protect noise formulas.csv --vars x --amount 1 --seed 1 --spreadsheet-safe --max-memory 64M --part-rows 2 -o parts.csv > /dev/null; cmp parts.csv noisy.csv

Codes for missing values and dates of single columns, in every format.

    $ printf 'id,age,bmi,birth\n1,34,21.5,31.12.1999\n2,99,999,01.02.1980\n3,45,30.2,15.06.1975\n' > read.csv; scrim convert read.csv read.xlsx > /dev/null; scrim convert read.csv read.sav > /dev/null
    $ for f in csv xlsx sav; do scrim convert read.$f out.csv --na bmi=999 --types birth:date:dd.mm.yyyy > /dev/null; cat out.csv; done
    id,age,bmi,birth
    1,34,21.5,1999-12-31
    2,99,,1980-02-01
    3,45,30.2,1975-06-15
    id,age,bmi,birth
    1,34,21.5,1999-12-31
    2,99,,1980-02-01
    3,45,30.2,1975-06-15
    id,age,bmi,birth
    1,34,21.5,1999-12-31
    2,99,,1980-02-01
    3,45,30.2,1975-06-15
    $ scrim convert read.xlsx out.csv --types id:text,age:nominal --na 99,bmi=999 > /dev/null; cat out.csv
    id,age,bmi,birth
    "1",34,21.5,31.12.1999
    "2",,,01.02.1980
    "3",45,30.2,15.06.1975
    $ scrim protect noise read.csv --vars age --amount 1 --seed 1 --types birth:date:dd.mm.yyyy --na bmi=999 --max-memory 64M --part-rows 2 -o parts.csv > /dev/null; cut -d, -f3,4 parts.csv
    bmi,birth
    21.5,1999-12-31
    ,1980-02-01
    30.2,1975-06-15
    $ scrim convert read.xlsx out.csv --types birth:date:mm/dd/yyyy
    scrim: read.xlsx, record 1, column 'birth': has a cell that is no such date.
    [2]
    $ scrim convert read.xlsx out.csv --na bim=999
    scrim: read.xlsx: --na: there is no column 'bim'. Did you mean 'bmi'?
    [2]
    $ scrim inspect read.csv | tr -s ' \n' ' ' | grep -o 'try --types birth:date:dd.mm.yyyy'
    try --types birth:date:dd.mm.yyyy
