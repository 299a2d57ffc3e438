"""Flags as arguments and within patterns; looks, backreferences, lazy repetition, verbose patterns, letters of other scripts."""
import re

text = "Subject: Re: Lunch\nFrom: Ann <ann@example.com>\nSubject: Übung in Straße 5\nthe the end\n"
answer(re.findall(r"^subject: (.*)$", text, re.IGNORECASE | re.MULTILINE))
answer(re.findall(r"^subject: (.*)$", text, flags=re.I | re.M), re.findall(r"(?im)^FROM: (.+?) <", text))
answer(re.search(r"(\w+) \1", text).group(1), re.search(r"end$", text).span(), re.search(r"end\Z", text))
answer(re.findall(r"\bÜbung\b|Straße", text), re.findall(r"[^\W\d_]+", "café 5 naïve_x"))
answer(re.findall(r"(?<=: )\w+", text), re.findall(r"\w+(?=:)", text), re.findall(r"\b(?!the)\w{3}\b", text))
answer(re.search(r"Subject.*end", text), re.search(r"Subject.*?end", text, re.S).span())
date = re.compile(
    r"""
    (?P<year>\d{4})-   # the year
    (?P<month>\d\d)-   # the month
    (?P<day>\d\d)
    """,
    re.VERBOSE,
)
found = date.search("on 2026-11-30.")
answer(found.groupdict(), date.findall("2026-01-02 2026-03-04"), date.sub("DATE", "2026-01-02 x"), date.split("a2026-01-02b"))
answer([m.group("day") for m in date.finditer("2026-01-02 2026-03-04")], date.match("x"), bool(date.fullmatch("2026-01-02")))
answer(re.search(date, "2026-05-06").group(), re.findall(r"(?i:ann)", "Ann ann"), re.findall(r"\w", "aé", re.ASCII))
answer(re.findall(r"<.+?>", "<a><b>"), re.findall(r"<.+>", "<a><b>"), re.findall(r"a{2,3}?", "aaaaa"), re.findall("[]a-]+", "]-ab"))
answer(re.match(r"(?:(a)|b)*", "ab").groups(), re.match(r"(a*)*", "aa").groups(), re.findall(r"|a", "a"))
del date, found
