"""Dicts put together from others."""
base = {"a": 1, "b": 2}
over = {"b": 3, "c": 4}
answer({**base}, {**base, **over}, {**over, **base}, {"z": 0, **base, "a": 9}, {**{}, "x": {**over}})
merged = base | over
base |= {"d": 5}
answer(merged, base, over | {}, dict(base, e=6), {**base} == base, {**base} is base)
defaults = {"limit": 10, "query": ""}
def settings(given):
    return {**defaults, **given}


answer(settings({"query": "x"}), settings({}), defaults)
