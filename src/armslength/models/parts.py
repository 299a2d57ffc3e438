"""Reading model bytes out of wheels and part files. A wheel is a zip file to us: never imported, installed or unpacked by name."""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from armslength.errors import ModelMissing
from armslength.models.catalogue import MIB, ModelSpec

_METADATA_ALLOWANCE = MIB  # what a wheel may weigh beyond its part


def part_in(folder: Path, spec: ModelSpec, number: int) -> Path | None:
    """The file in the folder that holds a part: the wheel, else the bare bytes, under its exact name."""
    for name in (spec.wheel_name(number), spec.bin_name(number)):
        if (folder / name).is_file():
            return folder / name
    return None


def copy_part(path: Path, spec: ModelSpec, number: int, target: IO[bytes]) -> None:
    """Appends the bytes of a part.

    Raises:
        ModelMissing: the file is damaged or is not this part; the message names it.
    """
    expected, digest = spec.size_of_part(number), hashlib.sha256()
    left = expected
    try:
        with _opened(path, spec, number) as source:
            while left > 0 and (block := source.read(min(MIB, left))):
                digest.update(block)
                target.write(block)
                left -= len(block)
            is_whole = left == 0 and not source.read(1)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, KeyError, ValueError):
        is_whole = False
    if not is_whole or digest.hexdigest() != spec.part_sha256[number - 1]:
        raise ModelMissing(f"{path.name}: damaged, or not part {number} of {spec.file_name}")


@contextmanager
def _opened(path: Path, spec: ModelSpec, number: int) -> Iterator[IO[bytes]]:
    if path.name == spec.bin_name(number):
        with path.open("rb") as bare:
            yield bare
        return
    if path.stat().st_size > spec.size_of_part(number) + _METADATA_ALLOWANCE:
        raise ValueError("larger than its part")
    with zipfile.ZipFile(path) as wheel, wheel.open(_only_member(wheel, spec, number)) as inside:
        yield inside


def _only_member(wheel: zipfile.ZipFile, spec: ModelSpec, number: int) -> zipfile.ZipInfo:
    members = [member for member in wheel.infolist() if member.filename == spec.member_name(number)]
    if len(members) != 1 or members[0].file_size != spec.size_of_part(number):
        raise ValueError("no such part inside")
    return members[0]
