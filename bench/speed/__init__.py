"""What things cost: always as a ratio to something plain that was measured beside it, since what else the machine does is in both.

timing              the best times of several things, done in turn
language            programs beside CPython's `exec`, and `memory`: what a loop retains; `programs`: which they are
labels              joins and their like beside an attribute look-up
policy              a decision beside the smallest question that Cedar can be asked
journal             an entry beside a bare insert, on SQLite; `journal_postgresql`: there
waiting             runs that wait for a person
overlap             twenty calls beside one, and conversations that wait for a model
mail_search         a search over fifty thousand mails beside a look through their texts
documents           a document in a process of its own beside the same reader here
pages               HTML of a mail in a process of its own beside the same reader here
startup             a command beside an empty program, and how many modules it loads
"""
