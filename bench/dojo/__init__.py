"""AgentDojo under Armslength: its suites, tools and attacks, run by our controller.

What is run:

    suites      AgentDojo's suites: their tasks, their environments, their own checks
    programs    one for each user task, frozen by hash
    forms       the forms of one attack
    attackers   what each injection task would have called, and a plain loop that obeys

One run:

    wiring      what a suite's declarations give to an assistant
    carrying    a request carried out on an environment of its own
    readers     the quarantined model: honest answers, or the attacker's
    people      whoever is asked
    words       the attacker's words, recognised where they turn up again
    running     one run of one user task, and what came of it
    pairs       one attacked pair, in all forms

All of them:

    work        on several processors, each row kept as it comes
    lines       what a run prints
    tables      what came of all, summed up, and the file of the result

`model` has all tasks and pairs planned and read by real models.
`tools` has the declarations, `oracle` the honest answers, `programs` the programs' texts, a room or file for each suite; `tests` those of all this,
which need AgentDojo.
"""
