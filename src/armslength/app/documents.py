"""The table `[documents]`: how the process is confined that documents are read in."""

from __future__ import annotations

from armslength.app.table import Table
from armslength.tools.documents.confinement import USUAL, Confinement

_MEGABYTE = 1_000_000


def confinement_in(table: Table) -> Confinement:
    """What a person says of it.

    Raises:
        ConfigError: something is not what it must be.
    """
    return Confinement(
        without=table.one_of("without_sandbox", ("refuse", "read")),
        memory=table.between("megabytes", USUAL.memory // _MEGABYTE, 256, 8_192) * _MEGABYTE,
        seconds=table.between("timeout", USUAL.seconds, 1, 600),
    )
