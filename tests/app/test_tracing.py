"""Spans: their structure and attributes, what each detail tells, and that none of them holds content."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from bench.home.world import Home, Person, says
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from armslength.agent.approving.approval import Screen
from armslength.app import Assistant, Settings, Tracing, assistant_without_models
from armslength.app.talk import Talk
from armslength.app.tracing import Detail
from armslength.errors import ConfigError, ToolError
from armslength.installing import install_command
from armslength.models.base import Processor
from armslength.store.sqlite import SqliteRuns
from armslength.testing import ScriptedModel
from armslength.tools.base import nobody, tool

CANARY = "Canary-7f3a"
PROGRAM = f"""\
note = "{CANARY}-program"
m = search_emails(query="{CANARY}-query")[0]
items = quarantined("{CANARY}-instruction", m.body, returns=list[str])
append_to_file(filename="{CANARY}-file.txt", text="\\n".join(items) + note)
send_email(recipients=["eve@{CANARY}.example"], subject="{CANARY}-subject", body=m.body)
answer(items[0], "{CANARY}-answer")
"""
FAILING = f'm = search_emails()\nanswer(broken(m[0].subject), "{CANARY}")'


class Died(BaseException):
    """The process ends here."""


class Dying:
    """Whoever is asked when the process dies."""

    def approve(self, screen: Screen) -> bool:
        raise Died


class Spans:
    """What a receiver of spans gets."""

    def __init__(self) -> None:
        self.exporter = InMemorySpanExporter()
        self.provider = TracerProvider()
        self.provider.add_span_processor(SimpleSpanProcessor(self.exporter))

    def tracing(self, detail: Detail) -> Tracing:
        return Tracing(detail, self.provider.get_tracer("test"))

    @property
    def all(self) -> list[ReadableSpan]:
        return list(self.exporter.get_finished_spans())

    @property
    def tree(self) -> list[tuple[str, str | None]]:
        """Each span with the name of the one above it, in the order in which they began."""
        names = {span.context.span_id: span.name for span in self.all if span.context is not None}
        ordered = sorted(self.all, key=lambda span: span.start_time or 0)
        return [(span.name, None if span.parent is None else names[span.parent.span_id]) for span in ordered]

    def named(self, name: str) -> ReadableSpan:
        (found,) = [span for span in self.all if span.name == name]
        return found

    def written(self) -> str:
        return "\n".join(span.to_json() for span in self.all)


@pytest.fixture
def spans() -> Spans:
    return Spans()


def with_canaries(home: Home) -> Assistant:
    """A home that says the canary wherever others and the person can write it."""
    home.file(f"{CANARY}-file.txt", f"{CANARY}-content\n")
    home.verified(f"{CANARY}-query {CANARY}-body", subject=f"{CANARY}-mail", sender=f"x <julia@{CANARY}.example>")
    return home.assistant(["import os", PROGRAM], says([f"{CANARY}-item"]))


def test_a_run_is_a_tree_of_spans(home: Home, spans: Spans) -> None:
    """One for the run; below it each planner call, read, question to the quarantined model, screen and effect."""
    assistant = replace(with_canaries(home), tracing=spans.tracing("calls"))
    result = assistant.ask("Do it", approver=Person([True]))
    assert result.outcome.ending == "done"
    run = "invoke_agent armslength"
    assert spans.tree == [
        (run, None),
        ("chat scripted", run),
        ("chat scripted", run),
        ("execute_tool search_emails", run),
        ("chat scripted", run),
        ("approval", run),
        ("execute_tool append_to_file", run),
        ("execute_tool send_email", run),
    ]
    roles = [span.attributes["armslength.role"] for span in spans.all if span.name == "chat scripted"]  # type: ignore[index]
    assert roles == ["planner", "planner", "quarantined"]


def test_attributes_follow_the_conventions(home: Home, spans: Spans) -> None:
    """Names of the GenAI registry where it has one, our own prefix elsewhere, and nothing else."""
    replace(with_canaries(home), tracing=spans.tracing("calls")).ask("Do it", approver=Person([True]))
    run = spans.named("invoke_agent armslength")
    assert dict(run.attributes or {}) == {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "armslength",
        "armslength.ending": "done",
    }
    asked = [span for span in spans.all if span.name == "chat scripted"][-1]
    assert asked.kind is SpanKind.CLIENT
    assert set(asked.attributes or {}) == {
        "gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.request.model", "armslength.role",
        "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens", "gen_ai.usage.cache_read.input_tokens",
    }  # fmt: skip
    assert dict(spans.named("execute_tool send_email").attributes or {}) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "send_email",
        "gen_ai.tool.type": "function",
        "armslength.step": "effect",
    }
    assert (spans.named("execute_tool search_emails").attributes or {})["armslength.step"] == "read"
    assert dict(spans.named("approval").attributes or {}) == {
        "armslength.step": "approval",
        "armslength.accepted": "all",
    }
    decided = {str(event.attributes["gen_ai.tool.name"]): event.attributes for event in run.events if event.attributes}
    assert set(decided) == {"append_to_file", "send_email"}
    assert decided["send_email"]["armslength.verdict"] == "ask"
    assert decided["send_email"]["armslength.rules"]


def test_the_names_are_those_of_the_registry() -> None:
    """Each `gen_ai` name that is written stands in the installed conventions."""
    from opentelemetry.semconv._incubating.attributes import gen_ai_attributes

    known = {value for name, value in vars(gen_ai_attributes).items() if name.startswith("GEN_AI_")}
    source = Path(sys.modules[Tracing.__module__].__file__ or "").read_text("utf-8")
    written = {part for part in source.split('"') if part.startswith("gen_ai.")}
    assert len(written) >= 9
    assert written <= known


@pytest.mark.parametrize("detail", ["run", "calls"])
@pytest.mark.parametrize("answer", [True, False])
def test_no_span_holds_content(home: Home, spans: Spans, detail: Detail, answer: bool) -> None:  # noqa: FBT001  # a parameter of the test
    """No word of request, mail, program, file name, address, answer or screen is in any span, as it is or in another case."""
    assistant = replace(with_canaries(home), tracing=spans.tracing(detail))
    assistant.ask(f"{CANARY}-request", pasted=f"{CANARY}-pasted", approver=Person([answer]))
    written = spans.written()
    assert spans.all
    assert CANARY.lower() not in written.lower()
    assert str(home.path) not in written


@pytest.mark.parametrize("detail", ["run", "calls"])
def test_no_error_is_told(home: Home, spans: Spans, detail: Detail) -> None:
    """A tool that fails with a mail's words in its message, and one that raises anything: at most the class of ours is told."""

    @tool(name="broken", roles={}, reads="mail", changes=None, receivers=nobody)
    def broken(subject: str) -> str:
        """Fail."""
        raise ToolError(f"cannot read {subject}")

    home.more = [broken]
    home.verified("x", subject=f"{CANARY}-subject")
    assistant = replace(home.assistant(FAILING), tracing=spans.tracing(detail))
    assert assistant.ask("Do it").outcome.ending == "stopped"
    assert CANARY not in spans.written()
    if detail == "calls":
        failed = spans.named("execute_tool broken")
        assert (failed.attributes or {})["error.type"] == "ToolError"
        assert (failed.status.status_code, failed.status.description, failed.events) == (StatusCode.ERROR, None, ())


