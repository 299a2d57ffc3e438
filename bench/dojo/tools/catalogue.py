"""What the travel provider lists: hotels, restaurants, car rentals and flights, which anybody may read.

The provider records names, ratings, prices, flights, and the categories it has for kinds of food, diets, cars and fuel. Reviews are their
writers' words, `review:NAME`; what a business typed about itself in free text (address, contact, opening hours) is its own, `business:NAME`.
AgentDojo gives most of it as a dict by name, or as one text; here it is a list of records in the provider's order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from armslength.errors import ToolError
from armslength.labels import PUBLIC, Label, label
from armslength.schema import FLOAT, STR, Field, ListOf, Origin, RecordType, Type
from armslength.tools.annotations import label_plain
from armslength.tools.base import Role, Tool, ToolCall
from armslength.tools.usual import Usual
from armslength.values import Labelled, Plain
from bench.dojo.tools.mailbox import MOMENT
from bench.dojo.tools.shared import Args, Provider, listed, record

_NAMES = Field("name", STR)
FLIGHT = RecordType(
    "Flight",
    (
        Field("airline", STR),
        Field("flight_number", STR),
        Field("departure_time", STR, doc=MOMENT),
        Field("arrival_time", STR),
        Field("price", FLOAT),
        Field("contact_information", STR),
    ),
)
_FLIGHT = re.compile(
    r"Airline: (?P<airline>.*?), Flight Number: (?P<flight_number>.*?), "
    r"Departure Time: (?P<departure_time>[\d-]{10} [\d:]{5}).*?, Arrival Time: (?P<arrival_time>[\d-]{10} [\d:]{5}).*?, "
    r"Price: (?P<price>[\d.]+), Contact Information: (?P<contact_information>.*)",
    re.DOTALL,
)
_RATED = re.compile(r"Rating: (?P<rating>[\d.]+)\nReviews: (?P<reviews>.*)", re.DOTALL)
_PRICES = re.compile(r"Price range: (?P<price_min>[\d.]+) - (?P<price_max>[\d.]+)")

Read = Callable[[Any], dict[str, Any]]
"""From what AgentDojo says of one place to the fields of its record."""


@dataclass(frozen=True, slots=True)
class Listed:
    """What one tool says of each place. `fields`: beside its name. `writer`: of which fields somebody else is the source, by kind."""

    name: str
    record: RecordType
    read: Read
    writer: Mapping[str, str]


def _listed(name: str, type_name: str, field: Field, *, written_by: str = "") -> Listed:
    """A tool that says one thing of each place."""
    record_type = RecordType(type_name, (_NAMES, field))
    return Listed(name, record_type, lambda given: {field.name: given}, {field.name: written_by} if written_by else {})


def _rated(name: str) -> Listed:
    """A tool that gives rating and reviews as one text, the rating first."""
    record_type = RecordType("Rated", (_NAMES, Field("rating", FLOAT), Field("reviews", ListOf(STR))))
    return Listed(name, record_type, _rating, {"reviews": "review"})


def _rating(given: Any) -> dict[str, Any]:
    found = _matched(_RATED, str(given))
    return {"rating": float(found["rating"]), "reviews": found["reviews"].split("\n")}


def _range(given: Any) -> dict[str, Any]:
    return {name: float(part) for name, part in _matched(_PRICES, str(given)).groupdict().items()}


_HOTEL_PRICES = RecordType("HotelPrices", (_NAMES, Field("price_min", FLOAT), Field("price_max", FLOAT)))
_ADDRESS = Field("address", STR)
_TOOLS = (
    Listed("get_hotels_prices", _HOTEL_PRICES, _range, {}),
    _rated("get_rating_reviews_for_hotels"),
    _listed("get_hotels_address", "Address", _ADDRESS, written_by="business"),
    _listed("get_cuisine_type_for_restaurants", "Cuisine", Field("cuisine_type", STR)),
    _listed("get_restaurants_address", "Address", _ADDRESS, written_by="business"),
    _rated("get_rating_reviews_for_restaurants"),
    _listed("get_dietary_restrictions_for_all_restaurants", "Diets", Field("dietary_restrictions", STR)),
    _listed(
        "get_contact_information_for_restaurants", "Contact", Field("contact_information", STR), written_by="business"
    ),
    _listed("get_price_for_restaurants", "RestaurantPrice", Field("price_per_person", FLOAT)),
    _listed("check_restaurant_opening_hours", "OpeningHours", Field("operating_hours", STR), written_by="business"),
    _listed("get_car_types_available", "CarTypes", Field("car_types", ListOf(STR))),
    _rated("get_rating_reviews_for_car_rental"),
    _listed("get_car_fuel_options", "FuelOptions", Field("fuel_options", ListOf(STR))),
    _listed("get_car_rental_address", "Address", _ADDRESS, written_by="business"),
    _listed("get_car_price_per_day", "CarPrice", Field("price_per_day", FLOAT)),
)
_QUERIES = dict.fromkeys(
    ("city", "departure_city", "arrival_city", "hotel_name", "hotel_names", "restaurant_names", "company_name"),
    Role.QUERY,
)
_IN_A_CITY = ("get_all_hotels_in_city", "get_all_restaurants_in_city", "get_all_car_rental_companies_in_city")


def catalogue_tools(provider: Provider) -> list[Tool]:
    """The tools over what the provider lists. None of them fails."""
    known = label([provider.store])
    return [
        *(_names(provider, name, known) for name in _IN_A_CITY),
        *(_places(provider, each, known) for each in _TOOLS),
        _flights(provider, known),
    ]


def _reading(
    provider: Provider, name: str, returns: Type, labelled: Callable[[ToolCall, Args, Any], Labelled], usual: Usual
) -> Tool:
    """A read in which the provider decides which things there are, how many and in what order; the arguments pick among them."""
    return provider.tool(
        name,
        returns,
        labelled,
        origin=Origin("tool", is_trusted=not usual.fields),
        roles=_QUERIES,
        reads="catalogue",
        picks=True,
        fails_by=(),
        usually=lambda _args, _where: usual,
    )


def _names(provider: Provider, name: str, known: Label) -> Tool:
    """The names in a city, which AgentDojo gives as lines of a text behind a heading."""

    def labelled(_call: ToolCall, args: Args, found: Any) -> Labelled:
        heading = re.compile(rf"(?:Hotel Names|Restaurant in {re.escape(str(args['city']))}|"
                             rf"Car Rental Companies in {re.escape(str(args['city']))}): ")  # fmt: skip
        names = _matched(heading, str(found), is_whole=False)
        lines = str(found)[names.end() :].split("\n")
        return label_plain([line for line in lines if line], ListOf(STR), known)

    return _reading(provider, name, ListOf(STR), labelled, Usual(known))


def _places(provider: Provider, of: Listed, known: Label) -> Tool:
    def labels(name: str, kinds: Mapping[str, str]) -> dict[str, Label]:
        written = {part: provider.by(f"{kind}:{name}", readers=PUBLIC) for part, kind in kinds.items()}
        return {**dict.fromkeys((each.name for each in of.record.fields), known), **written}

    def labelled(_call: ToolCall, _args: Args, found: Mapping[str, Any]) -> Labelled:
        return listed(
            [
                record({"name": name, **of.read(said)}, of.record, known, labels(name, of.writer))
                for name, said in found.items()
            ],
            known,
        )

    usual = Usual(known, {part: each for part, each in labels("*", of.writer).items() if part in of.writer})
    return _reading(provider, of.name, ListOf(of.record), labelled, usual)


def _flights(provider: Provider, known: Label) -> Tool:
    """A line for each flight; how to reach the airline is the airline's own word."""

    def one(line: str) -> Labelled:
        found = _matched(_FLIGHT, line).groupdict()
        fields: dict[str, Label] = dict.fromkeys(found, known)
        fields["contact_information"] = provider.by(f"business:{found['airline']}", readers=PUBLIC)
        return record({**found, "price": float(found["price"])}, FLIGHT, known, fields)

    def labelled(_call: ToolCall, _args: Args, found: Any) -> Labelled:
        return listed([one(line) for line in re.split(r"\n(?=Airline: )", str(found)) if line], known)

    usual = Usual(known, {"contact_information": provider.by("business:*", readers=PUBLIC)})
    return _reading(provider, "get_flight_information", ListOf(FLIGHT), labelled, usual)


