"""The one thread in which servers are spoken with: the library waits, our tools are called in threads and wait for it."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextvars import Context
from typing import Any, TypeVar

_T = TypeVar("_T")
_lock = threading.Lock()
_beside: set[asyncio.Task[object]] = set()
_running: list[asyncio.AbstractEventLoop] = []


def spoken_to(make: Callable[[], Coroutine[Any, Any, _T]], seconds: float) -> _T:
    """What the coroutine gives, carried out in the thread. It takes none of the caller's context along, spans among it.

    Raises:
        TimeoutError: it was not done in time, and was cancelled.
    """
    loop, given = _loop(), Future[_T]()
    tasks: list[asyncio.Task[None]] = []

    async def carry_out() -> None:
        try:
            async with asyncio.timeout(seconds):
                found = await make()
        except BaseException as error:  # noqa: BLE001  # whatever it is belongs to the thread that waits
            if not given.done():
                given.set_exception(TimeoutError() if isinstance(error, asyncio.CancelledError) else error)
        else:
            given.set_result(found)

    loop.call_soon_threadsafe(lambda: tasks.append(loop.create_task(carry_out())), context=Context())
    try:
        return given.result(seconds + 10)
    finally:
        if not given.done():
            loop.call_soon_threadsafe(lambda: [each.cancel() for each in tasks])


def begun_beside(make: Callable[[], Coroutine[Any, Any, object]]) -> None:
    """Begin the coroutine in the thread, and wait for nothing."""
    loop = _loop()

    def begin() -> None:
        task = loop.create_task(make())
        _beside.add(task)  # the loop itself keeps none
        task.add_done_callback(_beside.discard)

    loop.call_soon_threadsafe(begin, context=Context())


def _loop() -> asyncio.AbstractEventLoop:
    """The loop of this process; begun when it is first needed."""
    with _lock:
        if not _running:
            _be_quiet()
            loop = asyncio.new_event_loop()
            loop.set_exception_handler(lambda _loop, _context: None)
            threading.Thread(target=loop.run_forever, name="mcp", daemon=True).start()
            _running.append(loop)
        return _running[0]


def _be_quiet() -> None:
    """The library's log has servers' words in it, and where nobody configured logging it goes to the terminal."""
    log = logging.getLogger("mcp")
    log.addHandler(logging.NullHandler())
    log.propagate = False
