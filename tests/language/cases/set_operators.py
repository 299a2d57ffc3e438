"""Sets: operators, methods, comparisons, comprehension, changing."""
a, b = {1, 2, 3, 4}, {3, 4, 5}
answer(sorted(a | b), sorted(a & b), sorted(a - b), sorted(a ^ b), sorted(a | b | {9}), a - a, a & set())
answer({1, 2} <= a, a <= a, a < a, {1} < a, a >= {1, 2}, a > b, {1, 2} == {2, 1}, a != b, set() <= a, {1, 9} <= a)
answer(sorted(a.union(b)), sorted(a.intersection(b)), sorted(a.difference(b)), sorted(a.symmetric_difference(b)), sorted(a.union([7], (8,))))
answer({1}.issubset(a), a.issuperset([1, 2]), a.isdisjoint(b), a.isdisjoint({9}), sorted(a.copy()), len(a | b))
a.add(9)
a.discard(1)
a.discard(100)
a.remove(2)
answer(sorted(a))
try:
    a.remove(2)
except KeyError:
    answer("not there")
a.update([10, 11], {12})
a |= {13}
a -= {3, 4}
answer(sorted(a), 13 in a, 3 not in a)
senders = {mail.sender for mail in search("x")}
known = {"ann@example.com"}
answer(sorted(senders - known), sorted(senders & known), senders > known, known.issubset(senders))
words = "the cat and the dog and the bird".split()
unique = set(words)
answer(len(unique), sorted(unique), sorted(w for w in unique if words.count(w) > 1), sorted(set("abca") & set("cad")))
single = {7}
answer(single.pop(), single, frozenset([1, 2]) == {1, 2}, len(frozenset("aa")))
