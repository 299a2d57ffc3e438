"""Surfaces: the ways in which a person or a program reaches the assistant. Thin; they call the app.

The command line:
    cli          the entry point: one line and one exit code for every way to end
    commands     a folder: the commands and their options
    exits        the exit codes
    output       writing to standard output and standard error
    lines        what is typed or piped, a line at a time
    progress     which model is at work
    asking       `ask`, `plan`
    chat         `chat`
    runs         `runs`, `show`, `resume`, `cancel`, `undo`, `verify`, `purge`
    undoing      what is told of it when a run is taken back
    waiting      `answer`, `work`
    scheduled    `schedule`
    remembered   `memory`, `memory show`, `memory forget`
    mcp          `mcp`, `mcp review`, `mcp import`
    held         `held`, `recall`; what is due is sent before other commands, too
    grants       `grants`
    policies     `policy show`, `policy test`
    explaining   `policy explain`
    modelling    `model`
    setup        a folder: `init`
    places       `tools`
    configured   `config`
    doctor       `doctor`
    secrets      `secret set`, `secret remove`
    mail_login   `mail login`
    example      the file that `config --example` prints
    flaws        what a tool could not read
    reports      a run that has ended, as lines and as JSON

A person who is asked:
    approvers    who that is for a command: at the terminal or on a page
    patient      where nobody is there, the question stays
    choosing     a screen while it is being answered
    terminal     at the terminal, a line at a time
    fullscreen   over the whole terminal
    wrapping     lines broken to its width
    page         a folder: on a local page

A run that is told:
    story        from its journal: what was asked, read, decided and answered
    states       how a run stands: answered, undone, or as it ended
    steps        each thing that came from outside, with its time
    document_pages  on which page of a document a text stands
    why          `why`: as lines
    export       `export`: as a file
    run_page     the page in it
    run_style    its look
    picture      its drawing, from sources to effects
    leaving_out  the same without content
    markup       where text becomes markup
"""
