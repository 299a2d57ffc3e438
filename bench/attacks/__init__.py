"""The attack corpus: public incidents and known techniques, run through the library's face with labels on and off.

What an attack is, and one run of it:

    case        an attack: where it comes from, home, requests, forms, and what must not happen
    carrying    how its requests are put: one after the other, in a conversation, or cut off and gone on with
    running     one run of one form, with labels on or off
    left_out    a tool's own safeguard, left out with labels
    without     each rule of the shipped policy taken out alone: which attacks notice

What it is judged by:

    seen        the world before and after, what was asked for, what was drawn
    drawn       what a drawn text does beside being read
    held        how a run was held: one way for each

What lies in the homes:

    belongings  plans with a secret, people who are known, invitations
    services    servers of MCP: what one says of itself, answers and is told; messengers and banks
    workplaces  servers of MCP that many write to and read from: a forge, a help desk, a store of files, a chat

`cases`: the attacks themselves, a file for each group.

    alone          that one rule alone objects to
    answers        by what an answer says, and by what the model says beyond what it was asked for
    carriers       by where the words stand
    conversations  over several requests of a conversation
    exfiltration   by links and images of an answer
    hosts          by what a host does with what it is asked for
    invitations    by invitations
    memory         by what is kept for another day
    opened         by a file that does something when it is opened
    pages          by asking a host for a page
    receivers      on who gets a mail
    rug_pulls      by a tool that becomes another one
    screens        on what a person sees
    servers        by what a server says of its tools, and by what these answer
    services       over servers that are source and sink
    signals        where nothing private leaves as content
"""
