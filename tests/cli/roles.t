# Roles that fill parameters of one method.

Numbers of a class within the tolerance of the roles are learned.

    $ printf 'sex,income\nf,100\nf,140\nf,180\nm,100\nm,900\nm,2000\n' > people.csv
    $ printf 'keys: [sex]\nsensitive: [income]\ntolerance: {income: 100}\n' > roles.yaml
    $ scrim audit people.csv --roles roles.yaml --only attack.homogeneity | sed -n 2p
    The income of 3 people can be inferred with certainty from sex alone. No policy was given, so
    $ sed -i s/100/10/ roles.yaml; scrim audit people.csv --roles roles.yaml --only attack.homogeneity | sed -n 2p
    No income can be inferred with certainty from sex alone. No policy was given, so nothing is judged.
