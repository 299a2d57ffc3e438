"""Methods of dicts."""
d = {"a": 1, "b": 2}
answer(d.get("a"), d.get("z"), d.get("z", 0), d.get("a", 0), d.get((1, 2), "none"))
answer(list(d.keys()), list(d.values()), list(d.items()), len(d.items()), ("a", 1) in d.items(), 2 in d.values())
answer(d.setdefault("c", 3), d.setdefault("a", 9), d.setdefault("n"), d)
d.update({"a": 10, "e": 5})
answer(d, d.pop("a"), d)
copy = d.copy()
copy["b"] = "changed"
answer(d["b"], copy["b"])
copy.clear()
answer(copy, len(d))
groups = {}
for word in ["ape", "bee", "ant", "bat", "cat"]:
    groups.setdefault(word[0], []).append(word)
answer(groups)
