"""The server of the page, on this machine alone, and the approver that waits for it."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import uvicorn

from armslength.agent.approving.approval import REFUSED, Answer, Screen
from armslength.errors import NotNow, OperatorError
from armslength.surfaces.page.application import Desk

_HERE = "127.0.0.1"


class PageApprover:
    """Asks on a page that a one-time link opens. `refusal` says why the last answer was a no, or not a yes to all."""

    def __init__(
        self, tell: Callable[[str], None], *, port: int = 0, wait: float = 3600.0, is_patient: bool = False
    ) -> None:
        """`tell`: shows the link to the person. `port` 0: any that is free. `wait`: seconds for an answer, after which it is a no.

        `is_patient`: then the question stays.
        """
        self._tell, self._port, self._wait, self._is_patient = tell, port, wait, is_patient
        self._desk: Desk | None = None
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        self.refusal = ""

    def approve(self, screen: Screen) -> Answer:
        """Show the link and wait for the one answer. A port that cannot be used is a no.

        Raises:
            KeyboardInterrupt: Ctrl-C, which ends the run.
            NotNow: nobody answered in time, and the question stays.
        """
        try:
            asked = self._opened().put(screen)
        except OperatorError as error:
            self.refusal = str(error)
            return REFUSED
        self._tell(
            f"your yes is needed; open once, within {_span(self._wait)}: http://{_HERE}:{self._port}/{asked.token}"
        )
        try:
            answer = asked.wait(self._wait)
        except BaseException:
            asked.give_up()
            raise
        if answer is None and self._is_patient:
            raise NotNow
        if answer is None:
            self.refusal = f"nobody answered within {_span(self._wait)}"
            return REFUSED
        self.refusal = "" if len(answer.accepted) == screen.count else "you did not say yes"
        return answer

    def close(self) -> None:
        """No page any more."""
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join(5.0)
            self._server = self._thread = None
            self._desk = None

    def _opened(self) -> Desk:
        if self._desk is not None:
            return self._desk
        listening = _listening(self._port)
        self._port = listening.getsockname()[1]
        self._desk = Desk(self._port)
        server = self._server = uvicorn.Server(
            uvicorn.Config(
                self._desk.application(),
                log_config=None,
                access_log=False,  # the link stands in the path
                server_header=False,
                lifespan="off",
                ws="none",
                http="h11",
                timeout_graceful_shutdown=1,
                limit_concurrency=50,
            )
        )
        self._thread = threading.Thread(target=lambda: _served(server, listening), name="approval page", daemon=True)
        self._thread.start()
        while self._thread.is_alive() and not server.started:
            time.sleep(0.01)
        return self._desk


def _served(server: uvicorn.Server, listening: socket.socket) -> None:
    with suppress(SystemExit), listening:
        server.run(sockets=[listening])


def _listening(port: int) -> socket.socket:
    """A socket that only this machine reaches.

    Raises:
        OperatorError: the port is in use or not allowed.
    """
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((_HERE, port))
        made.listen(16)
    except OSError as error:
        made.close()
        raise OperatorError(
            f"the page cannot be opened on port {port}: {error.strerror}; choose another for page.port"
        ) from error
    return made


def _span(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{minutes} minutes" if minutes > 1 else f"{round(seconds)} seconds"
