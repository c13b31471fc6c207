# Signals and closed pipes.

An interrupted command leaves no file and ends with 130; so does one that was told to end.

    $ mkfifo in; exec 3<> in; scrim convert in out.csv & sleep 1; kill -INT $!; wait $!; echo $?; ls
    130
    examples
    in
    $ mkfifo in2; exec 3<> in2; scrim convert in2 out.csv & sleep 1; kill -TERM $!; kill -TERM $!; wait $!; echo $?; ls
    130
    examples
    in
    in2

A second signal ends at once, in the middle of writing.

    $ mkfifo out2; scrim convert examples/clinic.csv out2 & sleep 1; kill -INT $!; kill -INT $!; wait $!; echo $?; ls
    130
    examples
    in
    in2
    out2

A reader that has seen enough is no error.

    $ scrim methods | head -1 > /dev/null; echo ${PIPESTATUS[0]}
    0
    $ scrim convert examples/population.csv - | head -1; echo ${PIPESTATUS[0]}
    id,name,sex,age,region,education,occupation,marital
    0
    $ scrim help risk k-anonymity | true; echo ${PIPESTATUS[0]}
    0
