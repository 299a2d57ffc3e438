"""Cedar's JSON form of a rule, walked: which names it reads, and the rule that it is for one argument.

`context.argument` stands for each argument in turn. Cedar knows no "for each", so a rule that names it becomes one rule for each argument
of the call: `context.argument` is then `context.arguments["body"]`, and name and role are the constants that they are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from cedarpy import PolicySet

Tree = dict[str, Any]

CONTEXT: Tree = {"Var": "context"}
_EACH: Tree = {".": {"left": CONTEXT, "attr": "argument"}}


def policy_set(trees: Mapping[str, Tree]) -> PolicySet:
    """What Cedar evaluates, each rule under the key that it gives as a reason.

    Raises:
        ValueError: one is too deep for Cedar's reader of this form.
    """
    return PolicySet.from_json_str(json.dumps({"staticPolicies": trees, "templates": {}, "templateLinks": []}))


def nodes(tree: object) -> Iterator[Tree]:
    """Every object of the tree, outer first."""
    if isinstance(tree, dict):
        yield tree
        for below in tree.values():
            yield from nodes(below)
    elif isinstance(tree, list):
        for below in tree:
            yield from nodes(below)


def reads(tree: Tree) -> Iterator[tuple[Tree, str]]:
    """Each attribute that is read or asked for, with what it is of."""
    for node in nodes(tree["conditions"]):
        match node:
            case {".": {"left": dict(left), "attr": str(attribute)}} | {
                "has": {"left": dict(left), "attr": str(attribute)}
            }:
                yield left, attribute
            case _:
                pass


def attributes_of(tree: Tree) -> frozenset[str]:
    """The names of all attributes that are read or asked for."""
    return frozenset(attribute for _, attribute in reads(tree))


def is_about_each_argument(tree: Tree) -> bool:
    """Whether it names `context.argument`."""
    return any(node == _EACH for node in nodes(tree["conditions"]))


def whole_records(tree: Tree) -> Iterator[str]:
    """Records of the request that are used otherwise than by naming one attribute, and `context has argument`, which is no question.

    Only what the rules name is given to Cedar, so a comparison of whole records would see less than stands in them.
    """
    inside = {id(left) for left, _ in reads(tree)}
    for node in nodes(tree["conditions"]):
        named = path_of(node)
        if named is not None and _is_record(named) and id(node) not in inside:
            yield ".".join(named)
        if node.get("has") == {"left": CONTEXT, "attr": "argument"}:
            yield "context has argument"


def path_of(node: object) -> tuple[str, ...] | None:
    """`context.arguments.body` as its names, if the expression is such a chain."""
    match node:
        case {"Var": str(name)}:
            return (name,)
        case {".": {"left": left, "attr": str(attribute)}}:
            before = path_of(left)
            return None if before is None else (*before, attribute)
        case _:
            return None


def _is_record(named: tuple[str, ...]) -> bool:
    return named in (("context",), *(("context", name) for name in ("argument", "arguments", "control"))) or (
        len(named) == 3 and named[:2] == ("context", "arguments")
    )


def put_to(tree: Tree, argument: str, role: str) -> Tree:
    """The rule for this argument."""
    its_own: Tree = {".": {"left": {".": {"left": CONTEXT, "attr": "arguments"}}, "attr": argument}}
    constants: dict[str, Tree] = {
        "role": {"Value": {"__entity": {"type": "Role", "id": role}}},
        "name": {"Value": argument},
    }

    def placed(node: object) -> object:
        match node:
            case {".": {"left": left, "attr": "role" | "name" as attribute}} if left == _EACH:
                return constants[attribute]
            case dict() if node == _EACH:
                return its_own
            case dict():
                return {name: placed(below) for name, below in node.items()}
            case list():
                return [placed(below) for below in node]
            case _:
                return node

    return {**tree, "conditions": placed(tree["conditions"])}
