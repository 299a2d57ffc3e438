"""From a host's name to a connection: it is looked up once, every address is checked, and one of those checked is dialled.

Nothing else of the web's tools opens a connection or asks a name server. Between the check and the connection nothing is looked up again,
so a name server that answers differently the second time is not asked one. Proxies of the environment are not used.
"""

from __future__ import annotations

import queue
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from armslength.certificates import trusting
from armslength.deadlines import Deadline
from armslength.errors import ToolError
from armslength.tools.web.address import WebAddress
from armslength.tools.web.internet import is_own, is_public, literal

_MOST_ADDRESSES = 32
_SECONDS_EACH = 5.0
"""For one address, if there are others."""
_SPECIAL = frozenset(
    {"localhost", "local", "internal", "intranet", "lan", "home", "corp", "private", "onion", "invalid", "alt", "arpa"}
)
"""Last labels that are no names of the internet (RFC 6761, 6762, 7686, 8375, 9476; ICANN's list of collisions): they are not looked up."""

Resolve = Callable[[str, float], Sequence[str]]
"""From a host's name and seconds to all its addresses. OSError: it has none."""
Dial = Callable[[str, int, float], socket.socket]
"""From an address, a port and seconds to a connection."""


def system_resolve(host: str, seconds: float) -> list[str]:
    """All addresses of a name, by the system's resolver, without its search list.

    Raises:
        OSError: it has none, or nothing was heard in time.
    """
    found: queue.SimpleQueue[list[str] | OSError] = queue.SimpleQueue()

    def look_up() -> None:
        try:
            answered = socket.getaddrinfo(f"{host}." if "." in host else host, None, type=socket.SOCK_STREAM)
            found.put(list(dict.fromkeys(str(each[4][0]) for each in answered)))
        except (OSError, UnicodeError) as error:
            found.put(OSError(str(error)))

    threading.Thread(target=look_up, name="armslength-resolve", daemon=True).start()
    try:
        answer = found.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError from None
    if isinstance(answer, OSError):
        raise answer
    return answer


def system_dial(address: str, port: int, seconds: float) -> socket.socket:
    """A TCP connection to an address, which is a number: no name is looked up."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.settimeout(seconds)
        made.connect((address, port))
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        made.close()
        raise
    return made


@cache
def usual_tls() -> ssl.SSLContext:
    """Certificates of the system's authorities, for the very name that is asked. Reading the authorities takes longer than a handshake."""
    return trusting(None, "web.authorities")


@dataclass(frozen=True, slots=True)
class Network:
    """How hosts are reached. Tests give their own; what is checked of an address is the same."""

    resolve: Resolve = system_resolve
    dial: Dial = system_dial
    tls: Callable[[], ssl.SSLContext] = usual_tls


class Dialler:
    """The network of one request, in the shape that httpcore2 asks for: one host, whose addresses are checked, until a deadline.

    `most`: so many bytes are read of it, all together. `is_local`: the configuration names the very host and port.
    """

    def __init__(self, network: Network, asked: WebAddress, deadline: Deadline, most: int, *, is_local: bool) -> None:
        self._network, self._asked, self._deadline, self._most = network, asked, deadline, most
        self._is_local = is_local

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[object] | None = None,
    ) -> Stream:
        """The connection. What httpcore2 says of host and port must be what was decided on.

        Raises:
            ToolError: an address is not to be asked, or there is none.
            OSError: no address answers.
        """
        if (host, port) != (literal(self._asked.host) or self._asked.host, self._asked.port):
            raise ToolError("web: another host was to be asked than the one that was decided on")
        addresses = checked_addresses(self._network, self._asked, self._deadline, is_local=self._is_local)
        failure = OSError("no address")
        for address in addresses:
            seconds = self._deadline.left() if address == addresses[-1] else min(_SECONDS_EACH, self._deadline.left())
            try:
                return Stream(self._network.dial(address, port, seconds), self._deadline, self._most)
            except OSError as error:
                failure = error
        raise failure

    def connect_unix_socket(self, path: str, timeout: float | None = None, socket_options: object = None) -> Stream:
        """No host is asked so."""
        raise ToolError("web: hosts are asked over the network alone")

    def sleep(self, seconds: float) -> None:
        """Nothing is tried again."""


def checked_addresses(network: Network, asked: WebAddress, deadline: Deadline, *, is_local: bool) -> list[str]:
    """All addresses of a host, each of which may be asked; in the order in which they were given.

    Raises:
        ToolError: there is none, or any of them is not of the internet, and the configuration does not name host and port.
    """
    written = literal(asked.host)
    if written is None and not is_local and not _is_of_internet(asked.host):
        raise ToolError(f"web: that is a name of a network of your own; {_NAMED}")
    try:
        found = [written] if written is not None else list(network.resolve(asked.host, deadline.left()))
    except TimeoutError:
        raise
    except OSError as error:
        raise ToolError("web: that host has no address; check its name") from error
    may_be_asked = is_own if is_local else is_public
    if not all(may_be_asked(each) for each in found):
        raise ToolError(f"web: that host's address is one of this machine, of your network or of nobody; {_NAMED}")
    if not 0 < len(found) <= _MOST_ADDRESSES:
        raise ToolError(
            "web: that host has no address; check its name" if not found else "web: that host has too many addresses"
        )
    return found


_NAMED = "a host of your own that is to be asked stands in web.local, with its port"


def _is_of_internet(host: str) -> bool:
    return "." in host and host.rpartition(".")[2] not in _SPECIAL


class Stream:
    """A connection that ends at a deadline and after so many bytes, whatever is sent how slowly."""

    def __init__(self, connection: socket.socket, deadline: Deadline, most: int) -> None:
        self._connection, self._deadline, self._left = connection, deadline, most

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """What has come, at least one byte; nothing at the end.

        Raises:
            ToolError: too much came.
            OSError: nothing in time, or the connection broke.
        """
        self._connection.settimeout(self._deadline.left())
        come = self._connection.recv(min(max_bytes, 65_536))
        self._left -= len(come)
        if self._left < 0:
            raise ToolError("web: the host sends more than is read of a page")
        return come

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send it all.

        Raises:
            OSError: not in time, or the connection broke.
        """
        if buffer:
            self._connection.settimeout(self._deadline.left())
            self._connection.sendall(buffer)

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> Stream:
        """The same connection under TLS, with a certificate for that name.

        Raises:
            OSError: it has none that counts, or not in time.
        """
        try:
            self._connection.settimeout(self._deadline.left())
            wrapped = ssl_context.wrap_socket(self._connection, server_hostname=server_hostname)
        except BaseException:
            self.close()
            raise
        return Stream(wrapped, self._deadline, self._left)

    def get_extra_info(self, info: str) -> None:
        """Nothing that anybody needs: HTTP/1.1 is spoken."""

    def close(self) -> None:
        """End it."""
        self._connection.close()
