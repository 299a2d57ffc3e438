"""The % operator on text."""
name, n, ratio = "Ann", 42, 2 / 3
answer("Hello, %s" % name, "%s has %d" % (name, n), "%d%%" % 50, "%.2f" % ratio, "%5d|%-5d|%05d" % (n, n, n), "%+d" % n)
answer("%10s|%-10s|%.2s" % (name, name, name), "%r and %s" % (name, [1, "x"]), "%x %X %o" % (255, 255, 8), "%e" % 12345.678, "%g" % 0.0001)
answer("%(who)s is %(age)d" % {"who": name, "age": 30}, "%s" % (1,), "%s %s" % ((1, 2), None), "%%", "no field" % (), "%c" % "x", "%c" % 65)
answer("%d" % 3.99, "%s" % True, "%d" % True, "%s" % {"k": 1}, "%.3f|%8.3f|%-8.1f|" % (ratio, ratio, ratio), "% d" % 5, "%i" % 7, "%a" % "é")
row = "%-8s%6.2f"
for item, price in [("tea", 2.5), ("coffee", 12)]:
    answer(row % (item, price))
try:
    "%d" % "x"
except TypeError:
    answer("no number")
try:
    "%s %s" % ("one",)
except TypeError:
    answer("too few")
