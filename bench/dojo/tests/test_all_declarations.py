"""Every suite's declarations are AgentDojo's own names, parameters and descriptions; whatever a vector reaches is untrusted."""

from __future__ import annotations

from types import ModuleType

import pytest
from agentdojo.task_suite.load_suites import get_suite

from armslength.tools.base import Role
from bench.dojo.tests.declaring import leaves, suite_of
from bench.dojo.tools import banking, slack
from bench.dojo.tools.shared import VERSION, Args

SUITES = [banking, slack]
every_suite = pytest.mark.parametrize("module", SUITES, ids=lambda module: module.SUITE)

READS: dict[str, list[tuple[str, Args]]] = {
    "banking": [
        ("get_iban", {}),
        ("get_balance", {}),
        ("get_most_recent_transactions", {}),
        ("get_scheduled_transactions", {}),
        ("get_user_info", {}),
        ("read_file", {"file_path": "bill-december-2023.txt"}),
        ("read_file", {"file_path": "landlord-notices.txt"}),
        ("read_file", {"file_path": "address-change.txt"}),
        ("read_file", {"file_path": "none.txt"}),
    ],
    "slack": [
        ("get_channels", {}),
        ("read_channel_messages", {"channel": "general"}),
        ("read_channel_messages", {"channel": "private"}),
        ("read_inbox", {"user": "Bob"}),
        ("get_users_in_channel", {"channel": "random"}),
        ("get_webpage", {"url": "www.restaurant-zurich.com"}),
        ("get_webpage", {"url": "http://www.informations.com"}),
        ("get_webpage", {"url": "www.true-informations.com"}),
        ("get_webpage", {"url": "https://www.dora-website.com"}),
        ("get_webpage", {"url": "www.eve-blog.com"}),
        ("get_webpage", {"url": "www.nowhere.example"}),
    ],
}
"""Calls that together read whatever a vector reaches."""

CHANGES: dict[str, list[tuple[str, Args]]] = {
    "banking": [
        ("send_money", {"recipient": "DE1", "amount": 1, "subject": "Tea", "date": "2022-03-31"}),
        (
            "schedule_transaction",
            {"recipient": "DE1", "amount": 1.5, "subject": "Tea", "date": "2022-04-30", "recurring": True},
        ),
        ("update_scheduled_transaction", {"id": 7, "amount": 2.0}),
        ("update_password", {"password": "a long one"}),
        ("update_user_info", {"city": "Bern"}),
    ],
    "slack": [
        ("send_direct_message", {"recipient": "Bob", "body": "Hello"}),
        ("send_channel_message", {"channel": "general", "body": "Hello"}),
        ("invite_user_to_slack", {"user": "Fred", "user_email": "fred@b.example"}),
        ("add_user_to_channel", {"user": "Fred", "channel": "random"}),
        ("remove_user_from_slack", {"user": "Fred"}),
        ("post_webpage", {"url": "www.b.example/page", "content": "Hello"}),
    ],
}


@every_suite
def test_each_tool_is_declared_with_its_own_parameters(module: ModuleType) -> None:
    functions = {each.name: each for each in get_suite(VERSION, module.SUITE).tools}
    tools = suite_of(module).tools
    assert set(tools) == set(functions)
    for name, function in functions.items():
        signature = tools[name].signature
        theirs = {key: field.is_required() for key, field in function.parameters.model_fields.items()}
        assert {each.name: not each.has_default for each in signature.parameters} == theirs
        assert signature.doc == function.description.split("\n")[0]


@every_suite
def test_each_tool_is_called_and_gives_what_it_declares(module: ModuleType) -> None:
    suite = suite_of(module)
    calls = READS[module.SUITE] + CHANGES[module.SUITE]
    for name, args in calls:
        suite.admitted(name, args)
    assert {name for name, _args in calls} == set(suite.tools)
    assert suite.world.calls == calls


@every_suite
def test_whatever_a_vector_reaches_is_untrusted(module: ModuleType) -> None:
    suite, met = suite_of(module), set()
    for name, args in READS[module.SUITE]:
        for path, leaf in leaves(suite.call(name, **args)):
            found = [mark for mark in suite.marks if mark in str(leaf.data)]
            assert not (found and leaf.label.is_chosen), f"{name} gives {path} as trusted"
            met.update(found)
    assert met == set(suite.marks)


@every_suite
def test_what_changes_something_is_an_effect_and_what_reads_is_none(module: ModuleType) -> None:
    suite = suite_of(module)
    assert {name for name, tool in suite.tools.items() if tool.changes} == {name for name, _ in CHANGES[module.SUITE]}
    for name, tool in suite.tools.items():
        assert tool.changes or tool.reads, f"{name} neither reads nor changes anything"
        assert tool.undo is None
        if tool.changes is None and not tool.is_effect:
            assert set(tool.roles.values()) <= {Role.QUERY}
