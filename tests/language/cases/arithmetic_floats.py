"""Floats: text of results, mixing with integers, infinities."""
answer(0.1 + 0.2, 1 / 3, 2.0, 1e16, 1e-5, 123456789.123456789, -0.0)
answer(1.5 + 1, 3 - 0.5, 2 * 2.5, 7.5 // 2, 7.5 % 2, -7.5 // 2, -7.5 % 2, 2.0**3, 9**0.5)
answer(1e308 * 10, -1e308 * 10, 1e308 * 10 - 1e308 * 10, 5e-324, 1.7976931348623157e308)
big = 1e22
small = 1e-7
answer(big, small, 1e21 + 1, 100000000000000000000.0)
