"""Quotes, escapes, raw, triple, joined by standing side by side."""
a = 'single "double" inside'
b = "double 'single' inside"
c = """three
lines
here"""
d = r"raw \n stays"
e = "tab\there\nnew \\ back \x41 \u00e9 \N{BULLET}"
f = "one " "two " "three"
g = ("over "
     "two lines")
answer(a, b, c, d, e, f, g)
answer([a, b, c, d, e, f, g])
answer(["\x00\x01\x7f", "\r\n\t", "it's", 'say "hi"', "both ' and \""])
