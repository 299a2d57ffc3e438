"""The controller and its two models: planner, reader, the effects between them, and what a person sees.

Each room imports from those below it alone.

`runs`: one request, from the words to the end
    session       one request, carried to its end: plan, run, settle; what the planner may hear of a failure
    stage         the host of one program of a conversation
    controller    what a running program reaches: values between tools, quarantined model, person and program
    queue         effects in the program's order: decided and asked about together, done from the bytes decided on
    world         what a controller is wired to, and how far it has got
    trust         which sources are trusted
    replies       what the program says, each part once all its pieces are there
    rewriting     a program that is expected to ask is written once more
    undoing       taking back what a run did, by the tools' own inverses

`planning`: the planner, which is blind: what it is told and writes, and what stays from request to request
    planner       asks the privileged model for a program
    prompt        its system text: declarations, notes, date
    examples      requests with the programs that answer them
    transcript    what it is told of earlier requests: the one function that builds the turns
    budget        how many bits about data its planner may learn, all together
    revealing     what of a program's values its planner may see, and what that costs
    conversation  the names that programs left, what their planner may learn, and how both go on
    remembering   a conversation as JSON, and back
    preview       which effects of a program may come, for whom, and which of them ask
    rehearsing    the expected half of it: what the policy says if tools give what they usually give

`approving`: what a person says yes to, now or beforehand
    approval      the screen as a record, and who answers it
    display       the drawing of screen and answer, with marks for whose words they are
    declared      tools of a server, as a person is asked about them
    looking       what is looked up before a person is asked: the world before and after, new receivers
    granting      grants and endorsements as one run sees them: read, offered, kept, used
    granted       one of them as JSON, and as the line that says what it covers

`effects`: calls of tools
    effects       calls that change a store or have receivers, from the call until they are done or dropped
    following     which effects fall when others are refused
    tool_use      a tool's result: one error line, JSON at the boundary, labels joined with those of the arguments
    quoting       a marked quotation of the mail that is answered, recognised
    finding_out   where it was cut off within an effect, the tool is asked whether that got done
    acquaintance  whether the user deals with those who would get something
    slots         what decided over what tools set under keys, told to their store
    telling       what receivers learn of what steered a run, counted
    program_text  what of a program's text is counted with: its texts, and its sends that run once

`outside`: what comes from outside
    boundary      the one boundary that all from outside passes, recorded, so that a run can be gone through again
    underway      calls beside the program, each in a thread, at most so many at once
    watching      what those who watch a run are told: names, counts, verdicts, and no content
    recorded      both models behind the boundary
    resuming      a run that was cut off goes on, from the end of its journal

`quarantined`: the quarantined model
    reader        asks the quarantined model one question, and labels its answer
    fence         untrusted data as text for it, rendered, fenced and cut into parts
    answer        whether its answer has the declared form: the only place that decides this

`showing`: texts that are shown
    cleaning      text from outside made safe to print
    links         whether somebody's program makes an address live in a text
    differing     how a text differs from the one before
    urging        warnings beside untrusted text that urges its reader to carry data out
    suspecting    what stands out in a tool's declaration by its server
"""
