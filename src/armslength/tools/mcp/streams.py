"""The two streams of messages that the library is given of a server, and whoever fills one and empties the other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams


@asynccontextmanager
async def streamed(
    fill: Callable[[Any], Coroutine[Any, Any, None]], empty: Callable[[Any], Coroutine[Any, Any, None]]
) -> AsyncIterator[TransportStreams]:
    """Both streams, without room of their own. `fill` sends into the one what is read, `empty` takes from the other what is written.

    After the block both have ended, and all four ends are closed.
    """
    import anyio

    read_in, read = anyio.create_memory_object_stream[Any](0)
    write, write_out = anyio.create_memory_object_stream[Any](0)
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(fill, read_in)
            tasks.start_soon(empty, write_out)
            try:
                yield read, write
            finally:
                tasks.cancel_scope.cancel()
    finally:
        for each in (read_in, read, write, write_out):
            each.close()
