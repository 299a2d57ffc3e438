"""Putting text together from many pieces."""
names = ["Ann", "Bob", "Cy"]
answer(", ".join(names), "".join(names), "-".join("abc"), [", ".join([])], ", ".join(("x",)))
answer("\n".join(f"{i}: {n}" for i, n in enumerate(names)), "+".join(str(n) for n in range(5)))
answer(", ".join({"a": 1, "b": 2}), " ".join(sorted({"q", "p"})), ",".join(n.upper() for n in names if n != "Bob"))
