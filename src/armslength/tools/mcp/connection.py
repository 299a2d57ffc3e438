"""One server, spoken with when it is first needed, and again where it went away. Whatever it does, a call ends as one answer or one ToolError."""

from __future__ import annotations

import asyncio
import atexit
import weakref
from collections.abc import Callable, Coroutine, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, suppress
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from armslength.errors import ArmslengthError, ConfigError, ToolChanged, ToolError
from armslength.installing import install_command
from armslength.tools.mcp.child import environment_of, started
from armslength.tools.mcp.declaration import Declaration, declaration_of
from armslength.tools.mcp.ifc import claim_in
from armslength.tools.mcp.limits import REPORTED, Meter, limited
from armslength.tools.mcp.loop import begun_beside, spoken_to
from armslength.tools.mcp.results import Answered
from armslength.tools.mcp.settings import Child, Server
from armslength.values import Plain

if TYPE_CHECKING:
    from mcp import Client
    from mcp.client._transport import TransportStreams

_T = TypeVar("_T")
MOST_TOOLS, MOST_PAGES = 500, 50
_CLOSE_SECONDS = 8.0
_LARGEST_CODE = 99_999


class Watch(Protocol):
    """What a person accepted of a server, asked before each call: another process may have found it changed."""

    def is_accepted(self, declaration: Declaration) -> bool:
        """Whether the tool is accepted as it is declared here, and was not stopped."""
        ...

    def stop(self, tool: str) -> None:
        """Its server declares it otherwise."""
        ...


class Connection:
    """One server. It is ended with the process, or when nobody has this any more."""

    def __init__(self, server: Server, watch: Watch | None = None) -> None:
        """`watch`: what was accepted of it; None where nothing is called."""
        self._server, self._watch = server, watch
        self._line = _Line(server)
        self._end = weakref.finalize(self, _let_go, self._line)
        self._end.atexit = False

    def listed(self) -> list[Declaration]:
        """All that it declares now.

        Raises:
            ToolError: it cannot be started, or does not answer as it must.
        """
        server = self._server
        return self._asked(self._line.listed, server.start_seconds + server.call_seconds, "list its tools")

    def call(self, declaration: Declaration, arguments: Mapping[str, Plain], told: Mapping[str, object]) -> Answered:
        """What it answers, if it still declares that tool so.

        Raises:
            ToolError: it does not, or does not answer as it must.
        """
        if self._watch is None or not self._watch.is_accepted(declaration):
            raise ToolChanged(_otherwise(self._server, declaration.name))
        seconds = self._server.start_seconds + self._server.call_seconds
        try:
            return self._asked(lambda: self._line.call(declaration, arguments, told), seconds, declaration.name)
        except ToolChanged:
            self._watch.stop(declaration.name)
            raise

    def close(self) -> None:
        """End it, and wait until it has ended."""
        self._end.detach()
        _close([self._line])

    def _asked(self, make: Callable[[], Coroutine[Any, Any, _T]], seconds: float, what: str) -> _T:
        try:
            return spoken_to(make, seconds)
        except TimeoutError:
            raise ToolError(
                f"{self._server.store}: there was no answer in time; whether what was asked ({_cut(what)}) is done is not known"
            ) from None


def _otherwise(server: Server, tool: str) -> str:
    return (
        f"{server.store}: the server declares {_cut(tool)} otherwise than you accepted it, so it was not called; "
        f"armslength mcp review {server.name} shows the difference"
    )


def _said_of(code: int) -> str:
    """An error's code in words. A number of many digits is a text of the server's (JSON-RPC 2.0, section 5.1: codes have five)."""
    return f"the error {code}" if abs(code) <= _LARGEST_CODE else "an error whose code is none"


def _cut(name: str) -> str:
    """A server's own name of a tool, for a message."""
    return "".join(char if char.isascii() and (char.isalnum() or char in " _-") else "?" for char in name[:64])


def _let_go(line: _Line) -> None:
    """Nobody has it any more. Nothing is waited for: whoever is told so may be in the thread that ends it."""
    if line.is_open:
        begun_beside(line.close)


def _close(lines: Iterable[_Line]) -> None:
    """End them, and wait."""

    async def close_all() -> None:
        await asyncio.gather(*(each.close() for each in going))

    if going := [each for each in lines if each.is_open]:
        with suppress(TimeoutError, RuntimeError):
            spoken_to(close_all, _CLOSE_SECONDS)


