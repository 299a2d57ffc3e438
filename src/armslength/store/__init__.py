"""What stays on disk, or in a database: runs with their journals, grants, conversations.

Runs, whichever database keeps them:
    journal        what a journal holds: kinds of entries, and which of them are about the run
    runs           what keeps runs, as the layers above see it
    keeping        runs in a database: they begin, are taken up, listed, verified, removed
    opened         one run that this process works on: an entry, the use of a yes and the state are one transaction
    writing        an entry as it is kept: its bytes, the hash over them, its outline
    tally          what a run did and what of it was taken back, counted entry by entry
    verifying      whether a journal is as it was written
    database       what is asked of a database: statements, a place, a lease
    sqlite         one file
    lease          who works on a run there: a file lock
    postgres       a server, and who works on a run there
    lines          files of earlier versions, which are read only

What shows a change, and what hides contents:
    chain          the keyed hash over entries, and the heads beside the database
    key_file       a key in a file
    sealing        contents that only the holder of a key can read
    content_key    where that key lies: a keyring or a file
    keyrings       the keyring of the system, if it is one that keeps secrets
    document       one file with its keyed hash

Beside the runs:
    grants         what a person said yes to beforehand, as the layers above see it
    sqlite_grants  its file
    conversations  conversations, a file each
    occasions      which times of a schedule came, and what run each began
"""
