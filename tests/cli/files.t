# Where files go, and with what mode.

A new file follows the umask, an existing one keeps its mode; seeds and manifests are for their owner alone.

    $ umask 022; scrim protect noise examples/clinic.csv --vars income --amount 0.1 --seed-file my.seed -o new.csv > /dev/null; stat -c '%a %n' new.csv new.csv.manifest.json my.seed
    $ umask 027; scrim convert examples/clinic.csv other.csv > /dev/null; stat -c '%a %n' other.csv
    $ touch kept.csv; chmod 604 kept.csv; umask 077; scrim convert examples/clinic.csv kept.csv > /dev/null; stat -c '%a %n' kept.csv
    $ touch open.seed; chmod 644 open.seed; rm open.seed; umask 000; scrim protect noise examples/clinic.csv --vars income --amount 0.1 --seed-file open.seed -o x.csv > /dev/null; stat -c '%a %n' open.seed x.csv x.csv.manifest.json
    $ touch y.csv.manifest.json; chmod 666 y.csv.manifest.json; scrim protect noise examples/clinic.csv --vars income --amount 0.1 -o y.csv > /dev/null; stat -c '%a %n' y.csv.manifest.json

A symlink's target is what gets written.

    $ mkdir deep; ln -s deep/real.csv link.csv; scrim convert examples/homes.csv link.csv > /dev/null; stat -c '%F %n' link.csv deep/real.csv
    $ echo old > deep/real.csv; scrim convert examples/homes.csv link.csv > /dev/null; stat -c '%F %n' link.csv; cmp deep/real.csv examples/homes.csv && echo same

Standard input and output, FIFOs, devices.

    $ cat examples/homes.csv | scrim convert - - | cmp - examples/homes.csv && echo same
    $ scrim convert examples/homes.csv /dev/stdout | cmp - examples/homes.csv && echo same
    $ scrim protect top-bottom examples/homes.csv --var lat --top 47.06 -o - | head -3
    $ scrim protect top-bottom examples/homes.csv --var lat --top 47.06 -o /dev/stdout | head -2
    $ mkfifo in.fifo out.fifo; cat examples/homes.csv > in.fifo & scrim convert in.fifo out.fifo > /dev/null & cmp out.fifo examples/homes.csv && echo same; wait
    $ scrim convert examples/homes.csv /dev/null
    $ scrim convert /dev/null out.csv

Compressed by suffix.

    $ scrim convert examples/clinic.csv c.csv.gz > /dev/null && scrim convert c.csv.gz c.csv.zst > /dev/null && scrim convert c.csv.zst c.csv > /dev/null && cmp c.csv examples/clinic.csv && echo same

What cannot be written leaves nothing, and an existing file as it was.

    $ scrim convert examples/clinic.csv nowhere/out.csv
    $ mkdir folder.csv; scrim convert examples/clinic.csv folder.csv
    $ scrim convert examples/clinic.csv /dev/full
    $ scrim methods > /dev/full
    $ scrim risk k-anonymity examples/clinic.csv --keys sex --format json > /dev/full
    $ scrim convert examples/clinic.csv out.unknown
    $ echo precious > small.csv; (trap '' XFSZ; ulimit -f 4; scrim convert examples/clinic.csv small.csv); cat small.csv
    $ ls
