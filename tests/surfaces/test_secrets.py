"""`secret set` and `secret remove`: into the keyring and out of it, and never on a screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import keyring
import pytest
from tests.store.keyrings import NAME, FakeKeyring

from armslength.app import load_settings

SECRET = "open-sesame"


@pytest.fixture
def ring() -> Iterator[FakeKeyring]:
    """The keyring of the system."""
    before, made = keyring.get_keyring(), FakeKeyring()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


def test_a_secret_is_kept_found_and_removed(home: Any, ring: FakeKeyring) -> None:
    """A setting finds it meanwhile; nothing that is printed has it."""
    home.config.write_text(f'{home.config.read_text()}key = {{ keyring = "llm" }}\n[runs]\nkeyring = "{NAME}"\n')
    kept = home.run("secret", "set", "llm", stdin=f"{SECRET}\n".encode())
    assert (kept.code, kept.out, kept.err) == (
        0, 'kept in the keyring; a setting uses it by { keyring = "llm" }\n', "",
    )  # fmt: skip
    place = load_settings(home.config).planner.key
    assert place is not None
    assert place() == SECRET
    assert home.run("secret", "remove", "llm").code == 0
    ended = home.run("secret", "remove", "llm")
    assert (ended.code, ended.err) == (
        2, "armslength: the keyring has no entry llm of ours; nothing was removed\n",
    )  # fmt: skip


@pytest.mark.parametrize("text", [b"", b"\n", b"a\x1b[2Jb\n"])
def test_what_is_no_line_is_not_kept(home: Any, ring: FakeKeyring, text: bytes) -> None:
    """Nothing is kept for a setting to fail on later."""
    home.config.write_text(f'{home.config.read_text()}[runs]\nkeyring = "{NAME}"\n')
    ended = home.run("secret", "set", "llm", stdin=text)
    assert (ended.code, ring.secrets) == (2, {})
    assert "nothing was kept" in ended.err
