"""The commented configuration that `armslength config --example` prints."""

EXAMPLE = """\
# Armslength reads this file from its place as `armslength config` shows it, or from --config, or ARMSLENGTH_CONFIG.
# Every setting is optional. Relative paths start at this file; ~ is your home folder. An unknown key is an error.

# Runs, label ledgers and copies for undoing live here. Default: your state folder.
# state = "~/.local/state/armslength"

[runs]
# The SQLite file of the runs. Default: runs.sqlite in the state folder.
# database = "~/armslength-runs.sqlite"
# Or a PostgreSQL that several workers share, "postgresql://me@db.example.com/armslength": see password and folder
# in docs/configuration.md; the password does not stand here.
# Encrypts what runs and conversations hold. The key lies in the keyring of your system, or in a file that you name.
# encrypt = true
# key_file = "~/.armslength-contents.key"
# Runs that began longer ago are removed when a command begins. Default: they stay until you purge them.
# keep = "90d"

[memory]
# Gives programs remember and recall: values under names, from one request to the next.
# keep = true

[user]
name = "Ada Lovelace"
# Your own addresses; the first is the one that writes. Needed once [mail] is set.
addresses = ["ada@example.com"]

[mail]
# A Maildir, or one mbox file. For mail on a server, and for several accounts, see docs/mail.md.
path = "~/Maildir"
# The server whose Authentication-Results headers count. Without it no sender is verified, and all mail is mail:unverified.
# authserv_id = "mx.example.com"
# Where that server says nothing, let a mail's signature vouch: its key is asked of the sender's name server, which so learns that it was looked at.
# check_signatures = true
# Folders that are written to.
outbox = "Outbox"
drafts = "Drafts"
trash = "Trash"
sent = "Sent"
# Hold what is sent for so long (10m, 2h, 1d) in a folder of its own; `armslength held` lists it, `armslength recall` takes it back.
# hold = "10m"
# held = "Held"
# Where those folders are if path is an mbox file: a Maildir.
# folders_path = "~/armslength-mail"
# The server by which what is sent leaves, over TLS. Without it a mail that is sent lies in the folder outbox, and somebody else delivers it.
# [mail.smtp]
# host = "mail.example.com"
# user = "ada"
# password = { environment = "MAIL_PASSWORD" }
# tls = "implicit"

[files]
# Only what is below this folder can be read or changed.
path = "~/Notes"

[calendar]
# A folder of .ics files, or one file.
path = "~/Calendar"
# Or instead of it calendars on servers, each in a table [calendar.NAME] with url, user and password: see docs/calendar.md.

[contacts]
# A folder of .vcf files, or one file.
path = "~/Contacts"
# Beside it or instead of it, an address book on a server that you alone write: see docs/calendar.md.
# [contacts.home]
# url = "https://dav.example.com/"
# user = "ada"
# password = { keyring = "contacts.home" }

# PDF, DOCX and other documents are read in a process without files and network. `armslength config` says what confines it here.
[documents]
# Where neither seccomp nor bubblewrap is there: refuse to read documents, or read with limits of memory and time alone.
without_sandbox = "refuse"
# What one document may take.
# megabytes = 512
# timeout = 20

# Pages of the web, asked for by name, never through a proxy (docs/web.md). Left out, nothing is fetched.
[web]
# fetch = true
# Hosts of your own network that may be asked, each with its port; all others have to be of the internet.
# local = ["nas.home.lan:8080"]
# Whose certificates count for those hosts, and for them alone (PEM).
# authorities = "home.pem"
# ports = [80, 443]
# megabytes = 5
# timeout = 30

# What is known of a host: whom it tells further, whether others have accounts there, which paths are yours.
# services = { "docs.example.com" = { tells = ["cdn.example.net"], shared = true, own = ["/kim/"], account = "kim's" } }

# A service that is asked what the web has on something: searxng (any server of it) or brave.
# [web.search]
# kind = "searxng"
# url = "https://search.example.org/search"
# tells = ["www.bing.com"]
# key = { environment = "SEARCH_KEY" }
# account = "kim's"

# Servers of MCP, by names of yours. None of their tools is one before `armslength mcp review notes`; see docs/mcp.md.
# [mcp.notes]
# command = "uvx"
# arguments = ["some-notes-server"]
# [mcp.desk]
# url = "https://desk.example/mcp"
# token = { environment = "DESK_TOKEN" }

# Files that stand in for web pages and Slack, for trying out; not beside web.fetch.
# [standin]
# path = "~/standin"

# The planner writes the programs. It sees your words and the tools, never what others wrote.
# Without [models] the embedded model does both; `armslength model fetch` gets it.
[models.planner]
provider = "embedded"          # embedded, openai (any compatible endpoint), or anthropic
# provider = "openai"
# model = "gpt-5"
# base_url = "https://api.openai.com/v1"
# key = { environment = "OPENAI_API_KEY" }   # or { keyring = "openai" }, or { command = ["pass", "show", "openai"] }; keys do not stand in files
# window = 32768               # tokens, question and answer together
# is_local = false             # true: base_url is on this machine, so data that stays here may go there
# is_small = false             # true: whatever its programs send is asked about
# timeout = 120                # seconds
# at_once = 0                  # questions of one run beside each other; 0: 32, on this machine 4, embedded 1
# threads = 0                  # of the embedded model; 0: the cores that nobody else uses, at most 8

# The quarantined model reads what others wrote and has no tools. Without this table it is the planner's.
# [models.quarantined]
# provider = "embedded"

# A quarantined model for what the other one may not have: what privacy.this_machine_only keeps here, or your own rules do.
# [models.confined]
# provider = "embedded"

# A request that begins by itself, while armslength work runs: at a time, every so often, or when mail came.
# [schedule.morning]
# request = "Which of my unread mails need an answer today?"
# at = "07:30"
# days = ["mon", "tue", "wed", "thu", "fri"]

[notify]
# How you hear that such a run has ended or waits: a command, whose last word is the line, or a web hook.
# command = ["notify-send", "Armslength"]
# webhook = "https://hooks.example.com/armslength"

[spending]
# What the models may cost. A call that could go over is not made; when four fifths are spent, you are told.
# currency = "EUR"             # what price_in and price_out of a model's table are in, for a million tokens
# run_cost = 0.5
# day_cost = 5.0
# run_tokens = 200000
# day_tokens = 2000000

[page]
# Where armslength ask --page asks for a yes, on this machine: a port, 0 for any that is free; and how long it waits.
port = 0
wait_minutes = 60

[conversation]
# How much the planner of a chat may learn of data, all together, in bits: what reveal(x) shows, and that a program stopped.
bits = 8

[trust]
# Sources whose words count as your own, by the names that `armslength why` shows. Keep it empty if in doubt.
sources = []

[privacy]
# Patterns of source names whose data goes to no model or receiver outside this machine, such as "mail:*@bank.example". A mail whose
# sender nobody verified counts as From and Reply-To say; one whose From names nobody stays with every pattern of mail.
this_machine_only = []

# Who may learn what comes of nothing but these sources, though they were no readers of it: an address, a host or a group.
[privacy.may_learn]
# "kim@work.example" = ["calendar:*", "store:calendar"]

# Names for people, hosts and sources, which rules of yours can ask for.
[groups]
# family = ["eva@home.example", "*@family.example"]
# work = ["*@work.example", "file:*"]

# Spans for the OpenTelemetry that this process is configured with: off, run (a span for the run and each planner call), or calls (also
# each read, question, effect and screen, whose number and length tell something of what was read). No span carries content.
[tracing]
spans = "off"

# Whether a yes may hold longer than its run: for a week, or until you revoke it. `armslength grants` lists what does.
[approvals]
lasting_grants = true

# Rules of your own, in Cedar. They can only make decisions stricter; `armslength policy show` prints all that is enforced.
# rewrites: whether the planner writes a program that is expected to ask once more, to need fewer questions; off with a small planner.
[policy]
# file = "policy.cedar"
# rewrites = true
"""