_lines: weakref.WeakSet[_Line] = weakref.WeakSet()
"""All of this process, for its end."""
atexit.register(lambda: _close(list(_lines)))


class _Line:
    """What lives in the thread of the loop."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._client: Client | None = None
        self._holder: asyncio.Task[None] | None = None
        self._opening: asyncio.Lock | None = None
        self._over: asyncio.Event | None = None
        self._meter = Meter()
        _lines.add(self)

    @property
    def is_open(self) -> bool:
        """Whether there may be something to end."""
        return self._holder is not None

    async def listed(self) -> list[Declaration]:
        """All pages of its list."""
        return await self._safely(self._listed)

    async def call(
        self, declaration: Declaration, arguments: Mapping[str, Plain], told: Mapping[str, object]
    ) -> Answered:
        """Look at its list, then call."""

        async def ask(client: Client) -> Answered:
            self._check(declaration, await self._listed(client))
            return await self._call(client, declaration.name, arguments, told)

        return await self._safely(ask)

    async def close(self) -> None:
        """End it, and wait until it has ended."""
        if self._over is not None:
            self._over.set()
        if self._holder is not None:
            with suppress(Exception):
                await self._holder
        self._client = self._holder = None

    def _check(self, declaration: Declaration, listed: list[Declaration]) -> None:
        found = [each for each in listed if each.name == declaration.name]
        name, where = _cut(declaration.name), self._server.store
        if not found:
            raise ToolError(f"{where}: the server does not offer {name} any more")
        if len(found) > 1 or found[0].digest != declaration.digest:
            raise ToolChanged(_otherwise(self._server, declaration.name))

    async def _listed(self, client: Client) -> list[Declaration]:
        from mcp.types import PaginatedRequestParams

        found, cursor = list[Declaration](), None
        for _page in range(MOST_PAGES):
            page = await client.session.list_tools(params=PaginatedRequestParams(cursor=cursor))
            for each in page.tools:
                with suppress(ValueError):  # what cannot be looked at is never a tool
                    found.append(declaration_of(each.model_dump(mode="json", by_alias=True, exclude_none=True)))
            if len(found) > MOST_TOOLS:
                raise ToolError(
                    f"{self._server.store}: the server lists more than {MOST_TOOLS:,} tools, so none is used"
                )
            cursor = page.next_cursor
            if cursor is None:
                return found
        raise ToolError(f"{self._server.store}: the list of tools has no end, so none is used")

    async def _call(
        self, client: Client, name: str, arguments: Mapping[str, Plain], told: Mapping[str, object]
    ) -> Answered:
        from mcp.types import CallToolRequest, CallToolRequestParams, CallToolResult

        params = CallToolRequestParams(name=name, arguments=dict(arguments), _meta=cast("Any", dict(told) or None))
        # Not `call_tool`: that would evaluate the server's own schema, patterns included.
        found = await client.session.send_request(CallToolRequest(params=params), CallToolResult)
        if found.result_type != "complete":
            raise ToolError(f"{self._server.store}: {_cut(name)} asks for more, which nobody is asked on its behalf")
        return Answered(
            texts=tuple(map(_text, found.content)),
            structured=found.structured_content,
            has_structure="structured_content" in found.model_fields_set,
            is_error=found.is_error,
            claim=claim_in(found.meta),
        )

    async def _safely(self, ask: Callable[[Client], Coroutine[Any, Any, _T]]) -> _T:
        """What it gives. Whatever goes wrong with the server is one ToolError; where the line is gone, the next call opens another.

        Raises:
            ArmslengthError: what went wrong.
        """
        from mcp import MCPError
        from mcp.types import CONNECTION_CLOSED

        where = self._server.store
        try:
            client = await self._opened()
            async with asyncio.timeout(self._server.call_seconds):
                return await ask(client)
        except MCPError as error:
            if (error.code == CONNECTION_CLOSED and error.message != REPORTED) or self._meter.why:
                await self._dropped()
                raise ToolError(f"{where}: the server {self._meter.why or 'went away while it was asked'}") from None
            raise ToolError(f"{where}: the server answers with {_said_of(error.code)}") from None
        except ValueError:  # of pydantic's kind
            raise ToolError(
                f"{where}: the server gave an answer that is none of the protocol, or asks for more"
            ) from None
        except (ArmslengthError, TimeoutError):
            raise
        except Exception as error:  # noqa: BLE001  # the library and whatever it stands on; one line for the person
            await self._dropped()
            raise ToolError(
                f"{where}: {self._meter.why or f'the server cannot be spoken with ({type(error).__name__})'}"
            ) from None

    async def _dropped(self) -> None:
        """The line is of no use any more."""
        if self._over is not None:
            self._over.set()
        self._client = None

    async def _opened(self) -> Client:
        """The line, opened if there is none.

        Raises:
            ToolError: the server cannot be started, or is not there in time.
        """
        self._opening = self._opening or asyncio.Lock()
        async with self._opening:
            if self._client is not None and self._holder is not None and not self._holder.done():
                return self._client
            await self.close()
            self._meter, self._over = Meter(), asyncio.Event()
            place = self._server.place
            environment = await asyncio.to_thread(environment_of, place) if isinstance(place, Child) else {}
            ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
            self._holder = asyncio.create_task(self._hold(environment, ready, self._over))
            try:
                async with asyncio.timeout(self._server.start_seconds):
                    self._client = await asyncio.shield(ready)
            except TimeoutError:
                self._over.set()
                self._holder.cancel()
                raise ToolError(
                    f"{self._server.store}: the server was not there within {self._server.start_seconds:g} seconds"
                ) from None
            return self._client

    async def _hold(self, environment: dict[str, str], ready: asyncio.Future[Client], over: asyncio.Event) -> None:
        """Keep the line open until it is over. Entered and left in this one task, as the library wants it."""
        from mcp import Client
        from mcp.types import Implementation

        try:
            async with Client(
                self._transport(environment),
                mode="auto",
                cache=None,
                client_info=Implementation(name="armslength", version="1"),
            ) as client:
                ready.set_result(client)
                await over.wait()
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001  # as above
            if not ready.done():
                ready.set_exception(self._failure(error))

    def _transport(self, environment: dict[str, str]) -> AbstractAsyncContextManager[TransportStreams]:
        match self._server.place:
            case Child() as place:
                return limited(started(place, environment, self._meter), self._meter)
            case place:
                from armslength.tools.mcp.remote import reached

                setting = f"mcp.{self._server.name}.authorities"
                return limited(reached(place, self._meter, self._server.call_seconds, setting), self._meter)

    def _failure(self, error: BaseException) -> ArmslengthError:
        """Whose fault it is that it is not there."""
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        return error if isinstance(error, ConfigError) else ToolError(f"{self._server.store}: {self._why_not(error)}")

    def _why_not(self, first: BaseException) -> str:
        """Why it is not there, in our words."""
        from mcp import MCPError

        if self._meter.why:
            return f"the server {self._meter.why}"
        match first:
            case ArmslengthError():
                return str(first)
            case FileNotFoundError():
                return "its command, or the folder that it is to be started in, is not there"
            case OSError():
                return f"the server cannot be reached: {first.strerror or type(first).__name__}"
            case MCPError():
                return "the server ended before it answered, or answers with an error alone"
            case _:
                return f"the server is none that can be spoken with ({type(first).__name__})"


def _text(block: Any) -> str:
    """A block of a result as text. What is no text, or lies elsewhere, is named and not loaded."""
    from mcp.types import AudioContent, EmbeddedResource, ImageContent, ResourceLink, TextContent, TextResourceContents

    match block:
        case TextContent(text=text):
            return text
        case ImageContent(mime_type=kind) | AudioContent(mime_type=kind):
            return f"[{kind}, {len(block.data):,} characters of base64, not loaded]"
        case EmbeddedResource(resource=TextResourceContents(text=text)):
            return text
        case EmbeddedResource(resource=resource):
            return f"[{resource.uri}, not loaded]"
        case ResourceLink(uri=uri):
            return f"[{uri}, not followed]"
        case _:
            return "[a part of a kind that is not known, not loaded]"


def check_installed() -> None:
    """The library is there.

    Raises:
        ConfigError: it is not.
    """
    import importlib.util

    if importlib.util.find_spec("mcp") is None:
        raise ConfigError(f"servers of MCP need the extra mcp: {install_command('mcp')}")
