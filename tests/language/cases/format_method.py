"""The format method of text: places, names, indexes, fields, specs."""
name, n, ratio = "Ann", 42, 2 / 3
answer("Hello, {}".format(name), "{} {} {}".format(1, "b", None), "{1} {0} {1}".format("a", "b"), "{{}} {}".format("x"), "".format(), "{}".format([1, "x"]))
answer("{who} is {age}".format(who=name, age=30), "{0} {k}".format("p", k="q"), "{:>5}|{:<5}|{:^5}|".format("a", "b", "c"), "{:05d} {:+d}".format(n, n))
answer("{:.2f} {:8.3f} {:.1%}".format(ratio, ratio, ratio), "{:,} {:_}".format(1234567, 1234567), "{:x} {:#b} {:o}".format(255, 5, 8), "{:e}".format(1234.5))
answer("{0[0]} {0[1]}".format(["x", "y"]), "{d[key]}".format(d={"key": "value"}), "{!r} {!s}".format("q", "q"), "{:*^9}".format("mid"), "{:{}}|".format("w", 4))
mail = search("x")[0]
answer("{0.sender}: {0.subject}".format(mail), "{m.tags[0]}".format(m=mail), "{m.score:>4}".format(m=mail))
template = "{name:<6}{total:>8.2f}"
for item, total in [("tea", 10), ("milk", 2.5)]:
    answer(template.format(name=item, total=total))
answer("{} and {}".format(*["a", "b"]), " | ".join("{}={}".format(k, v) for k, v in {"x": 1}.items()))
try:
    "{} {}".format(1)
except IndexError:
    answer("too few")
try:
    "{k}".format(a=1)
except KeyError:
    answer("no such name")
