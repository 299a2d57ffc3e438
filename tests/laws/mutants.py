"""Mutants: the language with one operand or one monitor rule switched off, each of which a law must notice.

    python -m tests.laws.mutants [--programs N] [--seed S] [--only WORD] [--write] [--minutes M]

A mutant replaces a few words of one function while it lives; the product code has no switches. The directed programs that run the function
are tried first, then random ones. A mutant whose words are no longer in the source is an error, so the table cannot rot.
"""

from __future__ import annotations

import argparse
import ast
import functools
import gc
import importlib
import inspect
import sys
import time
import types
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from bench.commit import Taken
from tests.laws.checks import Broken, Checked, check, check_random
from tests.laws.corpus import directed
from tests.laws.equivalents import EQUIVALENT, stale
from tests.laws.mutant import Mutant
from tests.laws.programs import program
from tests.laws.reach import reached, runs
from tests.laws.sites import NO_LABEL, Site, mutated
from tests.laws.table import MUTANTS

from armslength import labels


@contextmanager
def living(mutant: Mutant | Site) -> Iterator[None]:
    """Runs with the mutant's code in place of the function's own.

    Raises:
        LookupError: its words are not in the function, or are there more than once.
    """
    swapped = _swap(mutant)
    try:
        yield
    finally:
        for function, code in swapped:
            function.__code__ = code
        labels.forget()


def _swap(mutant: Mutant | Site) -> list[tuple[types.FunctionType, types.CodeType]]:
    module = importlib.import_module(f"armslength.{mutant.module}")
    setattr(module, NO_LABEL, labels.NOTHING)
    path = module.__file__ or ""
    changed = _codes(
        mutated(mutant.module, [mutant]) if isinstance(mutant, Site) else _mutated_source(mutant, module), path
    )
    swapped = []
    for function in _functions(path):
        code = changed.get(_key(function.__code__))
        if code is not None and code.co_qualname.split(".<locals>")[0] == mutant.function:
            swapped.append((function, function.__code__))
            function.__code__ = code
    if not swapped:
        raise LookupError(f"{mutant.name}: no function {mutant.function} is alive")
    labels.forget()
    return swapped


def _mutated_source(mutant: Mutant, module: types.ModuleType) -> str:
    whole = inspect.getsource(module)
    found = functools.reduce(getattr, mutant.function.split("."), module)
    own = inspect.getsource(inspect.unwrap(found))
    if own.count(mutant.old) != 1:
        raise LookupError(f"{mutant.name}: {mutant.function} holds {own.count(mutant.old)} times {mutant.old!r}")
    if mutant.old.count("\n") != mutant.new.count("\n"):
        raise LookupError(f"{mutant.name}: what comes later would stand on other lines")
    return whole.replace(own, own.replace(mutant.old, mutant.new))


def _key(code: types.CodeType) -> tuple[str, int]:
    """Name and line: several functions without a name may stand in one."""
    return code.co_qualname, code.co_firstlineno


def _codes(source: str | ast.Module, path: str) -> dict[tuple[str, int], types.CodeType]:
    found: dict[tuple[str, int], types.CodeType] = {}
    waiting = [compile(source, path, "exec", flags=0, dont_inherit=True)]
    while waiting:
        code = waiting.pop()
        found[_key(code)] = code
        waiting.extend(part for part in code.co_consts if isinstance(part, types.CodeType))
    return found


def _functions(path: str) -> list[types.FunctionType]:
    return [
        each for each in gc.get_objects() if isinstance(each, types.FunctionType) and each.__code__.co_filename == path
    ]


@dataclass(frozen=True, slots=True)
class Death:
    """What killed a mutant: the program (a directed one's name or a seed) and the law."""

    by: str
    broken: Broken


def killed(mutant: Mutant | Site, programs: int, seed: int, names: Sequence[str] = ()) -> Death | None:
    """Try the directed programs (all, or these), with results at once and later; then random ones."""
    listed = directed()
    with living(mutant):
        for is_pending in (False, True):
            for name in names or listed:
                broken = _broken(functools.partial(check, listed[name], is_pending=is_pending))
                if broken:
                    return Death(name, broken[0])
        for number in range(seed, seed + programs):
            broken = _broken(functools.partial(check_random, program(number), number))
            if broken:
                return Death(f"seed {number}", broken[0])
    return None


def _broken(checking: Callable[[], Checked]) -> list[Broken]:
    """The laws that a program breaks. One is beside the laws: that the machine stops where a sure name has no value."""
    try:
        return checking().broken
    except TypeError as error:
        if str(error) != "a name that was to have a value here has none":
            raise
        return [Broken("sure", "a name", ())]


def main(arguments: list[str]) -> int:
    """Print the table; 1 if a mutant survives."""
    parser = argparse.ArgumentParser(prog="python -m tests.laws.mutants")
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="mutants with this in their name")
    parser.add_argument("--write", action="store_true", help="write the counts into bench/results")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin none after so long")
    options = parser.parse_args(arguments)
    if options.write and options.only:
        parser.error("a part of the mutants is no result")
    taken = Taken("mutants") if options.write else None
    wanted = [each for each in MUTANTS if options.only in each.name and each.name not in EQUIVALENT]
    deaths, found, started = dict[str, Death | None](), reached(), time.monotonic()
    for mutant in wanted:
        if time.monotonic() - started > options.minutes * 60:
            break
        begun = time.monotonic()
        death = deaths[mutant.name] = killed(mutant, options.programs, options.seed, runs(mutant, found))
        end = "SURVIVES" if death is None else f"law ({death.broken.law}): {death.by}"
        sys.stdout.write(f"{mutant.name:44} {end:50} {time.monotonic() - begun:6.1f} s\n")
        sys.stdout.flush()
    survivors = [name for name, death in deaths.items() if death is None]
    old = stale([mutant.name for mutant in MUTANTS])
    left = f"; {len(wanted) - len(deaths)} were not tried" if len(deaths) < len(wanted) else ""
    sys.stdout.write(f"{len(survivors)} survive{left}\n")
    sys.stdout.writelines(f"no mutant is called {name} any more\n" for name in old)
    if taken is not None:
        written = taken.write(_found(options, wanted, deaths, time.monotonic() - started))
        sys.stdout.write(f"written to {written}\n")
    return 1 if survivors or old else 0


def _found(
    options: argparse.Namespace, wanted: Sequence[Mutant | Site], deaths: Mapping[str, Death | None], seconds: float
) -> dict[str, object]:
    survivors = [name for name, death in deaths.items() if death is None]
    by_law = Counter(death.broken.law for death in deaths.values() if death is not None)
    return {
        "seed": options.seed,
        "asked": len(wanted),
        "mutants": len(deaths),
        "killed": len(deaths) - len(survivors),
        "killed_by_law": dict(sorted(by_law.items())),
        "equivalent": len(EQUIVALENT),
        "seconds": round(seconds),
        "problems": len(survivors),
        "survivors": survivors,
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
