# A table from its data to what is published: the custodian's page, and every file that a table is written to, read back by a reader of its own.

    $ scrim tabular build examples/clinic.csv --dims region,diagnosis -o t.csv > /dev/null; scrim tabular primary t.csv --threshold 3 -o p.csv > /dev/null; scrim tabular suppress p.csv -o s.csv > /dev/null

The page for the custodian has the table before and after. Each hidden cell says why it is hidden: 23 primary and 7 secondary cells, in both tables.

    $ scrim tabular export s.csv --form review --original p.csv -o review.html > /dev/null; grep -o 'title="Primary (threshold). Value: [12]"' review.html | wc -l; grep -o 'title="Secondary: protects [^"]*Value: [0-9]*"' review.html | wc -l; grep -o 'title=' review.html | wc -l
    46
    14
    60
    $ cat > page.py <<'X'
    > import csv, html.parser, sys
    > class Page(html.parser.HTMLParser):
    >     def __init__(self): super().__init__(); self.tables, self.cell = {}, None
    >     def handle_starttag(self, tag, attributes):
    >         a = dict(attributes)
    >         if tag == "div" and a.get("class") == "scroll": self.rows = self.tables.setdefault(a["aria-label"], [])
    >         if tag == "tr" and self.tables: self.rows.append([])
    >         if tag in ("td", "th") and self.tables: self.cell, self.why = "", a.get("title")
    >     def handle_data(self, data):
    >         if self.cell is not None: self.cell += data
    >     def handle_endtag(self, tag):
    >         if tag in ("td", "th") and self.cell is not None: self.rows[-1].append((self.cell, self.why)); self.cell = None
    > page = Page(); page.feed(open(sys.argv[1]).read())
    > wide = lambda name: {(r[0][0], h[0]): c for rows in [page.tables[name]] for r in rows[1:] for h, c in zip(rows[0][1:], r[1:])}
    > before, after = wide("before"), wide("after")
    > bad = 0
    > for s, p in zip(csv.DictReader(open("s.csv")), csv.DictReader(open("p.csv"))):
    >     at = (s["region"], s["diagnosis"])
    >     hidden = s["status"] != "open"
    >     why = after[at][1]
    >     bad += before[at][0] != p["count"] or after[at][0] != ("x" if hidden else p["count"]) or (why is not None) != hidden or before[at][1] != why
    >     bad += hidden and (not why.startswith(s["status"].capitalize()) or not why.endswith("Value: " + p["count"]))
    >     bad += s["status"] == "secondary" and s["protects"] not in why
    > print(len(before), "cells,", bad, "wrong")
    > X
    $ python3 page.py review.html
    90 cells, 0 wrong
    $ scrim tabular export s.csv --form review | grep -c '^before'; scrim tabular export s.csv --original p.csv
    0
    scrim: --original: has a meaning only with --form review.
    [2]

Publication: each format has the open cells and one mark for all others.

    $ scrim tabular export s.csv --form long -o l.csv > /dev/null; for f in xlsx px jsonstat ods; do scrim tabular export s.csv --form long -o l.$f > /dev/null; done; scrim tabular export s.csv --form sdmx -o l.sdmx.csv > /dev/null; scrim convert l.xlsx x.csv > /dev/null
    $ cat > back.py <<'X'
    > import csv, itertools, json, re, zipfile, xml.etree.ElementTree as tree
    > number = lambda text: None if text in ("", None, "..", ".") else float(text)
    > long = {(r["region"], r["diagnosis"]): number(r["count"]) for r in csv.DictReader(open("l.csv"))}
    > def jsonstat():
    >     j = json.load(open("l.jsonstat")); ids = j["id"]
    >     codes = [j["dimension"][d]["category"]["index"] for d in ids]
    >     return {tuple(c[ids.index(d)] for d in ("region", "diagnosis")): v for c, v in zip(itertools.product(*codes), j["value"])}
    > def px():
    >     text = open("l.px").read(); said = dict(re.findall(r'^([A-Z-]+(?:\("[^"]*"\))?)=(.*?);$', text, re.M | re.S))
    >     words = lambda name: re.findall(r'"([^"]*)"', said[name])
    >     dims = words("STUB") + words("HEADING"); data = said["DATA"].replace('"', "").split()
    >     return {tuple(c[dims.index(d)] for d in ("region", "diagnosis")): number(v) for c, v in zip(itertools.product(*[words(f'VALUES("{d}")') for d in dims]), data)}
    > def ods():
    >     ns = {"t": "urn:oasis:names:tc:opendocument:xmlns:table:1.0", "o": "urn:oasis:names:tc:opendocument:xmlns:office:1.0"}
    >     rows = tree.fromstring(zipfile.ZipFile("l.ods").read("content.xml")).iter("{%s}table-row" % ns["t"])
    >     rows = [[c.get("{%s}value" % ns["o"], "".join(c.itertext())) for c in r] for r in rows]
    >     return {(r[0], r[1]): number(r[2]) for r in rows[1:]}
    > for name, got in (("xlsx", {(r["region"], r["diagnosis"]): number(r["count"]) for r in csv.DictReader(open("x.csv"))}), ("px", px()), ("jsonstat", jsonstat()), ("ods", ods()), ("sdmx", {(r["region"], r["diagnosis"]): number(r["OBS_VALUE"]) for r in csv.DictReader(open("l.sdmx.csv"))})):
    >     print(name, len(got), "cells,", sum(got.get(k, "absent") != v for k, v in long.items()), "wrong,", sum(v is None for v in got.values()), "hidden")
    > X
    $ python3 back.py
    xlsx 90 cells, 0 wrong, 30 hidden
    px 90 cells, 0 wrong, 30 hidden
    jsonstat 90 cells, 0 wrong, 30 hidden
    ods 90 cells, 0 wrong, 30 hidden
    sdmx 90 cells, 0 wrong, 30 hidden

Cells and relations come back as the same table: what an intruder can compute of each hidden cell is the same, apart from what only a table of counts says, that hidden cells are not empty.

    $ scrim tabular export s.csv --form cells -o cells.csv > /dev/null; scrim tabular export s.csv --form relations -o relations.csv > /dev/null; scrim tabular import --cells cells.csv --relations relations.csv -o back.csv > /dev/null; for t in s.csv back.csv; do scrim tabular audit $t --hide-zeros --format json | python3 -c 'import json, sys; t = json.load(sys.stdin)["tables"]["intervals"]; c = t["columns"]; print(sorted((r[c.index("lower")], r[c.index("upper")]) for r in t["rows"]))' | cksum; done | uniq | wc -l
    1

No rounding residue in any of them.

    $ printf 'r,c,value,status\na,u,27700.8,open\na,v,55401.6,open\na,Total,83102.4,open\nb,u,0.1,open\nb,v,0.2,open\nb,Total,0.3,open\nTotal,u,27700.9,open\nTotal,v,55401.8,open\nTotal,Total,83102.7,open\n' > r.csv; for f in csv px jsonstat; do scrim tabular export r.csv --form long --unprotected -o out.$f > /dev/null; done; cat out.csv out.px out.jsonstat | grep -c -E '[0-9]{9}'; [ $? = 1 ]
    0