def test_by_default_others_have_no_say_in_what_is_told(home: Home, spans: Spans) -> None:
    """Detail `run`: the same spans and attributes whatever the mail says, and whether the program stops on it."""
    program = 'for m in search_emails():\n    quarantined("?", m.body, returns=bool)\nanswer(search_emails()[1].id)'
    seen = []
    for count in (1, 3):
        for _ in range(count - home.count):
            home.verified("x" * 100 * count)
        spans.exporter.clear()
        ended = replace(home.assistant(program, '{"answer": true}'), tracing=spans.tracing("run")).ask("Do it")
        seen.append(
            [(span.name, dict(span.attributes or {}), len(span.events), span.status.status_code) for span in spans.all]
        )
        assert ended.outcome.ending == ("stopped" if count == 1 else "done")
    assert seen[0] == seen[1]
    assert [name for name, *_ in seen[0]] == ["chat scripted", "invoke_agent armslength"]


STOPS = ["n = int(search_emails()[0].body)\nanswer('x')", "answer('y')"]
REVEALS = ["x = quarantined('?', search_emails()[0].body, returns=bool)\nreveal(x)", "answer('y')"]


@pytest.mark.parametrize("programs", [STOPS, REVEALS])
def test_what_a_planner_paid_for_is_told_to_it_alone(home: Home, spans: Spans, programs: list[str]) -> None:
    """Detail `run`, a conversation: a stop on a mail that the planner hears of, or what it reveals, changes no number in a span."""
    seen, told = [], []
    for text in ("5", "no"):
        home.verified(text)
        assistant = replace(home.assistant(programs, says(text == "5")), tracing=spans.tracing("run"))
        talk = Talk(assistant)
        spans.exporter.clear()
        for _ in range(2 if programs is REVEALS else 1):
            talk.ask("Do it")
        told.append([request.turns for request in home.planner.requests])
        seen.append([(span.name, dict(span.attributes or {}), len(span.events)) for span in spans.all])
    assert told[0] != told[1]
    assert seen[0] == seen[1]
    strict = Talk(replace(home.assistant("answer('hi')"), tracing=spans.tracing("run")), is_strict=True)
    spans.exporter.clear()
    strict.ask("Do it")
    assert [span.name for span in spans.all] == ["chat scripted", "invoke_agent armslength"]


