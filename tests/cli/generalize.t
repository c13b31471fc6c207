# Hierarchies: made by rule, read as they stand, with and without a header, by either name; what breaks is named, and no value repeated.

    $ printf 'zip,sex\n02138,f\n02138,f\n02139,f\n02141,m\n02141,m\n02142,m\n' > d.csv; mkdir h
    $ printf '02138;0213*;*\n02139;0213*;*\n02141;0214*;*\n02142;0214*;*\n' > h/my_hierarchy_zip.csv; printf 'level0,level1\nf,*\nm,*\n' > h/sex.csv
    $ scrim protect generalize d.csv --keys zip,sex --hierarchies h --k 3 -o -
    zip,sex
    0213*,f
    0213*,f
    0213*,f
    0214*,m
    0214*,m
    0214*,m
    $ printf '02138,0213*,*\n02139,0213*,*\n02141,0214*,*\n' > h/my_hierarchy_zip.csv; scrim protect generalize d.csv --keys zip,sex --hierarchies h --k 3
    scrim: record 6, column 'zip': the hierarchy of zip lacks a value of the data. Add a row for it to the hierarchy; --show-values names it.
    [2]
    $ scrim protect generalize d.csv --keys zip,sex --hierarchies h --k 3 --show-values
    scrim: record 6, column 'zip': the hierarchy of zip lacks a value of the data: «02142». Add a row for it to the hierarchy.
    [2]
    $ printf '02138,0213*,*\n02139,0213*,+\n' > h/my_hierarchy_zip.csv; scrim protect generalize d.csv --keys zip,sex --hierarchies h --k 3
    scrim: h/my_hierarchy_zip.csv, record 2, column 'zip': the hierarchy of zip is broken at level 2: a value of the level before becomes two different values here.
    [2]
    $ scrim protect datafly d.csv --keys zip,sex --hierarchies h/sex.csv --k 3
    scrim: --hierarchies: there is no hierarchy for the key zip. Put zip.csv into the folder: a row per value, a column per level. `scrim hierarchy build` makes one.
    [2]
    $ scrim hierarchy build d.csv --var zip --mask right -o -
    level0,level1,level2,level3,level4,level5
    02138,0213*,021**,02***,0****,*
    02139,0213*,021**,02***,0****,*
    02141,0214*,021**,02***,0****,*
    02142,0214*,021**,02***,0****,*
    $ scrim hierarchy build d.csv --var zip
    scrim: no rule is given for the hierarchy of zip. Numbers: --intervals 5,10,20,*. Codes: --mask right. Categories: --group 2,2 with --order, or --group "north=a,b;south=c,d". Dates: --periods month,year.
    [2]

Suppression: afterwards every released combination, a blank being a value, is shared by k.

    $ printf 'a,b\n1,x\n1,x\n2,x\n2,y\n' > s.csv; scrim protect suppress s.csv --keys a,b --k 2 -o -
    a,b
    1,x
    1,x
    2,
    2,
    $ printf 'a,b\n1,x\n1,x\n3,x\n2,y\n' > s.csv; scrim protect suppress s.csv --keys a,b --k 2 -o -
    a,b
    1,x
    1,x
    ,
    ,
    $ scrim protect suppress s.csv --keys a,b --k 5
    scrim: there are 4 records, and each should share its keys with 5. Lower --k.
    [2]
