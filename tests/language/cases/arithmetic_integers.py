"""Integers: every operator, signs of // and %, powers."""
a, b = 17, 5
answer(a + b, a - b, a * b, a / b, a // b, a % b, a**b)
answer(-a // b, -a % b, a // -b, a % -b, -a // -b, -a % -b)
answer(2**10, 2**0, 0**0, 1**1000000, (-1) ** 999999, 0**7, (-2) ** 3)
answer(2**-1, (-2) ** -2, -(2**2), -(2**-1))
answer(+a, -a, --a, -(-a), +-a)
whole = 7 // 2
rest = 7 % 2
