"""The lock: each dependency pinned by hash, in the range that pyproject.toml asks for, and nothing that names a place."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CORE = PROJECT["project"]["dependencies"]
EXTRAS = PROJECT["project"]["optional-dependencies"]
GROUPS = PROJECT["dependency-groups"]
PIN = re.compile(r"(?P<name>[a-z0-9-]+)(?:\[[a-z]+\])?==(?P<version>[^ ;\\]+)(?: ; (?P<marker>[^\\]+?))? \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")
COMMENT = re.compile(r" *#.*")

# What `make install` installs.
INSTALLED = ("local", "fullscreen", "page", "mail", "calendars", "web", "documents", "mcp")
# Every kind of model that AgentDojo is planned and read by.
MODELS = ("local", "openai", "anthropic")
# What each file has to pin. A file that is not named here fails the first test.
WANTED = {
    "core.txt": CORE,
    **{f"{extra}.txt": CORE + lines for extra, lines in EXTRAS.items()},
    "local.txt": CORE + [line for extra in INSTALLED for line in EXTRAS[extra]],
    "dev.txt": CORE + [line for extra in EXTRAS.values() for line in extra] + GROUPS["dev"] + GROUPS["build"],
    "build.txt": GROUPS["build"],
    "lock.txt": GROUPS["lock"],
    "dojo.txt": CORE + [line for extra in MODELS for line in EXTRAS[extra]] + GROUPS["dojo"],
    "mcp-servers.txt": GROUPS["mcp-servers"],
    "mcp-servers-1.txt": GROUPS["mcp-servers-1"],
}
# Environments of their own, with versions of their own.
APART = {"lock.txt", "mcp-servers.txt", "mcp-servers-1.txt"}


def pins(text: str) -> dict[str, Version]:
    """The versions that a requirements file pins. A line that is no pin, hash or comment raises."""
    found: dict[str, Version] = {}
    hashes: dict[str, int] = {}
    name = ""
    for number, line in enumerate(text.splitlines(), 1):
        if pin := PIN.fullmatch(line):
            name = pin["name"]
            found[name], hashes[name] = Version(pin["version"]), 0
        elif HASH.fullmatch(line):
            hashes[name] += 1
        elif not COMMENT.fullmatch(line):
            raise ValueError(f"line {number} is no pin, hash or comment: {line}")
    bare = [each for each, count in hashes.items() if count == 0]
    if bare:
        raise ValueError(f"pinned without a hash: {', '.join(bare)}")
    return found


def is_met(requirement: Requirement, pinned: dict[str, Version]) -> bool:
    """A pin of that name exists and lies in the range."""
    version = pinned.get(canonicalize_name(requirement.name))
    return version is not None and requirement.specifier.contains(version)


def unmet(wanted: list[str], pinned: dict[str, Version]) -> list[str]:
    """The requirements that the pins do not meet."""
    return [line for line in wanted if not is_met(Requirement(line), pinned)]


def test_every_requirements_file_is_checked() -> None:
    """The files on disk are those whose content is known here, and the extras are all there."""
    assert {path.name for path in (ROOT / "requirements").iterdir()} == set(WANTED)
    assert {f"{extra}.txt" for extra in EXTRAS} <= set(WANTED)


@pytest.mark.parametrize("name", WANTED)
def test_the_lock_meets_the_project(name: str) -> None:
    """Each dependency is pinned with a hash to a version that pyproject.toml allows; otherwise run `make lock`."""
    assert unmet(WANTED[name], pins((ROOT / "requirements" / name).read_text(encoding="utf-8"))) == []


def test_a_package_has_one_version_in_all_files() -> None:
    """What the tests ran with is what the demo installs."""
    everything = pins((ROOT / "requirements" / "dev.txt").read_text(encoding="utf-8"))
    for name in WANTED.keys() - APART:
        here = pins((ROOT / "requirements" / name).read_text(encoding="utf-8"))
        shared = here.keys() & everything.keys() if name == "dojo.txt" else here.keys()
        assert {package: here[package] for package in shared} == {package: everything[package] for package in shared}


def test_the_build_backend_is_the_pinned_one() -> None:
    """`make` builds without isolation, so what pyproject.toml asks for is met by build.txt."""
    pinned = pins((ROOT / "requirements" / "build.txt").read_text(encoding="utf-8"))
    assert unmet(PROJECT["build-system"]["requires"], pinned) == []


@pytest.mark.parametrize(
    "line",
    [
        "--index-url https://index.example/simple",
        "--find-links ../wheels",
        "rich @ file:///tmp/rich.whl",
        "rich",
        "-e .",
    ],
)
def test_a_line_that_names_a_place_is_refused(line: str) -> None:
    """Options, addresses, paths and loose requirements are no pins."""
    with pytest.raises(ValueError, match=r"^line 1 is no pin, hash or comment: "):
        pins(line)


def test_a_pin_without_a_hash_is_refused() -> None:
    """A version alone does not say which bytes."""
    with pytest.raises(ValueError, match=r"^pinned without a hash: rich$"):
        pins("rich==15.0.0 \\\n    # via armslength")


def test_a_version_out_of_range_is_reported() -> None:
    """An old lock is seen, and so is a dependency that it lacks."""
    assert unmet(["rich>=15,<16", "wcwidth"], {"rich": Version("14.1")}) == ["rich>=15,<16", "wcwidth"]
