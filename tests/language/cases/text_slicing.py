"""Slices of text: open ends, negative bounds, steps, out of range, None."""
word = "abcdefghij"
answer(word[2:5], word[:3], word[7:], word[:], word[-3:], word[:-3], word[-5:-2])
answer(word[::2], word[1::3], word[::-1], word[8:2:-2], word[2:8:-1], word[-1:-11:-3])
answer([word[100:], word[-100:2], word[5:2], word[3:3], word[None:4], word[True:3]])
answer(word[-(10**30) : 10**30], [word[10**30 :]])
