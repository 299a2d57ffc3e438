"""Lists joined, repeated, compared, searched."""
answer([1] + [2, 3], [0] * 3, 3 * [0], [1, 2] * 2, [] + [], [1] * 0, [1] * -1)
answer([1, 2] == [1, 2], [1, 2] == [2, 1], [1] == (1,), [1, 2] < [1, 3], [1] < [1, 0], [] < [0], [2] > [1, 9], [1] <= [1], [1] != [1.0])
answer(2 in [1, 2], 3 in [1, 2], [1] in [[1], 2], 3 not in [1, 2], 1.0 in [1], True in [1], "a" in ["abc"])
inner = [0]
outer = [inner] * 2
inner.append(1)
answer(outer)
