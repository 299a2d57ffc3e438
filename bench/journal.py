"""What a journaled entry costs beside a bare committed insert into the same database, and what listing a thousand runs costs.

    python -m bench.journal [--folder FOLDER] [--entries 400] [--bytes 1500]

Both are done in turn, in the same SQLite file settings (WAL, synchronous FULL), on the disk of FOLDER. The figures are medians.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import statistics
import tempfile
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from armslength.events import Crossing
from armslength.store.sqlite import SqliteRuns

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def entries(folder: Path, count: int, size: int) -> dict[str, float]:
    """Milliseconds of an entry and of an insert, and their ratio."""
    journal = SqliteRuns(folder / "runs.sqlite").begin(NOW)
    answer = "x" * size
    body = json.dumps({"entry": "crossing", "kind": "tool", "name": "t", "asked": {}, "answered": answer}).encode()
    ours, bare = list[float](), list[float]()
    with closing(sqlite3.connect(folder / "bare.sqlite", isolation_level=None)) as database:
        (folder / "bare.sqlite").chmod(0o600)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("CREATE TABLE entries (number INTEGER PRIMARY KEY, body BLOB NOT NULL)")
        for number in range(count):
            start = time.perf_counter()
            journal.crossing(Crossing("tool", "t", {}, answer))
            middle = time.perf_counter()
            database.execute("BEGIN IMMEDIATE")
            database.execute("INSERT INTO entries VALUES (?, ?)", (number, body))
            database.execute("COMMIT")
            end = time.perf_counter()
            ours.append(middle - start)
            bare.append(end - middle)
    journal.close()
    entry, insert = statistics.median(ours) * 1000, statistics.median(bare) * 1000
    return {"entry_ms": round(entry, 3), "insert_ms": round(insert, 3), "ratio": round(entry / insert, 2)}


def listing(folder: Path, count: int) -> dict[str, float]:
    """Milliseconds of the list of runs and of one indexed query over as many rows, and their ratio."""
    runs = SqliteRuns(folder / "many.sqlite")
    for number in range(count):
        journal = runs.begin(NOW + timedelta(minutes=number))
        journal.note("request", {"text": f"request {number}"})
        if number % 50:
            journal.note("end", {"ending": "done", "effects": []})
        journal.close()
    ours, bare = list[float](), list[float]()
    query = "SELECT name, started, state, ending, request FROM runs WHERE id > 0 ORDER BY id"
    for _ in range(30):
        start = time.perf_counter()
        runs.listed()
        middle = time.perf_counter()
        with closing(sqlite3.connect(folder / "many.sqlite")) as database:
            database.execute(query).fetchall()
        bare.append(time.perf_counter() - middle)
        ours.append(middle - start)
    listed, indexed = statistics.median(ours) * 1000, statistics.median(bare) * 1000
    return {"listed_ms": round(listed, 3), "query_ms": round(indexed, 3), "ratio": round(listed / indexed, 2)}


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description="The cost of a journaled entry.")
    parser.add_argument("--folder", type=Path, help="a folder on the disk to measure; default: the temporary folder")
    parser.add_argument("--entries", type=int, default=400)
    parser.add_argument("--bytes", type=int, default=1500)
    parser.add_argument("--runs", type=int, default=1000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        folder = Path(name)
        print(json.dumps({"entry": entries(folder, given.entries, given.bytes), "list": listing(folder, given.runs)}))


if __name__ == "__main__":
    main()
