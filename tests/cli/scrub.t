# scrim scrub: what could name a person, taken out of tables and plain text.

A table's column; the rest of the table stays. Nothing of what was hidden is printed.

    $ scrim scrub examples/notes.csv --columns note --subject patient --replace label -o out.csv > said; echo $?; grep -c "O'Neill" said; sed -n 2p out.csv
    0
    0
    1,P01,Margaret O'Neill,2019-03-14,"Pt is a [AGE] y/o woman seen by Dr. [PERSON] on [DATE] at the chest clinic. MRN [RECORD]. Mrs [PERSON] lives with her son [PERSON] at [ADDRESS], [PLACE]. Call [PHONE] with results."
    $ cut -d, -f1,2 out.csv | cmp - <(cut -d, -f1,2 examples/notes.csv) && echo same
    same

The report and the page hold what was hidden: they are for their owner alone, whatever the umask, also where a file stood there before.

    $ umask 0; touch report.csv; chmod 666 report.csv; scrim scrub examples/notes.csv --columns note --replace label --report report.csv --page page.html -o out.csv > /dev/null; stat -c %a report.csv page.html
    600
    600
    $ head -3 report.csv
    row,column,start,end,kind,confidence,text,replacement
    0,note,8,10,AGE,0.996,93,[AGE]
    0,note,33,47,PERSON,1,Alan Whitfield,[PERSON]
    $ python3 -c 'import csv; n = list(csv.DictReader(open("examples/notes.csv"))); f = list(csv.DictReader(open("report.csv"))); print(len(f), all(n[int(r["row"])]["note"][int(r["start"]):int(r["end"])] == r["text"] for r in f))'
    54 True
    $ grep -c '<mark' page.html | grep -qv '^0$' && grep -o '<mark[^>]*>Alan Whitfield</mark>' page.html | head -1
    <mark data-kind="PERSON" data-sure="1" title="[PERSON]">Alan Whitfield</mark>

What the text holds is escaped on the page.

    $ printf 'Dr. Alan Whitfield <script>alert(1)</script> & "x"\n' > evil.txt; scrim scrub evil.txt --page evil.html -o evil.out > /dev/null; grep -c '<script' evil.html
    0
    [1]

Plain text, from a file or standard input; places are code points from the start of the text, and what is no find stays byte for byte.

    $ printf 'Ä: seen by Dr. Alan Whitfield on 03/14/2019.\r\n\tno\xff change\0here\n' > note.txt; scrim scrub note.txt --replace label --report r.csv -o note.out > /dev/null; python3 -c 'print(open("note.out", "rb").read())'; cat r.csv
    b'\xc3\x84: seen by Dr. [PERSON] on [DATE].\r\n\tno\xff change\x00here\n'
    row,column,start,end,kind,confidence,text,replacement
    0,text,15,29,PERSON,1,Alan Whitfield,[PERSON]
    0,text,33,43,DATE,0.998,03/14/2019,[DATE]
    $ scrim scrub - --replace label -o other.out < note.txt > /dev/null; cmp note.out other.out && echo same
    same

Text in another encoding is said to be; named, it is read, and written back as it was but for its finds.

    $ printf 'Herr J\xf6rg Gr\xfcn\n' | scrim scrub - -o latin.out | grep -o '[0-9]* bytes are not UTF-8'
    2 bytes are not UTF-8
    $ printf 'Herr J\xf6rg Gr\xfcn \xfcbte \x80\x81\r\n' | scrim scrub - --encoding latin1 --replace label -o latin.out --report r.csv > said; python3 -c 'print(open("latin.out", "rb").read())'; cat r.csv; grep -c 'not UTF-8' said
    b'Herr [PERSON] \xfcbte \x80\x81\r\n'
    row,column,start,end,kind,confidence,text,replacement
    0,text,5,14,PERSON,{any},Jörg Grün,[PERSON]
    0
    [1]
    $ python3 -c 'import sys; sys.stdout.buffer.write(bytes(range(1, 256)) * 300)' > all.txt; for e in latin1 iso-8859-15 windows-1252; do scrim scrub all.txt --encoding $e --kinds IBAN -o all.out > /dev/null && cmp all.txt all.out && echo same; done
    same
    same
    same
    $ scrim scrub all.txt --encoding utf-16 -o x.txt
    scrim: --encoding: plain text is read in utf-8, latin1, iso-8859-15 or windows-1252. Turn it into UTF-8 first.
    [2]

