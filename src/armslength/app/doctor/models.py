"""The models: a provider is asked for a word; of the embedded one, its file and runtime are looked at."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from functools import partial

from armslength.app.doctor.examining import Check, Good
from armslength.app.model_choice import ModelChoice
from armslength.app.settings import Settings
from armslength.app.wiring import model_of
from armslength.errors import ModelMissing
from armslength.installing import install_command
from armslength.models.base import ModelRequest, Turn
from armslength.models.catalogue import QWEN_CODER
from armslength.models.fetch import find_model, model_digest

_WORD = ModelRequest("", (Turn("user", "Say yes."),), max_tokens=16)


def model_checks(settings: Settings) -> Iterator[Check]:
    """One for each model that is used; two sides with the same one share it."""
    sides: dict[ModelChoice, list[str]] = {}
    for role, choice in (
        ("planner", settings.planner),
        ("quarantined model", settings.quarantined),
        ("confined model", settings.confined),
    ):
        if choice is not None:
            sides.setdefault(choice, []).append(role)
    for choice, roles in sides.items():
        look = _embedded if choice.provider == "embedded" else partial(_provider, choice)
        yield Check(" and ".join(roles), look)


def _embedded() -> Good:
    path = find_model()
    if path is None:
        raise ModelMissing("the embedded model is not there, or not whole; run armslength model fetch")
    if importlib.util.find_spec("xllamacpp") is None:
        raise ModelMissing(f"the embedded model's runtime is not installed; run {install_command('local')}")
    if model_digest(path) != QWEN_CODER.sha256:
        return Good(
            f"{path}, a file of your own", "nothing is known of what it is; unset ARMSLENGTH_MODEL for the usual one"
        )
    return Good(
        f"{path}, verified",
        "it is small, and mistakes much; a larger model is a setting (docs/configuration.md#providers)",
    )


def _provider(choice: ModelChoice) -> Good:
    reply = model_of(choice, lambda _line: None).complete(_WORD)
    return Good(f"{choice.model} answered within {reply.usage.seconds:.1f} s")
