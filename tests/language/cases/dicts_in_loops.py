"""Going through dicts, counting, grouping, turning round."""
prices = {"tea": 3, "milk": 2, "bread": 4}
for name in prices:
    answer(name, prices[name])
for name, price in prices.items():
    answer(f"{name}={price}")
for price in prices.values():
    answer(price)
counts = {}
for letter in "mississippi":
    counts[letter] = counts.get(letter, 0) + 1
answer(counts, sorted(counts.items()), max(counts.values()))
tally = {"a": 0}
for step in range(4):
    tally["a"] += step
answer(tally, {price: name for name, price in prices.items()}, sorted(prices), sum(prices.values()))
