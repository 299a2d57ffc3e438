"""list, tuple, set, dict from anything that can be walked."""
answer(list(), list("abc"), list((1, 2)), list({"a": 1}), list(range(3)), list([1]), sorted(list({1, 2})))
answer(tuple(), tuple("ab"), tuple([1]), tuple({"k": 0}), tuple(range(2)), tuple((1,)))
answer(len(set()), sorted(set("aab")), sorted(set([1, 1])), sorted(set({"k": 1})), dict(), dict({"a": 1}), dict([(1, 2)]), dict(zip("ab", [1, 2])))
original = [1, [2]]
copy = list(original)
copy.append(3)
copy[1].append("shared")
answer(original, copy)
