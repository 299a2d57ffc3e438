"""No configured place lies in another: what is written through one would lose its label through the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from armslength.app import load_settings, tools_of
from armslength.errors import ConfigError

PLACES = {
    "state": ("", "state", "state"),
    "mail.path": ("[mail]", "path", "mail"),
    "mail.folders_path": ("[mail]", "folders_path", "mail folders"),
    "files.path": ("[files]", "path", "files"),
    "calendar.path": ("[calendar]", "path", "calendar"),
    "contacts.path": ("[contacts]", "path", "contacts"),
    "standin.path": ("[standin]", "path", "standin"),
}


def configured(tmp_path: Path, **moved: str) -> Path:
    """A configuration of all places, each beside the others but those that `moved` says, by their usual folder."""
    lines: list[str] = []
    for table, key, usual in PLACES.values():
        folder = moved.get(usual, usual)
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        lines += [*([table] if table and table not in lines else []), f'{key} = "{folder}"']
    file = tmp_path / "configured" / "config.toml"
    file.parent.mkdir()
    text = "\n".join(lines).replace(' = "', ' = "../')
    file.write_text(f'{text}\n[user]\naddresses = ["me@example.org"]\n', "utf-8")
    return file


def refusal(file: Path, one: str, other: str) -> str:
    """The line that names both settings."""
    return f"{file}: {one} and {other}: one lies in the other; give each a place of its own"


def test_places_beside_each_other_are_used(tmp_path: Path) -> None:
    """Siblings, also those of which one's name begins with the other's, are apart."""
    assert {"send_email", "read_file", "search_contacts"} <= {
        each.name for each in tools_of(load_settings(configured(tmp_path, calendar="files of mine")))
    }


@pytest.mark.parametrize(
    ("usual", "place", "one", "other"),
    [
        ("contacts", "files/contacts", "files.path", "contacts.path"),
        ("contacts", "files", "files.path", "contacts.path"),
        ("files", "contacts/deep/files", "files.path", "contacts.path"),
        ("calendar", "mail/calendar", "mail.path", "calendar.path"),
        ("mail folders", "files/Maildir", "mail.folders_path", "files.path"),
        ("standin", "files/standin", "files.path", "standin.path"),
        ("state", "files/.state", "files.path", "state"),
        ("files", "state/files", "files.path", "state"),
        ("files", "configured", "files.path", "this configuration"),
    ],
)
def test_an_overlapping_place_is_refused(tmp_path: Path, usual: str, place: str, one: str, other: str) -> None:
    """A mail's words in a file would be a vouched entry of the address book, and our own ledger would be a file to write."""
    if place == "configured":
        file = configured(tmp_path)
        file.write_text(file.read_text().replace('"../files"', '"."'))
    else:
        file = configured(tmp_path, **{usual: place})
    with pytest.raises(ConfigError) as caught:
        tools_of(load_settings(file))
    assert str(caught.value) == refusal(file, one, other)


def test_a_link_into_another_place_is_refused(tmp_path: Path) -> None:
    """Places are compared as they are found, not as they are written."""
    file = configured(tmp_path)
    (tmp_path / "contacts").rmdir()
    (tmp_path / "files" / "people").mkdir()
    (tmp_path / "contacts").symlink_to(tmp_path / "files" / "people")
    with pytest.raises(ConfigError) as caught:
        tools_of(load_settings(file))
    assert str(caught.value) == refusal(file, "files.path", "contacts.path")


def test_the_configuration_may_lie_in_the_state_folder(tmp_path: Path) -> None:
    """Where a system has one folder for both, nothing that a tool writes lies there."""
    file = configured(tmp_path)
    file.write_text(file.read_text().replace('"../state"', '"."'))
    assert "read_file" in {each.name for each in tools_of(load_settings(file))}
