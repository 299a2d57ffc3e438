"""What holds for every test: in CI a skipped test is a failed one; on a person's machine it is said loudly."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from bench.server import Server
    from tests.servers.imap_dovecot import Dovecot

IN_CI = os.environ.get("CI", "").lower() in {"1", "true", "yes"}

# Two shared cores make a clock a poor judge; CI draws the same examples each time, a person's machine new ones.
settings.register_profile("person", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if IN_CI else "person")


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """A PostgreSQL for all tests of this process that need one. Where it is not installed they fail."""
    from bench.server import server

    with server(is_durable=False) as running:
        yield running


@pytest.fixture(scope="session")
def imap_server() -> Iterator[Dovecot]:
    """A real IMAP server for all tests of this process that need one. Where it is not installed they fail."""
    from tests.servers.imap_dovecot import dovecot

    with dovecot() as running:
        yield running


def _fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    """In CI, turns a skip into a failure that gives the skip's place and reason. An expected failure is no skip."""
    if not IN_CI or not report.skipped or hasattr(report, "wasxfail"):
        return
    where, line, reason = report.longrepr if isinstance(report.longrepr, tuple) else (report.nodeid, 0, report.longrepr)
    report.outcome = "failed"
    report.longrepr = f"{where}:{line}: skipped, and CI skips nothing: install what is missing in .ci/run. {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Covers skips of one test, by mark or by call."""
    report = yield
    _fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Covers skips of a whole file, `importorskip` among them."""
    report = yield
    _fail_if_skipped(report)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Names each test that did not run, so that nobody takes the rest for all."""
    skipped = terminalreporter.stats.get("skipped", [])
    if not skipped:
        return
    terminalreporter.section(
        f"{len(skipped)} NOT RUN ON THIS MACHINE; in CI they would fail", sep="!", red=True, bold=True
    )
    for report in skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        terminalreporter.line(f"{report.nodeid}: {reason}", red=True)
