"""Secrets stand in no file: they are read from the place that the configuration names, and no message has them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from tests.store.keyrings import NAME, FakeKeyring

from armslength.app import load_settings
from armslength.app.secrets import SecretPlace, keep_secret
from armslength.errors import ConfigError, OperatorError

SECRET = "open-sesame"


@pytest.fixture
def ring() -> Iterator[FakeKeyring]:
    """The keyring of the system."""
    before, made = keyring.get_keyring(), FakeKeyring()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


def place_in(tmp_path: Path, key: str, more: str = "") -> SecretPlace | None:
    """The place that a configuration with this line names."""
    file = tmp_path / "config.toml"
    file.write_text(f'{more}[models.planner]\nprovider = "openai"\nmodel = "m"\n{key}\n')
    return load_settings(file).planner.key


def test_an_environment_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By either spelling."""
    monkeypatch.setenv("A_KEY", SECRET)
    long, short = place_in(tmp_path, 'key = { environment = "A_KEY" }'), place_in(tmp_path, 'key_variable = "A_KEY"')
    assert long is not None
    assert long == short
    assert long() == SECRET


def test_a_keyring_that_the_configuration_names(tmp_path: Path, ring: FakeKeyring) -> None:
    """What was put under an entry is found under it."""
    place = place_in(tmp_path, 'key = { keyring = "llm" }', f'[runs]\nkeyring = "{NAME}"\n')
    assert place is not None
    with pytest.raises(ConfigError, match="put it there with: armslength secret set llm"):
        place()
    keep_secret("llm", SECRET, NAME)
    assert place() == SECRET


def test_the_key_of_encrypted_contents_is_no_entry(tmp_path: Path, ring: FakeKeyring) -> None:
    """A setting that names the entry of that key does not send it anywhere."""
    ring.set_password("armslength", "contents", SECRET)
    place = place_in(tmp_path, 'key = { keyring = "contents" }', f'[runs]\nkeyring = "{NAME}"\n')
    assert place is not None
    with pytest.raises(ConfigError, match="is not there"):
        place()


def test_a_keyring_in_plain_text_is_refused(tmp_path: Path, ring: FakeKeyring) -> None:
    """One that is not on the list is not asked, unless the configuration names it."""
    place = place_in(tmp_path, 'key = { keyring = "llm" }')
    assert place is not None
    with pytest.raises(ConfigError, match=r"^no keyring that keeps secrets is running"):
        place()
    with pytest.raises(ConfigError, match=r"^no keyring that keeps secrets is running"):
        keep_secret("llm", SECRET)


def test_a_command_prints_it(tmp_path: Path) -> None:
    """The first line of what it prints; no shell reads the words."""
    place = place_in(tmp_path, f'key = {{ command = ["{sys.executable}", "-c", "print(\'{SECRET}\\\\nmore\')"] }}')
    assert place is not None
    assert place() == SECRET


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (f"import sys; print('{SECRET}'); sys.exit(3)", "failed with 3; run it yourself to see why"),
        ("pass", "prints nothing"),
        (f"print('{SECRET}\\x1b[31m')", "is not one line of text"),
        (f"print('{SECRET}' * 9_999)", "is not one line of text"),
    ],
)
def test_a_command_that_fails_is_told_without_what_it_printed(program: str, message: str) -> None:
    """Half a secret is one, too."""
    place = SecretPlace("command", (sys.executable, "-c", program), "mail.password")
    with pytest.raises((ConfigError, OperatorError)) as caught:
        place()
    assert message in str(caught.value)
    assert str(caught.value).startswith("mail.password: ")
    assert SECRET not in str(caught.value)


def test_a_command_that_is_not_there() -> None:
    """The name of the program is said."""
    with pytest.raises(ConfigError) as caught:
        SecretPlace("command", ("no-such-program",), "mail.password")()
    assert str(caught.value) == "mail.password: there is no program no-such-program"


@pytest.mark.parametrize(
    "key",
    [
        f'key = "{SECRET}"',
        f'key = {{ environment = "{SECRET}" }}',
        'key = { environment = "A", keyring = "b" }',
        'key = { environment = "A" }\nkey_variable = "B"',
        'key = { keyring = "" }',
        "key = { command = [] }",
        f'key = {{ value = "{SECRET}" }}',
    ],
)
def test_what_names_no_place_or_several_is_refused_and_not_repeated(tmp_path: Path, key: str) -> None:
    """A secret that was pasted into the file is told of without being shown."""
    with pytest.raises(ConfigError) as caught:
        place_in(tmp_path, key)
    assert SECRET not in str(caught.value)
