"""Joining, repeating, comparing and searching text with operators."""
answer("ab" + "cd", "ab" * 3, 3 * "ab", ["ab" * 0, "ab" * -1, "a" * 0])
answer("a" < "b", "a" < "B", "abc" < "abd", "abc" < "ab", "" < "a", "Z" < "a", "é" > "z")
answer("b" in "abc", "bc" in "abc", "" in "abc", "ac" not in "abc", "" in "")
answer("a" == "a", "a" != "a", "a" == 1, "1" != 1)
