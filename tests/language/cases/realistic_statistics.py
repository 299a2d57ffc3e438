"""Mean, median, deviation, a histogram and a trend of the scores."""
import math


def mean(xs):
    return sum(xs) / len(xs) if xs else 0.0


def median(xs):
    ordered, middle = sorted(xs), len(xs) // 2
    return ordered[middle] if len(xs) % 2 else mean(ordered[middle - 1 : middle + 1])


def deviation(xs):
    average = mean(xs)
    return math.sqrt(mean([(x - average) ** 2 for x in xs]))


def histogram(xs, size=5):
    bins = {}
    for x in xs:
        low = x // size * size
        bins[low] = bins.get(low, 0) + 1
    return [f"{low:>3}-{low + size - 1:<3}{'#' * count}" for low, count in sorted(bins.items())]


scores = [mail.score for mail in search("x")] + [4, 12, 7]
measures = {"mean": mean, "median": median, "deviation": deviation, "largest": max, "smallest": min}
for name, measure in measures.items():
    answer(f"{name:<10}{measure(scores):>8.2f}")
answer("\n".join(histogram(scores)))
changes = [after - before for before, after in zip(scores, scores[1:])]
longest = best = 0
for change in changes:
    longest = longest + 1 if change > 0 else 0
    best = max(best, longest)
answer(changes, best, math.ceil(mean(scores)), math.isclose(mean([0.1, 0.2]), 0.15))
