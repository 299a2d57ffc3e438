"""Replacing, filling up, aligning."""
answer("a-b-c".replace("-", "+"), "a-b-c".replace("-", "+", 1), "aaa".replace("a", ""), ["abc".replace("", "."), "".replace("", "x")])
answer("aaa".replace("aa", "b"), "abc".replace("x", "y"), "abc".replace("b", "b" * 3), "a-b".replace("-", "+", 0), "a-b".replace("-", "+", -1))
answer(["7".zfill(3), "-7".zfill(4), "+7".zfill(4), "abc".zfill(2), "".zfill(2), "a".zfill(-5)])
answer(["ab".ljust(5), "ab".rjust(5), "ab".center(5), "ab".center(5, "*"), "ab".ljust(4, "."), "ab".rjust(4, "."), "ab".center(1)])
