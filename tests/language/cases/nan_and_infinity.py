"""NaN differs from itself, but a container finds the same one."""
nan = float("nan")
inf = float("inf")
answer(nan == nan, nan != nan, nan < 1, nan > 1, nan in [nan], [nan] == [nan], nan in [float("nan")], [nan].count(nan), [nan].index(nan))
answer(inf > 10**300, -inf < 0, inf == inf, inf - inf, inf * 0, inf // 1, 1 / inf, inf in (1, inf), max(inf, 1), min(-inf, 0))
answer(max([1, nan]), max([nan, 1]), sorted([2, inf, -inf, 1]), bool(nan))
