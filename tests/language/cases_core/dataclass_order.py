"""Frozen dataclasses as keys, ordered ones sorted."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    x: int
    y: int


@dataclass(order=True)
class Version:
    major: int
    minor: int = 0


def first_of(points):
    seen = {}
    for i, point in enumerate(points):
        seen.setdefault(point, i)
    return list(seen.values())


answer(first_of([Point(1, 2), Point(0, 0), Point(1, 2)]), Point(1, 2) in {Point(1, 2)}, len({Point(0, 0), Point(0, 0)}))
answer(sorted([Version(2), Version(1, 5), Version(1)]), Version(1) < Version(1, 1), max(Version(3), Version(2, 9)))
