"""math: roots, rounding, logarithms, angles, sums, constants, tests."""
import math

answer(math.sqrt(2), math.floor(-1.5), math.ceil(-1.5), math.trunc(2.9), math.fabs(-3), math.pow(2, 3), math.hypot(3, 4))
answer(math.pi, math.e, math.inf, math.tau, math.isnan(math.nan), math.isinf(math.inf), math.isfinite(1.5), math.isclose(0.1 + 0.2, 0.3))
answer(round(math.log(10), 5), math.log2(8), math.log10(1000), round(math.log(8, 2), 9), round(math.exp(1), 5), math.gcd(48, 18), math.lcm(4, 6), math.factorial(5), math.comb(5, 2), math.perm(5, 2))
answer(round(math.sin(math.pi / 2), 5), round(math.cos(0), 5), round(math.degrees(math.pi)), round(math.radians(180), 3), math.prod([2, 3, 4]), math.fsum([0.1] * 10), math.isqrt(17), math.copysign(1, -2), math.fmod(7, 3))
try:
    math.sqrt(-1)
except ValueError:
    answer("no root")
def deviation(xs):
    mean = sum(xs) / len(xs)
    return mean, math.sqrt(sum((x - mean) ** 2 for x in xs) / len(xs))


answer(deviation([2, 4, 4, 4, 5, 5, 7, 9]))
