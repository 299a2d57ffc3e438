"""The policy's files, read: the shipped default, and the user's own."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from armslength.policy.rules import Rules, read_rules

DEFAULT = "default.cedar"


@cache
def default_text() -> str:
    """The text of the policy that is shipped."""
    return (files("armslength.policy") / DEFAULT).read_text("utf-8")


@cache
def default_rules() -> Rules:
    """The rules that are shipped."""
    return Rules(read_rules(default_text(), DEFAULT, is_default=True))
