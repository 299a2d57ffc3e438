"""Text outside ASCII: lengths, cases, folding, combining, astral, repr."""
words = ["Straße", "ÅNGSTRÖM", "naïve", "İstanbul", "ǆ", "ﬁn", "Σίσυφος", "日本語", "👩‍👩‍👧", "e\u0301", "\u200bx\u202e", "\ufeff", "\xad"]
for word in words:
    answer(word, len(word), word.upper(), word.lower(), word.casefold(), word.title(), word.swapcase(), word.capitalize())
    answer([word], word[::-1], word.isalpha(), word.isidentifier())
answer("٣".isdigit(), "²".isdigit(), "²".isdecimal(), "½".isnumeric(), int("٣٤"), float("١.٥"))
answer("ß" == "ss", "ß".casefold() == "ss", "é" == "e\u0301", sorted(["é", "z", "a", "Z"]))
