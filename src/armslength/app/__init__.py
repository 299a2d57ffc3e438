"""The library's face: from a configuration to an assistant that can be asked.

From the configuration:
    settings   the file, checked whole
    in_force   the settings in the form of the file, as `config` shows them
    table      one table of the file, which refuses what nobody asked for
    mail       its table `[mail]`: the accounts
    mail_sending  the server by which an account's mail leaves
    mail_server  where an account's mail lies on a server, and its tokens
    dav        its calendars and address books on servers
    documents  its table `[documents]`: how the process is confined that reads them
    keeping    its table `[runs]`: how long, and whether encrypted
    web        its table `[web]`: fetching pages, and searching
    draft      a configuration that is being made
    system     what an administrator forbids for everybody
    policies   the policy's files, read
    model_choice  which model computes one side
    caps       what models may cost
    spending   what they did cost, and the calls that are not made
    tasks      requests that begin by themselves, and when
    occasions  what began a run, and which tasks can never begin
    notifying  how a person hears of such a run
    mcp        its table `[mcp]`: servers
    durations  how long something lasts, as it is written
    secrets    what stands in no file: keys and passwords, from environment, keyring or a command
    accepted   what a person accepted of servers, and the tools that it makes
    databases  the database of the runs
    wiring     tools and models, and that their places are apart
    doctor     a folder: what works of it, what does not, and what to do

What can be asked:
    assistant  a request is carried out, planned, gone on with, taken back, replayed
    one_run    one request with everything wired for it
    beginning  what a run comes with, and what of that is written down first
    talk       a conversation
    waiting    a run that waits for a person
    scheduling what is due is begun
    working    a worker that goes on with runs
    tracing    spans of runs
    kept       all runs and grants that are kept, for whoever looks at them
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from armslength.agent.runs.trust import trust_of
from armslength.app.assistant import Assistant
from armslength.app.databases import runs_of
from armslength.app.one_run import Planned, Result
from armslength.app.policies import rules_of
from armslength.app.settings import Settings, default_file, load_settings
from armslength.app.talk import Talk
from armslength.app.tracing import Tracing
from armslength.app.wiring import model_of, policy_of, policy_without_models, rewrites_of, spending_of, tools_of
from armslength.models.absent import AbsentModel


def assistant_of(settings: Settings, *, notice: Callable[[str], None] = lambda _line: None) -> Assistant:
    """The assistant that a configuration describes. `notice` is told in one line of what takes long.

    Raises:
        OperatorError: a place, a key, the embedded model or its runtime is missing, or what is too old cannot be removed.
    """
    made = assistant_without_models(settings)
    planner = model_of(settings.planner, notice)
    same = settings.quarantined == settings.planner
    return replace(
        made,
        planner=planner,
        quarantined=planner if same else model_of(settings.quarantined, notice),
        confined=None if settings.confined is None else model_of(settings.confined, notice),
        spending=spending_of(settings, notice),
        policy=policy_of(settings, planner, is_strict=False),
        rewrites=rewrites_of(settings, planner),
    )


def assistant_without_models(settings: Settings) -> Assistant:
    """The same for what needs no model, such as `undo`: no model is opened, and none can be asked.

    Raises:
        OperatorError: a place or a key is missing, or what is too old cannot be removed.
    """
    from armslength.app.kept import grants_of, remove_old

    remove_old(settings)
    tools = tools_of(settings)
    return Assistant(
        tools=tools,
        planner=AbsentModel(),
        quarantined=AbsentModel(),
        policy=policy_without_models(settings, is_strict=False),
        rules=rules_of(settings, tools),
        trust=trust_of(settings.trusted),
        runs=runs_of(settings),
        tracing=None if settings.spans == "off" else Tracing(settings.spans),
        grants=grants_of(settings),
        lasting_grants=settings.lasting_grants,
    )


def talk_of(settings: Settings, assistant: Assistant, *, is_strict: bool = False) -> Talk:
    """A new conversation with an assistant, kept where the configuration says."""
    folder, contents = settings.conversations, settings.contents
    return Talk(assistant, folder, settings.conversation_bits, is_strict, contents=contents)


__all__ = [
    "Assistant",
    "Planned",
    "Result",
    "Settings",
    "Talk",
    "Tracing",
    "assistant_of",
    "assistant_without_models",
    "default_file",
    "load_settings",
    "model_of",
    "talk_of",
    "tools_of",
]
