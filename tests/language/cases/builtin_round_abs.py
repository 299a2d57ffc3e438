"""round to even, to places, to tens; abs."""
answer(round(2.5), round(3.5), round(-2.5), round(2.675, 2), round(1.005, 2), round(7), round(True), round(1e20))
answer(round(1234.567, -2), round(1234, -2), round(1250, -2), round(1.5, 0), round(0.1 + 0.2, 10), round(2.5, None), round(5, 3), round(3.7, ndigits=0))
answer(abs(-3), abs(3), abs(-2.5), abs(-0.0), abs(True), abs(-(10**40)))
