"""Functions of modules as values, and `from __future__ import annotations` read past."""
from __future__ import annotations

import json
import math
from math import floor


def size(values: list[float] | None) -> int | None:
    return None if values is None else len(values)


answer(size([1.5]), size(None), list(map(math.floor, [1.5, 2.5])), list(map(floor, [0.5])), sorted(["[2]", "[1]"], key=json.loads))
roundings = {"up": math.ceil, "down": math.floor}
answer({name: f(2.5) for name, f in roundings.items()})
