"""Further methods of text that models use."""
answer("tab\tstop".expandtabs(4), "a\tb\n\tc".expandtabs())
answer("ok".isascii(), "é".isascii(), "a b".istitle(), "print".isprintable(), "a\n".isprintable(), "k=v;x=y".split(";")[0].partition("="))
answer("{k}".format_map({"k": 1}), "hello world".title(), "x".join("abc"), "a,b".split(",", 1), str("abc").index("c"), str.upper("abc"), str.join("-", ["a", "b"]))
answer(ord("a"), chr(98), ord("é"), chr(0x20AC), hex(255), bin(5), oct(8), divmod(17, 5), divmod(-7, 2), pow(2, 10), pow(3, 4, 5), repr("q"), ascii("é"))
answer(int("ff", 16), int("0b11", 2), int("-077", 8), int("z", 36), str(1.0), callable(len), callable("x"), sum([0.1] * 3) > 0.3, round(2.675, 2), round(-1.5))
