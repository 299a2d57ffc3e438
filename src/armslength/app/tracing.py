"""OpenTelemetry spans of runs, after the semantic conventions for generative AI. They carry no content.

What a span may hold is made here from `agent.outside.watching`, which gives no more than names of tools and rules, counts and verdicts. Exceptions
are not recorded, since their messages may hold data. Source: semantic conventions 1.x, registry `gen_ai`, spans of clients and agents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import armslength.errors as errors_module
from armslength.agent.outside.watching import Answered, Kind, Tell, Verdict
from armslength.errors import ArmslengthError, ConfigError
from armslength.installing import install_command
from armslength.models.base import Processor

if TYPE_CHECKING:  # an extra; nothing of it is needed by who makes no spans
    from opentelemetry.trace import Span, Tracer

Detail = Literal["run", "calls"]
"""`run`: a span for the run and, but where the planner is told bits of data, one for each planner call, which follow from trusted words. `calls`: also how many reads, questions,
effects and screens there were, how long each took and how it ended, which others have a say in."""

_NAME = "armslength"
_PROVIDERS = {"api.openai.com": "openai", "api.anthropic.com": "anthropic", "embedded": "armslength.embedded"}
"""By the name of the processor, which may be a host: any other is told as `_OTHER`, since a host is an address."""
_MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,99}")
"""A model's name; what is a path of a file or a sentence is not told."""


@dataclass(frozen=True, slots=True)
class Tracing:
    """Makes spans. `tracer`: where they go; None is the tracer of whatever OpenTelemetry this process is configured with."""

    detail: Detail = "run"
    tracer: Tracer | None = field(default=None, repr=False)

    def watch(self, processors: Mapping[str, Processor], *, is_told_bits: bool = False) -> _Spans:
        """The spans of one run, which begins now. `is_told_bits`: data may decide, by bits that were paid for, what its planner is told.

        They were paid for the planner and nobody else, so in detail `run` the planner has no spans then.

        Raises:
            ConfigError: the API of OpenTelemetry is not installed.
        """
        tracer = self.tracer or _global_tracer()
        return _Spans(tracer, self.detail, processors, is_told_bits=is_told_bits)


def _global_tracer() -> Tracer:
    try:
        from opentelemetry import trace
    except ImportError:
        raise ConfigError(
            "tracing.spans: the API of OpenTelemetry is not installed; set it to off, or run "
            + install_command("tracing")
        ) from None
    return trace.get_tracer(_NAME)


class _Spans:
    """See `agent.outside.watching.Watch`."""

    def __init__(
        self, tracer: Tracer, detail: Detail, processors: Mapping[str, Processor], *, is_told_bits: bool
    ) -> None:
        from opentelemetry import trace

        self._tracer, self._has_calls, self._processors = tracer, detail == "calls", processors
        self._has_planner = self._has_calls or not is_told_bits
        self._run = tracer.start_span(
            f"invoke_agent {_NAME}",
            attributes={"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": _NAME},
            record_exception=False,
            set_status_on_exception=False,
        )
        self._context = trace.set_span_in_context(self._run)

    def around(self, kind: Kind, name: str) -> AbstractContextManager[Tell]:
        """A span below that of the run, where this detail has one."""
        if self._has_calls or (self._has_planner and kind == "model" and name == "planner"):
            return self._span(kind, name)
        return _without_span()

    def decided(self, verdict: Verdict) -> None:
        """An event of the run's span."""
        if self._has_calls:
            attributes = {
                "gen_ai.tool.name": verdict.tool,
                "armslength.verdict": verdict.verdict,
                "armslength.rules": verdict.rules,
            }
            self._run.add_event("armslength.decision", attributes)

    def ended(self, ending: str) -> None:
        """How the run ended may depend on what was read."""
        if self._has_calls:
            self._run.set_attribute("armslength.ending", ending)

    def close(self) -> None:
        """The end of the run's span."""
        self._run.end()

    @contextmanager
    def _span(self, kind: Kind, name: str) -> Iterator[Tell]:
        from opentelemetry.trace import SpanKind, Status, StatusCode

        title, attributes = self._described(kind, name)
        with self._tracer.start_as_current_span(
            title,
            context=self._context,
            kind=SpanKind.CLIENT if kind == "model" else SpanKind.INTERNAL,
            attributes=attributes,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield lambda answered: _tell(span, answered)
            except BaseException as error:
                span.set_attribute("error.type", _kind_of(error))
                span.set_status(Status(StatusCode.ERROR))
                raise

    def _described(self, kind: Kind, name: str) -> tuple[str, dict[str, str]]:
        match kind:
            case "model":
                processor = self._processors[name]
                model = processor.model if _MODEL.fullmatch(processor.model) else ""
                found = {
                    "gen_ai.operation.name": "chat",
                    "gen_ai.provider.name": _PROVIDERS.get(processor.name, "_OTHER"),
                    "armslength.role": name,
                }
                return f"chat {model}".rstrip(), found | ({"gen_ai.request.model": model} if model else {})
            case "read" | "effect":
                tool = {
                    "gen_ai.operation.name": "execute_tool",
                    "gen_ai.tool.name": name,
                    "gen_ai.tool.type": "function",
                }
                return f"execute_tool {name}", tool | {"armslength.step": kind}
            case "approval":
                return "approval", {"armslength.step": kind}


@contextmanager
def _without_span() -> Iterator[Tell]:
    yield lambda _answered: None


def _tell(span: Span, answered: Answered) -> None:
    if answered.spent is not None:
        span.set_attribute("gen_ai.usage.input_tokens", answered.spent.prompt)
        span.set_attribute("gen_ai.usage.cache_read.input_tokens", answered.spent.cached)
        span.set_attribute("gen_ai.usage.output_tokens", answered.spent.completion)
    if answered.accepted is not None:
        span.set_attribute("armslength.accepted", answered.accepted)


def _kind_of(error: BaseException) -> str:
    """The name of one of our errors; another's name is not told."""
    name = type(error).__name__
    is_ours = isinstance(error, ArmslengthError) and getattr(errors_module, name, None) is type(error)
    return name if is_ours else "_OTHER"
