"""Regular expressions: search, match, fullmatch, findall, finditer, sub, split, escape, flags."""
import re

text = "Invoice 2026-0042 from Ann <ann@example.com>: total EUR 1,234.50, due 2026-12-24."
m = re.search(r"(\d{4})-(\d{4})", text)
answer(m.group(), m.group(0), m.group(1), m.group(2), m.groups(), m.start(), m.end(), m.span(), m[1], bool(m))
answer(re.search("nothing", text), re.match("Invoice", text).group(), re.match("from", text), re.fullmatch(r"\w+", "word") is not None, re.fullmatch(r"\w+", "two words"))
answer(re.findall(r"[\w.]+@[\w.]+\w", text), re.findall(r"(\d{4})-(\d\d)-(\d\d)", text), re.findall("zz", text), re.findall(r"\b\w", "a bc d"))
named = re.search(r"total (?P<currency>[A-Z]{3}) (?P<amount>[\d,]+\.\d\d)", text)
answer(named.group("currency"), named["amount"], named.groupdict(), float(named.group("amount").replace(",", "")))
answer(re.sub(r"\d", "#", "a1b22"), re.sub(r"\s+", " ", "a \n  b"), re.sub(r"(\w+) (\w+)", r"\2 \1", "hello world"), re.sub("a", "x", "banana", count=2), re.sub("(?P<x>n)", r"<\g<x>>", "ana"))
answer(re.split(r"[,;]\s*", "a, b;c"), re.split(r"(-)", "a-b"), re.split(r"\s+", " x y "), re.split(",", "a,b,c", maxsplit=1))
for found in re.finditer(r"(\w)(\d)", "a1 b2"):
    answer(found.group(1), found.group(2), found.start())
pattern = re.compile(r"^re:\s*(.*)$", re.IGNORECASE)
answer(pattern.match("RE: Lunch").group(1), pattern.sub(r"\1", "Re: x"), [pattern.match(s) is not None for s in ["Re: a", "Fwd: b"]])
answer(re.findall("^a", "a\na", re.MULTILINE), re.findall("a.b", "a\nb", flags=re.DOTALL), re.search("HELLO", "say hello", re.I).group(), re.findall(r"x", "X", re.I | re.M))
answer(re.escape("a.b*"), [t for t in ["a1", "b"] if re.search(r"\d", t)])
if (hit := re.search(r"due (\S+)\.", text)):
    answer("due", hit.group(1))
optional = re.match(r"(a)?(b)?", "b")
answer(optional.groups(), optional.group(1) is None, optional.groups("-"), optional.group(1, 2))
greedy = [re.findall(p, "<a><b>") for p in ["<.*>", "<.*?>", "<[^>]+>"]]
answer(greedy, re.findall(r"\$(\d+(?:\.\d\d)?)", "$5 and $7.25"), re.findall(r"(?i)ab|cd", "AB cd"), re.findall(r"a{2,3}", "aaaaa"), re.findall(r"\d(?=x)", "1x2y"))
