"""What a program can call: tools over stores, what each declares, and the labels of what it returns.

What every tool is made of, and the stores that are one file each:

    base            what a tool declares, and the decorator that makes a function one
    annotations     the types of a function's annotations
    usual           what a call usually gives, declared
    opened          what acts by itself in a file that is opened
    claims          whose a stored thing says that it is, which only keeps
    listing         the label of a listing
    bearing         names that others gave to stored things, and which thing they mean
    ledger          labels of what we wrote, by object and digest
    locking         one process at a time
    backups         what a change needs to be taken back
    folder          a folder of the person's files that no name leads out of
    files           the tools over files and notes
    notes           the files, who wrote and named them, and their changes
    memory          the tools over what is remembered
    standin         web pages and a chat in a folder, for the demo and tests
    clock           the date of the run

`text`: text from outside, as lines and in the form in which it is compared.

    html_text       HTML as plain text, with marks where text was hidden; for processes of its own alone
    html_bare       HTML without its structure, where no process reads it
    html_style      how an element is shown, as far as it hides text
    folding         text in the form in which it is compared
    unseen          characters that no screen shows
    addresses       what a plain address of mail is

`documents`: documents, parsed in a process that can do nothing else.

    reading         the one function through which bytes of a document become text
    document        what a document is once it was read
    confinement     what a person says of the process that parses it
    kinds           what kind a document is, by its first bytes
    process         the process of one document: started, fed, heard, ended
    bubble          bubblewrap around it
    calls           what it may ask of the kernel
    wire            what it says, and how that is checked
    pages           the one function through which HTML of others becomes text
    ready           the program that makes a process for each text: started, asked, ended
    forking         that program
    child           the program of a process
    locked          how it locks itself
    pdf             PDF as lines
    pdf_paint       what hides text of a PDF
    docx            DOCX as lines
    archive         the parts of a DOCX, and its XML
    markup          HTML as lines: documents, mails, pages
    plain           CSV and plain text as lines
    marks           marks around text that is not shown

`mail`: mailboxes and messages.

    tools           the mail tools as they are declared
    attachments     attachments read
    work            what each does
    invitations     mails about events, and what their authenticated senders did by them
    labels          the labels of a message's fields
    search          finding messages
    seen            a message in its place
    catalogue       what is asked of all messages at once, by reading them
    indexed         the same of a mailbox on a server, by its index
    writing         messages that we write, and to whom a reply goes
    leaving         how what is sent leaves: the one way out
    submitting      a message handed to a server
    dispatches      what became of each message that leaves by a server
    held            mail that is held until it leaves
    stranded        mail that waits for an account that is configured no more
    watching        whether mail came
    settings        what the tools are told about an account
    accounts        several of them: where a message lies, and which one writes
    opening         which kind of mailbox lies at a place
    mailbox         what a mailbox is to the tools
    maildir         a Maildir with its folders
    mbox            one mbox file, with a Maildir beside it
    imap            a mailbox on a server
    connection      what is asked of the server, and how that fails
    client          the client beneath, whose answers are bounded in time and size
    oauth           access tokens of a provider
    syncing         from the server into the index
    index           what was read on the server, and its words
    message         a message from its bytes
    headers         header fields from bytes
    senders         who a message is from: the one place that decides it
    authentication  what the person's own server says of that
    covering        what of a message a signature covers
    signatures      whose DKIM signature it bears, checked here
    alignment       whose domain may speak for whose
    lookups         keys and records of domains, asked for
    verdicts        what was found of signatures, kept
    vouching        whose results stand on top of the latest mails, for the person to judge
    providers       where an address's mail lies and leaves
    secrets         password or token, had before a server is contacted

`calendar`: events.

    tools           search and create events in files
    caldav          search, create, answer, change and cancel on servers, as declared
    work            what each of these does
    agenda          calendars on servers: their events, labels, and where one is written
    changing        what each change makes of an event's text
    editing         .ics text, changed line by line
    comparing       whether two texts say the same
    invited         what an organizer is known to have said of an event, by the mail that brought it
    steps           what each change was about to do, kept before it is done
    drawing         an event as text for the approval screen
    finding         which events fit a search, and when
    planning        an event as a program describes it
    ics             events out of .ics text
    bounds          how much of such a text is read
    zones           the time zones that such a text defines, for itself alone
    recurrence      the days on which an event repeats

`contacts`: the address book.

    tools           find contacts
    carddav         an address book on a server
    vcard           names, addresses and numbers out of vCard text

`dav`: calendars and address books on a server.

    collection      what lies in one, brought up to date by what changed; changes that overwrite nothing
    copy            its local copy
    discovery       which ones an account has
    multistatus     questions, and what is said of each resource
    connection      requests, and the mapping of all that can go wrong
    places          origins and paths, and what leads elsewhere
    xml             elements and text, and none of the rest of XML
    settings        what is told about one account

`web`: pages of the web.

    tools      fetch a page, as it is declared
    search     search the web, by one service
    services   what is known of hosts: whom they tell, who has an account there
    address    the one form of a web address
    internet   which addresses are hosts of the public internet
    dialling   a host looked up, each of its addresses checked, one of them dialled
    fetching   a page asked for, and what becomes of whatever goes wrong
    reading    what a host answered, as text

`mcp`: servers of the Model Context Protocol.

    offering        accepted declarations as tools of ours
    settings        where a server is, and what is configured of its tools
    declaration     what a server says of one of its tools
    pins            what a person accepted of each server
    naming          names in programs for a server's names
    schemas         JSON Schema as types
    results         what a server gave, labelled
    ifc             labels that servers and we tell each other
    connection      one server: a call is one answer or one error
    loop            the thread in which they are spoken with
    streams         the two streams of messages, and whoever fills and empties them
    limits          how much of what a server sends is let in
    child           a server as a process
    remote          a server behind a URL
    addresses       at which URLs a server is spoken with
"""