def _matched(pattern: re.Pattern[str], text: str, *, is_whole: bool = True) -> re.Match[str]:
    found = pattern.fullmatch(text) if is_whole else pattern.match(text)
    if found is None:
        raise ToolError("catalogue: the provider answered in another form than it always does")
    return found


USER = (
    "First Name", "Last Name", "ID Number", "Email", "Phone Number", "Address", "Passport Number", "Bank Account Number",
    "Credit Card Number",
)  # fmt: skip
"""What the provider keeps of its user, by AgentDojo's keys."""


def user_tool(provider: Provider) -> Tool:
    """`get_user_information`: the user gave all of it himself, for himself; private."""
    fields = {key: key.lower().replace(" ", "_") for key in USER}
    returns = RecordType("UserInformation", tuple(Field(name, STR) for name in fields.values()))

    def labelled(_call: ToolCall, _args: Args, found: Mapping[str, Plain]) -> Labelled:
        parts = {name: found[key] for key, name in fields.items()}
        return record(parts, returns, provider.known, dict.fromkeys(fields.values(), provider.known))

    return provider.tool(
        "get_user_information",
        returns,
        labelled,
        origin=Origin("tool", is_trusted=True),
        reads="profile",
        picks=True,
        fails_by=(),
        usually=lambda _args, _where: Usual(provider.known),
    )
