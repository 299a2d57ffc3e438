"""The two models of a measurement, what their tokens cost, and where their replies and rows are kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from armslength.agent.runs.rewriting import Rewrites
from armslength.app import load_settings
from armslength.app.caps import Price
from armslength.app.spending import Spending
from armslength.app.wiring import rewrites_of, spending_of
from armslength.models.base import ModelReply
from bench.dojo.work import Row, file_of, read
from bench.models import OnceModel, Pair, embedded_pair, pair_of, reply_json, reply_of


@dataclass(frozen=True, slots=True)
class Sides:
    """Both models as they are wired. `prices` by role; `spending`: the caps of the configuration, which hold here, too."""

    pair: Pair
    rewrites: Rewrites = "never"
    prices: Mapping[str, Price] = field(default_factory=dict)
    currency: str = ""
    spending: Spending | None = None

    @property
    def name(self) -> str:
        """The models', and a digest of how they are wired: rows of others are not theirs."""
        processors = [asdict(each.processor) for each in (self.pair.planner, self.pair.quarantined)]
        wired = json.dumps([processors, self.rewrites], sort_keys=True)
        return f"{self.pair.name}-{hashlib.sha256(wired.encode()).hexdigest()[:6]}"

    def of_a_run(self) -> Pair:
        """The models as one run uses them: nothing is asked that could go over a cap."""
        if self.spending is None:
            return self.pair
        both = {"planner": self.pair.planner, "quarantined": self.pair.quarantined}
        capped = self.spending.of_a_run(both, lambda: datetime.now().astimezone())
        return Pair(capped["planner"], capped["quarantined"])


def embedded_sides(notice: Callable[[str], None]) -> Sides:
    """The embedded model with both roles.

    Raises:
        ModelMissing: it or its runtime is not there.
    """
    return Sides(embedded_pair(notice))


def sides_of(file: Path | None, notice: Callable[[str], None]) -> Sides:
    """The models of a configuration, with its prices and caps. `file` None: the one that `armslength` reads.

    Raises:
        OperatorError: the file or a model cannot be used as it stands.
    """
    settings = load_settings(file)
    pair = pair_of(settings, notice)
    prices = {"planner": settings.planner.price, "quarantined": settings.quarantined.price}
    rewrites = rewrites_of(settings, pair.planner)
    return Sides(pair, rewrites, prices, settings.caps.currency, spending_of(settings, notice))


@dataclass(frozen=True, slots=True)
class Kept:
    """The files of one pair of models and of today's sources: rows, and replies as they come, so that nothing is paid for twice."""

    rows: Path
    replies: Path

    @classmethod
    def of(cls, sides: Sides) -> Kept:
        """In `.dojo`."""
        found = cls(file_of(f"model-{sides.name}"), file_of(f"model-{sides.name}-replies"))
        found.rows.parent.mkdir(exist_ok=True)
        return found

    def rows_by_job(self) -> dict[str, Row]:
        """The rows that are there; of two of one job the later one."""
        return {json.dumps(row["job"]): row for row in read(self.rows)}

    def add(self, row: Row) -> None:
        """One more row."""
        _append(self.rows, row)

    def known(self) -> dict[str, ModelReply]:
        """The replies that are there, by digest."""
        return dict(map(reply_of, read(self.replies)))

    def heard(self, digest: str, reply: ModelReply) -> None:
        """One more reply."""
        _append(self.replies, reply_json(digest, reply))


def _append(path: Path, entry: Mapping[str, Any]) -> None:
    """A line of its own, also behind one that was cut off."""
    is_cut = path.exists() and path.read_bytes()[-1:] not in (b"", b"\n")
    with path.open("a", encoding="utf-8") as file:
        file.write(("\n" if is_cut else "") + json.dumps(entry, ensure_ascii=False) + "\n")


@dataclass(frozen=True, slots=True)
class Once:
    """Both models of one run, each asked each question once, with what they were asked in it."""

    planner: OnceModel
    reader: OnceModel

    @classmethod
    def of(cls, sides: Sides, known: dict[str, ModelReply], heard: Callable[[str, ModelReply], None]) -> Once:
        """Nothing was asked yet."""
        pair = sides.of_a_run()
        return cls(OnceModel(pair.planner, known, heard), OnceModel(pair.quarantined, known, heard))

    @property
    def pair(self) -> Pair:
        """As a measurement has them."""
        return Pair(self.planner, self.reader)
