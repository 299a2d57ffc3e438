"""str of containers within containers shows their quoted text."""
data = {"k": ["a", 'it\'s', ("t",), {"n": None}], 1: (1, 2.0, True), (1, "x"): [], None: ""}
answer(data, str(data), f"{data}", [str([1, "1", 1.0])])
answer([[], (), {}, [[]], [()], ({},)], ["\n", "\\", "é", "\u200b", "\U0001f600"], (1e100, 1.0, -0.0))
answer({1}, {"one"}, set(), [set()], ({"a": {1}},))
answer(str(None), str(True), str(1.0), str("x"), [str()], f"{[None, True]}")
