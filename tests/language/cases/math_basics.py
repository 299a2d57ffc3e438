"""The functions of math."""
import math
from math import ceil, floor, pi, sqrt

answer(sqrt(2), math.pow(2, 0.5), math.hypot(3, 4), math.exp(1) == math.e, math.log(8, 2), math.log10(1000), math.log2(8), math.log(math.e))
answer(ceil(1.2), floor(-1.2), math.trunc(-1.7), math.fabs(-3), math.copysign(2, -0.0), math.fmod(7, -3), math.modf(2.5))
answer(math.gcd(12, 18), math.lcm(4, 6), math.factorial(10), math.comb(5, 2), math.perm(5, 2), math.isqrt(17), math.prod([1, 2, 3, 4]))
answer(round(pi, 4), math.degrees(pi), math.radians(180) == pi, round(math.sin(pi / 6), 6), round(math.cos(0), 6), round(math.atan2(1, 1), 6))
answer(math.isclose(0.1 + 0.2, 0.3), math.isnan(math.nan), math.isinf(-math.inf), math.isfinite(1), math.inf > 10**300, math.fsum([0.1] * 10))
values = [4.0, 8.0, 15.0, 16.0]
mean = sum(values) / len(values)
deviation = math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1))
pages = math.ceil(101 / 20)
answer(f"mean {mean:.2f}, deviation {deviation:.3f}, pages {pages}", list(map(math.sqrt, [1, 4, 9])))
for bad in (-1, -0.5):
    try:
        math.sqrt(bad)
    except ValueError:
        answer("no root of", bad)