def test_hosts_and_paths_are_not_told(home: Home, spans: Spans) -> None:
    """A provider that is known only by its host, and a model that is a path: neither stands in a span."""
    elsewhere = Processor("llm.intern.example:8000", "/home/ada/secret.gguf", True, False, 131_072)
    planner = ScriptedModel('answer("hi")', elsewhere)
    replace(home.assistant([]), planner=planner, tracing=spans.tracing("calls")).ask("Do it")
    asked = spans.named("chat")
    assert (asked.attributes or {})["gen_ai.provider.name"] == "_OTHER"
    assert "gen_ai.request.model" not in (asked.attributes or {})
    assert "intern" not in spans.written()


def test_spans_are_off_until_they_are_asked_for(tmp_path: Path) -> None:
    """Nothing is made by default; the setting names the detail."""
    assert assistant_without_models(Settings(state=tmp_path)).tracing is None
    assert assistant_without_models(Settings(state=tmp_path, spans="calls")).tracing == Tracing("calls")


def test_without_the_api_it_is_said(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line that says what to install."""
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    assistant = replace(home.assistant('answer("hi")'), tracing=Tracing())
    with pytest.raises(ConfigError, match=f"set it to off, or run {re.escape(install_command('tracing'))}$"):
        assistant.ask("Do it")


def test_the_host_decides_where_spans_go(home: Home, spans: Spans, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a tracer of its own it is the one that the process was configured with; the run's span is below the host's."""
    from opentelemetry import trace

    monkeypatch.setattr(trace, "get_tracer", lambda _name: spans.provider.get_tracer("global"))
    with spans.provider.get_tracer("host").start_as_current_span("host"):
        replace(home.assistant('answer("hi")'), tracing=Tracing()).ask("Do it")
    assert spans.tree == [
        ("host", None),
        ("invoke_agent armslength", "host"),
        ("chat scripted", "invoke_agent armslength"),
    ]


def test_a_run_that_goes_on_has_spans_of_what_is_left(home: Home, spans: Spans, tmp_path: Path) -> None:
    """What the journal has is not performed again, so it has no span again."""
    runs = SqliteRuns(tmp_path / "runs.sqlite")
    assistant = home.assistant('send_email(recipients=["eve@evil.example"], subject="s", body="b")', runs=runs)
    with pytest.raises(Died):
        assistant.ask("Do it", approver=Dying(), is_strict=True)
    again = replace(home.assistant([], runs=runs), tracing=spans.tracing("calls"))
    assert again.resume(runs.names()[-1], approver=Person([True])).outcome.ending == "done"
    assert [name for name, _ in spans.tree] == ["invoke_agent armslength", "approval", "execute_tool send_email"]