Plain text streams: it needs no parts, and has none. A table is needed whole.

    $ scrim scrub note.txt --max-memory 100M -o m.out > /dev/null; cmp <(scrim scrub note.txt --max-memory 100M --replace label -o -) note.out && echo same
    same
    $ scrim scrub note.txt --max-memory 100M --part-rows 3 -o x.txt
    scrim: --part-rows: is of tables, and plain text has no records.
    [2]
    $ scrim scrub note.txt --max-memory 10M -o x.txt
    scrim: --max-memory: plain text takes up to 80 MB, whatever its length.
    [2]
    $ scrim scrub text examples/notes.csv --columns note --max-memory 1G --part-rows 3
    scrim: scrub text needs the whole table in memory, less than 1 MB before it begins. This table seems to fit: leave --max-memory out. scrim methods --in-parts lists the methods that run in parts.
    [2]

A step of a recipe: roles name the columns, the manifest says what was done and holds nothing that was hidden.

    $ printf 'input: notes.csv\nroles: {identifiers: [name], notes: [note], subject: patient}\nsteps:\n  - scrub.text: {replace: label}\noutput: released.csv\n' > scrub.yaml; cp examples/notes.csv .; scrim run scrub.yaml > said; sed -n 2p released.csv
    1,P01,2019-03-14,"Pt is a [AGE] y/o woman seen by Dr. [PERSON] on [DATE] at the chest clinic. MRN [RECORD]. Mrs [PERSON] lives with her son [PERSON] at [ADDRESS], [PLACE]. Call [PHONE] with results."
    $ python3 -c 'import json; s = json.load(open("released.csv.manifest.json"))["steps"]; print([x["method"] for x in s], s[-1]["params"], s[-1]["values"]["finds"])'; grep -c 'Whitfield\|Norwich\|00482913' released.csv.manifest.json said
    {any}'scrub.text'] {'replace': 'label'} 54
    released.csv.manifest.json:0
    said:0
    [1]

A pattern may hold a name: no manifest keeps it.

    $ scrim scrub notes.csv --columns note --pattern 'STAFF=(?i)whitfield' --replace label -o p.csv | grep -c 'whitfield'; grep -c 'whitfield' p.csv.manifest.json; grep -c 'STAFF' p.csv
    0
    0
    3

A custodian with the report, which is the key file, restores the text byte for byte; without the right one nothing is restored.

    $ scrim scrub notes.csv --columns note --subject patient --report key.csv -o s.csv > /dev/null; scrim scrub restore s.csv --key key.csv -o o.csv | grep restored; stat -c %a o.csv; python3 -c 'import csv; print(list(csv.reader(open("notes.csv"))) == list(csv.reader(open("o.csv"))))'
    {any}restored {any}
    600
    True
    $ printf 'note\nZIP 02139\nZIP 00601\n' > zip.csv; scrim scrub zip.csv --columns note --kinds ZIP --report zip-key.csv -o zip-s.csv > /dev/null; scrim scrub restore zip-s.csv --key zip-key.csv -o - 2> /dev/null | cmp - zip.csv && echo same
    same
    $ scrim scrub restore s.csv --key report.csv -o no.csv; ls no.csv
    scrim: --key: does not fit the table: record 1 does not hold its replacements where the key file has them. Give the report (--report) of the run that wrote this table, and the table unchanged.
    ls: cannot access 'no.csv': No such file or directory
    [2]
    $ scrim scrub restore s.csv -o no.csv
    {any}key{any}
    [2]

The same seed gives the same names, with any number of threads; without one they are drawn anew.

    $ for t in 1 2; do scrim scrub examples/notes.csv --columns note --subject patient --seed 7 --threads $t -o t$t.csv > /dev/null; done; cmp t1.csv t2.csv && echo same
    same
    $ for t in 3 4; do scrim scrub examples/notes.csv --columns note --subject patient -o t$t.csv > /dev/null; done; cmp -s t3.csv t4.csv || echo other
    other

Mistakes.

    $ scrim scrub examples/notes.csv --columns nte -o x.csv
    scrim: examples/notes.csv: --columns: there is no column 'nte'. Did you mean 'note'?
    [2]
    $ scrim scrub nowhere.txt
    scrim: nowhere.txt: cannot be opened: No such file or directory.
    [2]
    $ scrim scrub note.txt --subject patient
    scrim: --subject: is of the records of a table. Name its columns of text (--columns); without them the input is plain text.
    [2]
    $ scrim scrub note.txt -o note.txt
    scrim: note.txt: is an input of this command, and would be overwritten. Choose another output file.
    [2]
    $ scrim scrub note.txt --report note.txt
    scrim: note.txt: is an input of this command, and would be overwritten. Choose another output file.
    [2]
    $ scrim scrub note.txt -o both.txt --report ./both.txt
    scrim: ./both.txt: is named twice: for the output and for the report. Each goes to a file of its own.
    [2]
    $ scrim scrub examples/notes.csv --columns note -o both.csv --page both.csv
    scrim: both.csv: is named twice: for the output and for the page. Each goes to a file of its own.
    [2]
    $ gzip -c note.txt > note.gz; scrim scrub note.gz -o x.txt
    scrim: note.gz: is compressed (gzip), and not plain text in UTF-8. Nothing would be found in it. Convert it to plain text first.
    [2]
    $ printf 'Dr. Alan Whitfield' | iconv -t UTF-16LE | scrim scrub - -o x.txt
    scrim: -: is text in UTF-16 or no text at all: a third of it are zero bytes, and not plain text in UTF-8. Nothing would be found in it. Convert it to plain text first.
    [2]
    $ scrim scrub note.txt --threshold 2
    scrim: --threshold: must be from 0.05 to 1.
    [2]
    $ scrim scrub note.txt --kinds PERSN
    scrim: --kinds: has no kind 'PERSN'.
    [2]
    $ cmp note.txt <(printf 'Ä: seen by Dr. Alan Whitfield on 03/14/2019.\r\n\tno\xff change\0here\n') && ls x.csv
    ls: cannot access 'x.csv': No such file or directory
    [2]

