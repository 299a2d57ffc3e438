"""answer takes texts, sums of texts, f-strings, any value, and generators inside calls."""
name, n = "Ann", 3
answer("Hello " + name + "!")
answer(f"Hello {name}, {n:03d} {n!r} {name!r}")
answer("a" + f"{n}" + ("b" + name), n, [name], None, 1.5)
answer()
answer("")
answer("x", "y", "z")
answer(name + " and " + name)
print("print", "is", "answer", n)
print()
answer("list:\n" + "\n".join("- " + x for x in ["one", "two"]))
