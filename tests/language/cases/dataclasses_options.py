"""Dataclass decorators with options; order of fields; fields with field(default=...)."""
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0


@dataclass()
class Box:
    corner: Point
    size: int = field(default=1)
    labels: list[str] = field(default_factory=list)


answer(Point(1), Point(1, 2), Point(y=5, x=3), Point(1) == Point(1, 0), Box(Point(0)), Box(Point(1, 1), size=4).corner.y)
box = Box(Point(2, 3), labels=["a"])
answer(box.labels + ["b"], box.corner.x * box.size, box)
