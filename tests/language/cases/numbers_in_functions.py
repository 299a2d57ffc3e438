"""Number work in functions: powers, primes, digits, bases, rounding, bits."""
def primes(limit):
    sieve = [True] * (limit + 1)
    found = []
    for n in range(2, limit + 1):
        if sieve[n]:
            found.append(n)
            for multiple in range(n * n, limit + 1, n):
                sieve[multiple] = False
    return found


def digits(n, base=10):
    out = []
    while True:
        n, rest = divmod(n, base)
        out.insert(0, rest)
        if n == 0:
            return out


def roman(n):
    text = ""
    for value, sign in [(10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]:
        while n >= value:
            text += sign
            n -= value
    return text


answer(primes(30), digits(2026), digits(10, 2), [roman(n) for n in [4, 9, 14, 38]])
answer(5 & 3, 5 | 3, 5 ^ 3, 1 << 4, 256 >> 3, ~5, -7 >> 1, True & False, True | False, True ^ True, 6 & ~2)
answer(pow(7, 2), round(1234.567, -2), abs(-3 + 1), divmod(-7, 3), 7 // -2, 7 % -3, 2**-1, 10**3 // 7 * 2.0, (1.5).is_integer(), (2.0).is_integer(), int(-3.9))
