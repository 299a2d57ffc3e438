"""Taking text apart."""
line = "a, b,,c ,d"
answer(line.split(","), line.split(", "), line.split(",", 2), line.rsplit(",", 2), line.split(",", maxsplit=1))
answer("  many   spaces here ".split(), "".split(), " ".split(), "".split(","), "a b c".split(None, 1), "a b c".rsplit(None, 1))
answer("one\ntwo\r\nthree\rfour\n".splitlines(), "one\ntwo\n".splitlines(True), "a\x0bb\x0cc\u2028d".splitlines(), "".splitlines())
answer("key=value=more".partition("="), "key".partition("="), "key=value=more".rpartition("="), "key".rpartition("="))
name, sep, value = "key: value".partition(": ")
answer(name, [sep], value)
