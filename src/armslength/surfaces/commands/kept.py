"""What is kept beside the runs: grants and memory."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from armslength.surfaces.commands.tree import Config, Json, grants_app, memory_app
from armslength.surfaces.exits import Exit


@grants_app.default
def grants(*, config: Config = None, is_json: Json = False) -> Exit:
    """List what counts now, and exactly what each covers."""
    from armslength.surfaces.grants import list_grants

    return list_grants(config, is_json=is_json)


@grants_app.command(name="show")
def show_grant(
    name: Annotated[str, Parameter(help="Its name, as armslength grants lists it.")],
    /,
    *,
    config: Config = None,
    is_json: Json = False,
) -> Exit:
    """Show one with the runs that used it."""
    from armslength.surfaces.grants import show_grant as show_whole

    return show_whole(name, config, is_json=is_json)


@grants_app.command(name="revoke")
def revoke_grant(
    name: Annotated[str | None, Parameter(help="Its name, as armslength grants lists it.")] = None,
    /,
    *,
    is_all: Annotated[bool, Parameter(name="--all", negative="", help="All that count.")] = False,
    config: Config = None,
) -> Exit:
    """End one, or all of them. A run that is at work does nothing more by it."""
    from armslength.surfaces.grants import revoke

    return revoke(name, config, is_all=is_all)


@memory_app.default
def memory(*, config: Config = None, is_json: Json = False) -> Exit:
    """List the names, with what lies under each and whose words that is."""
    from armslength.surfaces.remembered import list_remembered

    return list_remembered(config, is_json=is_json)


@memory_app.command(name="show")
def show_memory(
    name: Annotated[str, Parameter(help="The name, as armslength memory lists it.")],
    /,
    *,
    config: Config = None,
    is_json: Json = False,
) -> Exit:
    """Show what lies under a name, whole."""
    from armslength.surfaces.remembered import show_remembered

    return show_remembered(name, config, is_json=is_json)


@memory_app.command(name="forget")
def forget_memory(
    name: Annotated[str | None, Parameter(help="The name, as armslength memory lists it.")] = None,
    /,
    *,
    is_all: Annotated[bool, Parameter(name="--all", negative="", help="Everything.")] = False,
    config: Config = None,
) -> Exit:
    """Forget a name, or everything, with what stood there before. This cannot be undone."""
    from armslength.surfaces.remembered import forget

    return forget(name, config, is_all=is_all)
