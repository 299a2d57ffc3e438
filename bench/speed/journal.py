"""What a journaled entry costs beside a bare committed insert into the same database, and what listing a thousand runs costs.

    python -m bench.speed.journal [--folder FOLDER] [--entries 400] [--bytes 1500] [--runs 1000] [--json FILE]

All are done in turn, in the same SQLite file settings (WAL, synchronous FULL), on the disk of FOLDER: an entry in plain, the same entry
encrypted, and the bare insert. The figures are medians. The bounds are those of the issue: an entry at most 4 inserts, the list of a
thousand runs below 20 indexed queries. The command fails if one is missed.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from armslength.events import Crossing
from armslength.store.content_key import FileKey
from armslength.store.runs import Runs
from armslength.store.sealing import Contents
from armslength.store.sqlite import SqliteRuns
from bench.commit import Taken, offer_place

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
MOST_INSERTS, MOST_QUERIES = 4.0, 20.0
_QUERY = "SELECT name, started, state, ending, request FROM runs WHERE id > 0 ORDER BY id"


def sealing(folder: Path) -> Contents:
    """Contents that are encrypted, with a key in a file."""
    return Contents(FileKey(folder / "contents.key"), folder / "contents.id", seals=True)


def entries(folder: Path, count: int, size: int) -> dict[str, float]:
    """Milliseconds of an entry in plain, of one that is encrypted, and of an insert; and the ratios."""
    plain = SqliteRuns(folder / "plain.sqlite").begin(NOW)
    sealed = SqliteRuns(folder / "sealed.sqlite", contents=sealing(folder)).begin(NOW)
    crossed = Crossing("tool", "t", {}, "x" * size)
    body = json.dumps({"entry": "crossing", "kind": "tool", "name": "t", "asked": {}, "answered": "x" * size}).encode()
    with closing(sqlite3.connect(folder / "bare.sqlite", isolation_level=None)) as database:
        (folder / "bare.sqlite").chmod(0o600)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("CREATE TABLE entries (number INTEGER PRIMARY KEY, body BLOB NOT NULL)")

        def insert() -> None:
            database.execute("BEGIN IMMEDIATE")
            database.execute("INSERT INTO entries (body) VALUES (?)", (body,))
            database.execute("COMMIT")

        in_plain, encrypted, inserted = in_turn(
            count, lambda: plain.crossing(crossed), lambda: sealed.crossing(crossed), insert
        )
    plain.close()
    sealed.close()
    return {
        "entry_ms": round(in_plain, 4),
        "encrypted_entry_ms": round(encrypted, 4),
        "insert_ms": round(inserted, 4),
        "entry_by_insert": round(in_plain / inserted, 2),
        "encrypted_entry_by_insert": round(encrypted / inserted, 2),
        "encrypted_by_plain": round(encrypted / in_plain, 2),
    }


def listing(folder: Path, count: int) -> dict[str, float]:
    """Milliseconds of the list of runs, in plain and encrypted, and of one indexed query over as many rows; and the ratios."""
    plain = SqliteRuns(folder / "many.sqlite")
    sealed = SqliteRuns(folder / "many-sealed.sqlite", contents=sealing(folder))
    for runs in (plain, sealed):
        fill(runs, count)

    def query() -> None:
        with closing(sqlite3.connect(folder / "many.sqlite")) as database:
            database.execute(_QUERY).fetchall()

    listed, encrypted, queried = in_turn(30, plain.listed, sealed.listed, query)
    return {
        "listed_ms": round(listed, 3),
        "encrypted_listed_ms": round(encrypted, 3),
        "query_ms": round(queried, 3),
        "listed_by_query": round(listed / queried, 2),
        "encrypted_listed_by_query": round(encrypted / queried, 2),
    }


def fill(runs: Runs, count: int) -> None:
    """So many runs, a minute after each other; each fiftieth was cut off."""
    for number in range(count):
        journal = runs.begin(NOW + timedelta(minutes=number))
        journal.note("request", {"text": f"request {number}"})
        if number % 50:
            journal.note("end", {"ending": "done", "effects": []})
        journal.close()


def in_turn(count: int, *each: Callable[[], object]) -> list[float]:
    """The medians, in milliseconds, of what is done so often in turn."""
    taken: list[list[float]] = [[] for _ in each]
    for _ in range(count):
        for times, do in zip(taken, each, strict=True):
            start = time.perf_counter()
            do()
            times.append(time.perf_counter() - start)
    return [statistics.median(times) * 1000 for times in taken]


def main() -> int:
    """Print the figures as JSON, and write them where they are kept. 1 if a bound is missed."""
    parser = argparse.ArgumentParser(description="The cost of a journaled entry.")
    parser.add_argument("--folder", type=Path, help="a folder on the disk to measure; default: the temporary folder")
    parser.add_argument("--entries", type=int, default=400)
    parser.add_argument("--bytes", type=int, default=1500)
    parser.add_argument("--runs", type=int, default=1000)
    offer_place(parser)
    given = parser.parse_args()
    taken = Taken("journal")
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        folder = Path(name)
        found = {
            "machine": f"{taken.machine}, SQLite {sqlite3.sqlite_version}",
            "file_system": file_system(folder),
            "asked": {"entries": given.entries, "bytes": given.bytes, "runs": given.runs},
            "entry": entries(folder, given.entries, given.bytes),
            "list": listing(folder, given.runs),
        }
    print(json.dumps(found, indent=1))
    if not given.dry:
        taken.write(found, given.json)
    is_within = found["entry"]["encrypted_entry_by_insert"] <= MOST_INSERTS
    is_within &= found["entry"]["entry_by_insert"] <= MOST_INSERTS
    is_within &= found["list"]["encrypted_listed_by_query"] < MOST_QUERIES
    return 0 if is_within and found["list"]["listed_by_query"] < MOST_QUERIES else 1


def file_system(folder: Path) -> str:
    """The kind of file system that holds the folder, where the system says it."""
    try:
        mounts = [line.split()[1:3] for line in Path("/proc/mounts").read_text("utf-8").splitlines()]
    except OSError:
        return "unknown"
    holding = [(place, kind) for place, kind in mounts if folder.resolve().is_relative_to(place)]
    return max(holding, default=("", "unknown"), key=lambda each: len(each[0]))[1]


if __name__ == "__main__":
    sys.exit(main())
