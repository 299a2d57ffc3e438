"""The same as `bench.speed.journal` on PostgreSQL: an entry beside a bare committed insert on the same server, the list beside a query.

    python -m bench.speed.journal_postgresql [--folder FOLDER] [--entries 400] [--bytes 1500] [--runs 1000] [--json FILE]

The server is one of our own on a Unix socket, with its files in FOLDER, and waits for the disk (fsync on, synchronous_commit on). The list
opens a connection, and so does the query beside it; the query on a connection that is open already is given, too.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

import psycopg

from armslength.events import Crossing
from armslength.store.postgres import PostgresRuns
from bench.commit import Taken, offer_place
from bench.server import server
from bench.speed.journal import MOST_INSERTS, MOST_QUERIES, NOW, file_system, fill, in_turn

_QUERY = "SELECT name, started, state, ending, request FROM armslength.runs WHERE id > 0 ORDER BY id"


def entries(url: str, folder: Path, count: int, size: int) -> dict[str, float]:
    """Milliseconds of an entry and of an insert, and their ratio."""
    journal = PostgresRuns(url, folder).begin(NOW)
    crossed = Crossing("tool", "t", {}, "x" * size)
    body = json.dumps({"entry": "crossing", "kind": "tool", "name": "t", "asked": {}, "answered": "x" * size}).encode()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "CREATE TABLE bare (number INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body BYTEA NOT NULL)"
        )

        def insert() -> None:
            connection.execute("BEGIN")
            connection.execute("INSERT INTO bare (body) VALUES (%s)", (body,))
            connection.execute("COMMIT")

        entry, inserted = in_turn(count, lambda: journal.crossing(crossed), insert)
    journal.close()
    return {
        "entry_ms": round(entry, 4),
        "insert_ms": round(inserted, 4),
        "entry_by_insert": round(entry / inserted, 2),
    }


def listing(url: str, folder: Path, count: int) -> dict[str, float]:
    """Milliseconds of the list of runs and of one indexed query over as many rows, and the ratios."""
    runs = PostgresRuns(url, folder)
    fill(runs, count)

    def query() -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(_QUERY).fetchall()

    with psycopg.connect(url, autocommit=True) as opened:
        listed, queried, on_open = in_turn(30, runs.listed, query, lambda: opened.execute(_QUERY).fetchall())
    return {
        "listed_ms": round(listed, 3),
        "query_ms": round(queried, 3),
        "query_on_open_connection_ms": round(on_open, 3),
        "listed_by_query": round(listed / queried, 2),
        "listed_by_query_on_open_connection": round(listed / on_open, 2),
    }


def main() -> int:
    """Print the figures as JSON, and write them where they are kept. 1 if a bound is missed."""
    parser = argparse.ArgumentParser(description="The cost of a journaled entry on PostgreSQL.")
    parser.add_argument("--folder", type=Path, help="a folder on the disk to measure; default: the temporary folder")
    parser.add_argument("--entries", type=int, default=400)
    parser.add_argument("--bytes", type=int, default=1500)
    parser.add_argument("--runs", type=int, default=1000)
    offer_place(parser)
    given = parser.parse_args()
    taken = Taken("journal-postgresql")
    with tempfile.TemporaryDirectory(dir=given.folder) as name, server(given.folder) as running:
        one, other = Path(name) / "one", Path(name) / "other"
        url, many = running.database(), running.database()
        with psycopg.connect(url) as connection:
            version = connection.info.server_version // 10_000
        found = {
            "machine": f"{taken.machine}, PostgreSQL {version}",
            "file_system": file_system(Path(name)),
            "asked": {"entries": given.entries, "bytes": given.bytes, "runs": given.runs},
            "entry": entries(url, one, given.entries, given.bytes),
            "list": listing(many, other, given.runs),
        }
    print(json.dumps(found, indent=1))
    if not given.dry:
        taken.write(found, given.json)
    is_within = found["entry"]["entry_by_insert"] <= MOST_INSERTS and found["list"]["listed_by_query"] < MOST_QUERIES
    return 0 if is_within else 1


if __name__ == "__main__":
    sys.exit(main())
