"""A PostgreSQL of our own: in a temporary folder, reached by a Unix socket there alone, gone when the block ends.

The server refuses to run as root, so root runs it as the user `postgres`, which its package makes.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

_USER = "postgres"
_SECONDS = 60.0


class Server:
    """A running server. Every database in it is empty when it is made."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0

    def url(self, database: str = _USER) -> str:
        """How a database is reached."""
        return f"postgresql://{_USER}@/{database}?host={self._folder}"

    def database(self) -> str:
        """The URL of a new one."""
        self._count += 1
        name = f"runs{self._count}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE template0")  # type: ignore[call-overload]  # psycopg wants literal SQL; a name is no parameter, and this one is ours
        return self.url(name)

    def drop(self, url: str) -> None:
        """That database is needed no more."""
        name = url.partition("?")[0].rpartition("/")[2]
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} (FORCE)")  # type: ignore[call-overload]  # psycopg wants literal SQL; a name is no parameter, and this one is ours


@contextmanager
def server(parent: Path | None = None, *, is_durable: bool = True) -> Iterator[Server]:
    """A server for the block, with its files in a folder below `parent`. `is_durable`: it waits for the disk; a test need not.

    Raises:
        FileNotFoundError: PostgreSQL is not installed.
    """
    programs = _programs()
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir=parent))
    how: dict[str, Any] = {"cwd": folder}
    if os.geteuid() == 0:
        shutil.chown(folder, _USER, _USER)
        how |= {"user": _USER, "group": _USER, "extra_groups": []}
    try:
        with (folder / "log").open("wb") as log:
            how |= {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log}
            make = [programs / "initdb", "-D", folder / "data", "-U", _USER, "-A", "trust", "-E", "UTF8", "--no-locale"]
            subprocess.run([*make, "--no-sync"], check=True, **how)
            settings = ["listen_addresses=", f"unix_socket_directories={folder}", "max_connections=60"]
            settings += [] if is_durable else ["fsync=off", "full_page_writes=off"]
            command = [programs / "postgres", "-D", folder / "data", *(f"-c{each}" for each in settings)]
            process = subprocess.Popen(command, **how)
        try:
            made = Server(folder)
            _wait_for(made, process, folder / "log")
            yield made
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(_SECONDS)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _programs() -> Path:
    found = [Path(named).resolve()] if (named := shutil.which("postgres")) else []
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    if not found:
        raise FileNotFoundError("PostgreSQL is not installed; on Debian: apt-get install postgresql")
    return found[-1].parent


def _wait_for(made: Server, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + _SECONDS
    while True:
        try:
            psycopg.connect(made.url()).close()
        except psycopg.OperationalError:
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"PostgreSQL did not start:\n{log.read_text('utf-8', 'replace')}") from None
            time.sleep(0.1)
        else:
            return
