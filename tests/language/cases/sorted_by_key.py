"""`key=` of sorted, sort, min and max: functions, lambdas, fields, tuples, reverse, stable."""
words = ["pear", "Fig", "banana", "kiwi", "apple"]
answer(sorted(words, key=len), sorted(words, key=len, reverse=True), sorted(words, key=str.lower), sorted(words, key=lambda w: w[-1]))
answer(min(words, key=len), max(words, key=len), min(words, key=lambda w: w.lower()), max(words, key=lambda w: (len(w), w)))
mails = search("invoice")
answer([m.id for m in sorted(mails, key=lambda m: m.score)], [m.id for m in sorted(mails, key=lambda m: (m.sender, -m.score))])
answer(max(mails, key=lambda m: m.score).subject, min(mails, key=lambda m: m.score).sender)
people = [{"name": "Ann", "age": 30}, {"name": "Bob", "age": 25}, {"name": "Cy", "age": 30}]
people.sort(key=lambda p: p["age"])
answer([p["name"] for p in people])
people.sort(key=lambda p: p["age"], reverse=True)
answer([p["name"] for p in people])
def second(pair):
    return pair[1]


pairs = [("a", 3), ("b", 1), ("c", 2), ("d", 1)]
answer(sorted(pairs, key=second), sorted(pairs, key=second, reverse=True), min(pairs, key=second), max(pairs, key=second))
counts = {"x": 3, "y": 1, "z": 2}
answer(sorted(counts, key=counts.get), sorted(counts.items(), key=lambda item: item[1]), max(counts, key=counts.get))
answer(sorted([3, -2, 1], key=abs), max([], key=len, default="none"), min(3, -5, key=abs), max([1, 5], key=lambda x: -x))
answer(sorted([("b", 1), ("a", 1)], key=lambda t: t[1]), sorted([True, None, 0, "x"], key=lambda x: str(x)), sorted({3, 1, 2}, key=lambda x: -x))
order = ["low", "mid", "high"]
answer(sorted(["high", "low", "mid"], key=order.index), sorted([1, 2, 3], key=None), sorted([3, 1], key=lambda x: 0))
