"""Chains of comparisons, and every operator."""
x = 5
answer(1 < x < 10, 1 < x < 3, 10 > x >= 5 > 4, 1 == 1.0 == True, 1 < 2 > 1, 3 != 3 != 4, 1 < 3 < 2 < 4)
answer(x == 5, x != 5, x < 5, x <= 5, x > 5, x >= 5, x in [5] in [[5]], "a" < "b" < "c" != "d")
answer(1 < 1.5, 2 == 2.0, 10**20 == 1e20, 10**20 + 1 > 1e20, 0.1 + 0.2 == 0.3, None == None, None == 0, "" == False)
low, high = 0, 9
answer(low <= x <= high, not low <= x <= high, (low < x) == (x < high))
