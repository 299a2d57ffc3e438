"""Every suite's declarations are AgentDojo's own names, parameters and descriptions; whatever a vector reaches is untrusted."""

from __future__ import annotations

from types import ModuleType

import pytest
from agentdojo.task_suite.load_suites import get_suite

from armslength.tools.base import Role
from armslength.values import Plain
from bench.dojo.tests.declaring import MARK, leaves, suite_of
from bench.dojo.tools import banking, slack, travel, workspace
from bench.dojo.tools.shared import VERSION, Args

SUITES = [banking, slack, travel, workspace]
every_suite = pytest.mark.parametrize("module", SUITES, ids=lambda module: module.SUITE)

HOTELS: list[Plain] = [
    "Le Marais Boutique",
    "City Hub",
    "Good Night",
    "Montmartre Suites",
    "Cozy Stay",
    "London Luxury",
]
RESTAURANTS: list[Plain] = ["New Israeli Restaurant", "Breizh Café", "New Asiaway", "Le Baratin"]
CARS: list[Plain] = ["SunSet Rent-A-Car", "Speedy Rentals", "New Car Rental"]

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
    "travel": [
        ("get_user_information", {}),
        ("get_all_hotels_in_city", {"city": "Paris"}),
        ("get_all_restaurants_in_city", {"city": "Paris"}),
        ("get_all_car_rental_companies_in_city", {"city": "Nowhere (at all)"}),
        ("get_hotels_prices", {"hotel_names": ["Good Night", "Cozy Stay"]}),
        ("get_rating_reviews_for_hotels", {"hotel_names": HOTELS}),
        ("get_hotels_address", {"hotel_name": "Good Night"}),
        ("get_cuisine_type_for_restaurants", {"restaurant_names": RESTAURANTS}),
        ("get_restaurants_address", {"restaurant_names": RESTAURANTS}),
        ("get_rating_reviews_for_restaurants", {"restaurant_names": RESTAURANTS}),
        ("get_dietary_restrictions_for_all_restaurants", {"restaurant_names": RESTAURANTS}),
        ("get_contact_information_for_restaurants", {"restaurant_names": RESTAURANTS}),
        ("get_price_for_restaurants", {"restaurant_names": RESTAURANTS}),
        ("check_restaurant_opening_hours", {"restaurant_names": RESTAURANTS}),
        ("get_car_types_available", {"company_name": CARS}),
        ("get_rating_reviews_for_car_rental", {"company_name": CARS}),
        ("get_car_fuel_options", {"company_name": CARS}),
        ("get_car_rental_address", {"company_name": CARS}),
        ("get_car_price_per_day", {"company_name": CARS}),
        ("get_flight_information", {"departure_city": "Paris", "arrival_city": "London"}),
        ("get_flight_information", {"departure_city": "Paris", "arrival_city": "Paris"}),
        ("search_calendar_events", {"query": "Lunch", "date": "2024-05-15"}),
        ("get_day_calendar_events", {"day": "2024-05-15"}),
    ],
    "workspace": [
        ("get_unread_emails", {}),
        ("get_sent_emails", {}),
        ("get_received_emails", {}),
        ("get_draft_emails", {}),
        ("search_emails", {"query": ""}),
        ("search_emails", {"query": "", "sender": "david.smith@bluesparrowtech.com"}),
        ("search_contacts_by_name", {"query": "e"}),
        ("search_contacts_by_email", {"query": "@"}),
        ("get_current_day", {}),
        ("search_calendar_events", {"query": ""}),
        ("get_day_calendar_events", {"day": "2024-05-15"}),
        ("search_files_by_filename", {"filename": "client"}),
        ("get_file_by_id", {"file_id": "23"}),
        ("list_files", {}),
        ("search_files", {"query": MARK}),
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
    "travel": [
        (
            "create_calendar_event",
            {
                "title": "Tea",
                "start_time": "2024-05-16 16:00",
                "end_time": "2024-05-16 17:00",
                "participants": ["a@b.example"],
            },
        ),
        ("cancel_calendar_event", {"event_id": "1"}),
        ("reserve_hotel", {"hotel": "Good Night", "start_day": "2024-05-16", "end_day": "2024-05-18"}),
        (
            "reserve_car_rental",
            {"company": "Speedy Rentals", "start_time": "2024-05-16 10:00", "end_time": "2024-05-18 10:00"},
        ),
        ("reserve_restaurant", {"restaurant": "Breizh Café", "start_time": "2024-05-16 19:00"}),
        ("send_email", {"recipients": ["a@b.example"], "subject": "Hello", "body": "There"}),
    ],
    "workspace": [
        (
            "send_email",
            {
                "recipients": ["a@b.example"],
                "subject": "Hello",
                "body": "There",
                "attachments": [{"type": "file", "file_id": "5"}],
                "cc": ["c@d.example"],
            },
        ),
        ("delete_email", {"email_id": "27"}),
        ("create_calendar_event", {"title": "Tea", "start_time": "2024-05-16 16:00", "end_time": "2024-05-16 17:00"}),
        ("reschedule_calendar_event", {"event_id": "13", "new_start_time": "2024-05-26 18:00"}),
        ("add_calendar_event_participants", {"event_id": "13", "participants": ["a@b.example"]}),
        ("cancel_calendar_event", {"event_id": "13"}),
        ("append_to_file", {"file_id": "9", "content": "milk"}),
        ("create_file", {"filename": "list.txt", "content": "milk"}),
        ("share_file", {"file_id": "9", "email": "a@b.example", "permission": "r"}),
        ("delete_file", {"file_id": "9"}),
    ],
}

TOLD_MORE = {
    "create_calendar_event", "get_day_calendar_events", "reschedule_calendar_event", "reserve_car_rental", "reserve_hotel",
    "reserve_restaurant", "search_calendar_events", "search_emails", "send_email",
}  # fmt: skip
"""Tools whose line says in what form a parameter is, which AgentDojo says of the parameter, or ends where AgentDojo's stops to be so."""


@every_suite
def test_each_tool_is_declared_with_its_own_parameters(module: ModuleType) -> None:
    functions = {each.name: each for each in get_suite(VERSION, module.SUITE).tools}
    tools = suite_of(module).tools
    assert set(tools) == set(functions)
    for name, function in functions.items():
        signature = tools[name].signature
        theirs = {key: field.is_required() for key, field in function.parameters.model_fields.items()}
        assert {each.name: not each.has_default for each in signature.parameters} == theirs
        first = function.description.split("\n")[0]
        assert signature.doc == first or (name in TOLD_MORE and signature.doc.startswith(first.split(".")[0])), name


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
        assert (tool.undo is not None) == (name == "create_file")
        if tool.changes is None and not tool.is_effect:
            assert set(tool.roles.values()) <= {Role.QUERY}
