"""What models may cost: so much a run, so much a day, in money or in tokens. A call that could go over is not made.

Before a call its dearest end is set aside: as many tokens as the request has at most, and as many as its answer may have, and the same again before
each further request that the call sends, since the one before it failed. Afterwards what the last cost takes its place, if the provider says it. So calls beside each other, in one process or several, do not together go over what each alone keeps to.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from armslength.app.caps import Caps, Price
from armslength.database_file import changed
from armslength.errors import CapReached, OperatorError
from armslength.models.base import Model, ModelReply, ModelRequest, Processor, Usage, sending

Span = Literal["run", "day"]
if TYPE_CHECKING:
    import sqlite3

_NEAR = 0.8
"""What is spent of a cap when the person is told that it is near."""
_FORM = 16
"""Tokens that a chat's form adds to a message, at most."""


@dataclass(frozen=True, slots=True)
class Spending:
    """What is capped, and what is told of it. `path`: the file of what each day cost. `prices`: by role of a model; none is nothing.

    `told` gets a line when a cap is near.
    """

    path: Path
    caps: Caps
    prices: Mapping[str, Price]
    told: Callable[[str], None] = field(default=lambda _line: None, compare=False)

    def of_a_run(self, models: Mapping[str, Model], now: Callable[[], datetime]) -> dict[str, Model]:
        """The models as one run uses them: what they cost together is what the run costs."""
        till = Till(self, now)
        return {role: CappedModel(model, self.prices.get(role, Price()), till) for role, model in models.items()}


@dataclass(slots=True)
class Till:
    """What one run spent in this process, and on this day all runs."""

    spending: Spending
    now: Callable[[], datetime]
    cost: float = 0.0
    tokens: int = 0
    _near: set[str] = field(default_factory=set)

    def set_aside(self, cost: float, tokens: int) -> None:
        """So much is spent, whatever comes of it.

        Raises:
            CapReached: it could go over a cap.
            OperatorError: the file cannot be written.
        """
        self._add(f"{self.now():%Y-%m-%d}", cost, tokens)

    @contextmanager
    def reserved(self, cost: float, tokens: int) -> Iterator[Callable[[float, int], None]]:
        """Set so much aside while a call is made; the call says what it really was. One that fails counts whole: who knows what it cost.

        Raises:
            CapReached: it could go over a cap.
            OperatorError: the file cannot be written.
        """
        day = f"{self.now():%Y-%m-%d}"
        self._add(day, cost, tokens)
        spent = (cost, tokens)

        def settle(real_cost: float, real_tokens: int) -> None:
            nonlocal spent
            spent = (real_cost, real_tokens)

        try:
            yield settle
        finally:
            self._correct(day, spent[0] - cost, spent[1] - tokens)
            self._tell_what_is_near(day)

    def _add(self, day: str, cost: float, tokens: int) -> None:
        with self._opened() as database:
            so_far = {"run": (self.cost, self.tokens), "day": _of_day(database, day)}
            for span, cap, asked, what in self._capped(cost, tokens):
                before = so_far[span][what]
                if before + asked > cap:
                    raise CapReached(
                        f"a model was not asked: with this call the {span} could come to {self._shown(what, before + asked)}, and "
                        f"spending.{span}_{('cost', 'tokens')[what]} allows {self._shown(what, cap)}; {self._shown(what, before)} are spent"
                    )
            self._book(database, day, cost, tokens)

    def _correct(self, day: str, cost: float, tokens: int) -> None:
        with self._opened() as database:
            self._book(database, day, cost, tokens)

    def _book(self, database: sqlite3.Connection, day: str, cost: float, tokens: int) -> None:
        database.execute(
            "INSERT INTO days VALUES (?, ?, ?) ON CONFLICT (day) DO UPDATE SET cost = cost + excluded.cost, tokens = tokens + excluded.tokens",
            (day, cost, tokens),
        )
        self.cost += cost
        self.tokens += tokens

    def _tell_what_is_near(self, day: str) -> None:
        with self._opened() as database:
            so_far = {"run": (self.cost, self.tokens), "day": _of_day(database, day)}
        for span, cap, _, what in self._capped(0, 0):
            name = f"{span}_{('cost', 'tokens')[what]}"
            if so_far[span][what] >= _NEAR * cap and name not in self._near:
                self._near.add(name)
                self.spending.told(
                    f"the {span} has spent {self._shown(what, so_far[span][what])} of {self._shown(what, cap)} (spending.{name})"
                )

    def _capped(self, cost: float, tokens: int) -> list[tuple[Span, float, float, int]]:
        caps = self.spending.caps
        every: list[tuple[Span, float | None, float, int]] = [
            ("run", caps.run_cost, cost, 0),
            ("day", caps.day_cost, cost, 0),
            ("run", caps.run_tokens, tokens, 1),
            ("day", caps.day_tokens, tokens, 1),
        ]
        return [(span, cap, asked, what) for span, cap, asked, what in every if cap is not None]

    def _shown(self, what: int, amount: float) -> str:
        return f"{int(amount):,} tokens" if what else f"{amount:.4g} {self.spending.caps.currency}".rstrip()

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """One transaction that nobody else writes beside."""
        import sqlite3

        table = "CREATE TABLE IF NOT EXISTS days (day TEXT PRIMARY KEY, cost REAL, tokens INTEGER)"
        try:
            with changed(self.spending.path, table) as database:
                yield database
        except (OSError, sqlite3.Error) as error:
            raise OperatorError(
                f"{self.spending.path}: what models cost cannot be kept ({error}); correct that, or remove it"
            ) from error


def _of_day(database: sqlite3.Connection, day: str) -> tuple[float, int]:
    found = database.execute("SELECT cost, tokens FROM days WHERE day = ?", (day,)).fetchone()
    return (0.0, 0) if found is None else (float(found[0]), int(found[1]))


@dataclass(frozen=True, slots=True)
class CappedModel:
    """A model whose calls are paid for before they are made."""

    model: Model
    price: Price
    till: Till

    @property
    def processor(self) -> Processor:
        """Who computes the answer."""
        return self.model.processor

    def complete(self, request: ModelRequest) -> ModelReply:
        """Set aside what it could cost, ask, and book what it did; where the provider does not say that, what was set aside stays.

        A request that has to be sent again is paid for by itself (`sending`), and what was set aside for the one before it stays too.

        Raises:
            CapReached: it could cost more than a cap leaves.
            ModelError: see Model.
        """
        form = "" if request.schema is None else json.dumps(request.schema)
        texts = (request.system, request.answer_start, form, *(turn.text for turn in request.turns))
        given = sum(self.model.count_tokens(text) for text in texts if text) + _FORM * (1 + len(request.turns))
        most = min(request.max_tokens, self.model.processor.window)
        cost, tokens, sent = self.price.of(given, most), given + most, count()

        def pay() -> None:
            if next(sent):
                self.till.set_aside(cost, tokens)

        with self.till.reserved(cost, tokens) as settle:
            before = sending.set(pay)
            try:
                reply = self.model.complete(request)
            finally:
                sending.reset(before)
            used: Usage = reply.usage
            if used.is_said:
                settle(self.price.of(used.prompt, used.completion), used.prompt + used.completion)
        return reply

    def count_tokens(self, text: str) -> int:
        """See Model."""
        return self.model.count_tokens(text)
