"""The database of the runs that a configuration names."""

from __future__ import annotations

from armslength.app.settings import DatabaseServer, Settings
from armslength.errors import ConfigError
from armslength.store.keeping import DatabaseRuns


def runs_of(settings: Settings) -> DatabaseRuns:
    """The runs, in a file or on a server. Nothing is made or reached before it is used.

    Raises:
        ConfigError: the server cannot be used as configured, or would get what is to stay on this machine.
    """
    if settings.server is not None:
        return _on_server(settings, settings.server)
    from armslength.store.sqlite import SqliteRuns

    return SqliteRuns(settings.database, contents=settings.contents)


def _on_server(settings: Settings, server: DatabaseServer) -> DatabaseRuns:
    from armslength.store.postgres import PostgresRuns

    password = None if server.password is None else server.password()
    runs = PostgresRuns(server.url, settings.server_folder, contents=settings.contents, password=password)
    if settings.this_machine_only and not settings.keeping.is_encrypted and not runs.is_on_this_machine:
        raise ConfigError(
            f"{settings.file}: runs.database: {runs.place} is on another machine, and journals hold what "
            "privacy.this_machine_only keeps on this one; set runs.encrypt, or use a database here"
        )
    return runs
