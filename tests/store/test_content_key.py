"""Where the key of encrypted contents lies: a keyring that keeps secrets, or a file that only the user can read."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backends import fail, null
from tests.store.keyrings import NAME, FakeKeyring

from armslength.errors import ConfigError, OperatorError
from armslength.store.content_key import FileKey, KeyringKey
from armslength.store.sealing import Contents, close_content, open_content


@pytest.fixture
def ring() -> Iterator[FakeKeyring]:
    """The keyring of the system."""
    before, made = keyring.get_keyring(), FakeKeyring()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


def test_a_keyring_keeps_the_key(ring: FakeKeyring) -> None:
    """It is made once, and is the same afterwards."""
    assert KeyringKey(NAME).read() is None
    key = KeyringKey(NAME).make()
    assert len(key) == 32
    assert KeyringKey(NAME).read() == key
    assert list(ring.secrets) == [("armslength", "contents")]


def test_a_keyring_that_is_not_on_the_list_is_refused(ring: FakeKeyring) -> None:
    """Unless the configuration names it; what to do is said."""
    with pytest.raises(ConfigError) as caught:
        KeyringKey().make()
    assert str(caught.value) == (
        f"no keyring that keeps secrets is running (there is {NAME}); start one, such as gnome-keyring or KWallet, name yours in "
        "runs.keyring, or set runs.key_file to keep the key in a file"
    )
    assert ring.secrets == {}


@pytest.mark.parametrize("backend", [fail.Keyring(), null.Keyring()])
def test_no_keyring_is_refused(ring: FakeKeyring, backend: keyring.backend.KeyringBackend) -> None:
    """What keeps nothing is none."""
    keyring.set_keyring(backend)
    with pytest.raises(ConfigError):
        KeyringKey().read()


@pytest.mark.parametrize("name", ["keyrings.alt.file.PlaintextKeyring", "keyring.backends.null.Keyring"])
def test_what_keeps_no_secrets_cannot_be_allowed(name: str) -> None:
    """The configuration may name others, and none of these."""
    with pytest.raises(ConfigError) as caught:
        KeyringKey(name)
    assert str(caught.value) == f"runs.keyring: {name} keeps no secrets; name another, or set runs.key_file"


def test_a_keyring_that_forgets_is_refused(ring: FakeKeyring) -> None:
    """Before anything is encrypted with what it did not keep."""
    ring.forgets = True
    with pytest.raises(OperatorError) as caught:
        KeyringKey(NAME).make()
    assert str(caught.value).startswith("the keyring does not keep what it is given;")


@pytest.mark.parametrize("secret", ["no base64!", "c2hvcnQ="])
def test_another_secret_is_no_key(ring: FakeKeyring, secret: str) -> None:
    """It is not overwritten."""
    ring.secrets["armslength", "contents"] = secret
    with pytest.raises(OperatorError):
        KeyringKey(NAME).read()
    assert ring.secrets["armslength", "contents"] == secret


def test_a_file_keeps_the_key(tmp_path: Path) -> None:
    """Mode 600; one that others can read is refused."""
    place = FileKey(tmp_path / "keys" / "contents.key")
    assert place.read() is None
    key = place.make()
    assert (len(key), place.read(), place.make()) == (32, key, key)
    assert stat.S_IMODE(place.path.stat().st_mode) == 0o600
    place.path.chmod(0o644)
    with pytest.raises(OperatorError) as caught:
        place.read()
    assert (
        str(caught.value) == f"the key of the contents {place.path} can be read by others; chmod 600 it, and run verify"
    )


def contents(path: Path, *, seals: bool = True) -> Contents:
    """Contents with a key in a file."""
    return Contents(FileKey(path / "contents.key"), path / "contents.id", seals)


def test_what_is_sealed_is_opened(tmp_path: Path) -> None:
    """By another process, with the same key, and also where nothing new is sealed any more."""
    sealed = close_content(contents(tmp_path), "x", b"a secret")
    assert b"secret" not in sealed
    assert open_content(contents(tmp_path), "x", sealed) == b"a secret"
    assert open_content(contents(tmp_path, seals=False), "x", sealed) == b"a secret"
    assert close_content(contents(tmp_path, seals=False), "x", b"plain") == b"plain"
    assert open_content(contents(tmp_path), "x", b"plain") == b"plain"


def test_equal_contents_are_sealed_differently(tmp_path: Path) -> None:
    """Each sealing has a nonce of its own."""
    assert len({close_content(contents(tmp_path), "x", b"a") for _ in range(50)}) == 50


def test_what_is_sealed_opens_as_itself_only(tmp_path: Path) -> None:
    """Neither under another name nor with any byte changed."""
    sealed = close_content(contents(tmp_path), "x", b"a secret")
    with pytest.raises(OperatorError):
        open_content(contents(tmp_path), "y", sealed)
    for place in range(1, len(sealed)):
        changed = sealed[:place] + bytes([sealed[place] ^ 1]) + sealed[place + 1 :]
        with pytest.raises(OperatorError):
            open_content(contents(tmp_path), "x", changed)
    for cut in range(1, len(sealed)):
        with pytest.raises(OperatorError):
            open_content(contents(tmp_path), "x", sealed[:cut])


def test_a_missing_key_is_not_replaced(tmp_path: Path) -> None:
    """One that is away for a day: nothing is sealed with another meanwhile, and a line says what to do."""
    sealed = close_content(contents(tmp_path), "x", b"a secret")
    (tmp_path / "contents.key").rename(tmp_path / "away")
    with pytest.raises(OperatorError) as caught:
        close_content(contents(tmp_path), "x", b"more")
    assert str(caught.value) == (
        f"the key of the encrypted contents is not in {tmp_path / 'contents.key'}; put it back, or, if it is lost for good, remove "
        f"{tmp_path / 'contents.id'}: then a new one is made, and what is encrypted stays unreadable"
    )
    with pytest.raises(OperatorError) as caught:
        open_content(contents(tmp_path), "x", sealed)
    assert str(caught.value) == (
        f"x is encrypted, and there is no key in {tmp_path / 'contents.key'}; put the key back to read it (verify and purge need none)"
    )
    (tmp_path / "contents.key").write_bytes(b"k" * 32)
    (tmp_path / "contents.key").chmod(0o600)
    with pytest.raises(OperatorError) as caught:
        close_content(contents(tmp_path), "x", b"more")
    assert "is not the one that encrypted before" in str(caught.value)
    with pytest.raises(OperatorError) as caught:
        open_content(contents(tmp_path), "x", sealed)
    assert str(caught.value).startswith("x is encrypted with another key than the one that is there")
    (tmp_path / "contents.id").unlink()
    assert open_content(contents(tmp_path), "y", close_content(contents(tmp_path), "y", b"new")) == b"new"


def test_without_a_place_nothing_is_sealed() -> None:
    """And what is sealed says why it cannot be read."""
    with pytest.raises(ConfigError):
        close_content(Contents(seals=True), "x", b"a")
    with pytest.raises(OperatorError) as caught:
        open_content(Contents(), "x", b"\x01sealed")
    assert "no place of a key is configured" in str(caught.value)
