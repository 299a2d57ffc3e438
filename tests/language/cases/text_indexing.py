"""Characters by index, from both ends, and by bool."""
word = "labels"
answer(word[0], word[5], word[-1], word[-6], word[True], word[False])
i = -2
answer(word[i], word[i + 1], word[len(word) - 1], "x"[0])