A title says the sex of a given name that no list has, wherever else it stands.

    $ for s in 1 2 3 4 5 6; do printf 'Mme Xyanth Lefèvre. Plus tard, Mme Xyanth Lefèvre.\n' | scrim scrub - --language fr --seed $s -o - 2> /dev/null | cut -d' ' -f2; done
    Maëva
    Olga
    Manon
    Ludivine
    Salomé
    Coralie

In a recipe, dates in text move by the same number of days as the person's dates in columns; a record of nobody moves by itself.

    $ printf 'pid,seen,note\nP1,2019-03-14,Seen on 2019-03-14 by Dr. Alan Whitfield.\nP2,2020-05-01,Came back on 2020-05-01.\nP1,2019-04-02,Call on 2019-04-02.\n,2021-01-05,Nobody known on 2021-01-05.\n,2021-01-05,Nobody known on 2021-01-05.\n' > shift.csv
    $ printf 'input: shift.csv\nroles: {person: pid, keys: [seen], notes: [note]}\nsteps:\n  - protect.pseudonym: {vars: [pid]}\n  - protect.shift-dates: {vars: [seen]}\n  - scrub.text\noutput: shifted.csv\n' > shift.yaml; scrim run shift.yaml --seed 5 > /dev/null
    $ python3 -c 'import csv; t = list(csv.DictReader(open("shifted.csv"))); print([r["seen"] in r["note"] for r in t], t[0]["seen"] != "2019-03-14", t[3]["seen"] != t[4]["seen"], "Whitfield" in t[0]["note"])'
    [True, True, True, True, True] True True False
    $ head -c 32 /dev/zero | tr '\0' 'k' > key; scrim protect shift-dates shift.csv --vars seen --subject pid --key key -o a.csv > /dev/null; scrim scrub text shift.csv --columns note --subject pid --key key -o b.csv > /dev/null; python3 -c 'import csv; a, b = (list(csv.DictReader(open(f))) for f in ("a.csv", "b.csv")); print([x["seen"] in y["note"] for x, y in zip(a, b)])'
    [True, True, True, True, True]

A plan leaves free text out of its search, and its recipes scrub it. Where columns keep their dates, those in text become [DATE]: together they would give the shift away. The policy of the program is named as it is, also beside a folder of that name.

    $ python3 -c 'import csv, random; random.seed(3); w = csv.writer(open("people.csv", "w")); w.writerow(["sex", "age", "income", "seen", "note"]); w.writerows([random.choice("mf"), random.randint(20, 80), random.randint(1000, 9000), d, "Seen by Dr. Rose Whitfield on %s with cough for some days and otherwise no complaint, number %d." % (d, i)] for i in range(200) for d in ["20%02d-%02d-11" % (random.randint(10, 22), random.randint(1, 12))])'
    $ printf 'keys: [sex, age, seen]\nnumeric: [income]\nnotes: [note]\n' > people.yaml; mkdir ema; scrim plan people.csv --roles people.yaml --policy ema --candidates 40 -o ema --seed 1 | grep -c 'Free text (note)'; grep 'scrub\|policy' ema/best.yaml
    1
      - scrub.text: {columns: [note], each: ["DATE:label"]}
    policy: ema
    $ scrim plan people.csv --roles people.yaml --candidates 10 -o free --seed 1 > /dev/null; scrim run free/best.yaml > said; grep -c 'free text' said; grep -c Whitfield free/released.csv; head -1 said
    0
    0
    Release by free/best.yaml
    $ printf 'input: people.csv\nroles: people.yaml\nsteps: [protect.reorder]\noutput: plain.csv\n' > plain.yaml; scrim run plain.yaml | grep 'note: free'
      Residual risk in note: free text. Recommended step: scrub.text: {columns: [note]}, or protect.drop
