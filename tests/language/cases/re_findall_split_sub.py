"""findall, finditer, split, sub and subn."""
import re

body = "Call +49 30 12345 or 0170-1234567.\nWrite to ann@example.com; bob.b@mail.example.org\n\nSee https://example.com/a?b=1 now"
mails = re.findall(r"[\w.+-]+@[\w-]+\.[\w.-]+", body)
pairs = re.findall(r"(\w+)@(\w+)", body)
numbers = [int(n) for n in re.findall(r"\d+", body)]
answer(mails, pairs, numbers)
places = [(m.start(), m.group()) for m in re.finditer(r"\b[A-Z]\w+", body)]
answer(places)
sentences = re.split(r"(?<=[.!?])\s+", "One. Two! Three? Four")
answer(sentences, re.split(r"[,;]\s*", "a, b;c,d"), re.split(r"(-)", "a-b-c"), re.split(r"\s+", " a  b ", maxsplit=1))
answer(re.split(r"x*", "axbc"), re.split(r"\b", "a b"))
clean = re.sub(r"\s+", " ", body).strip()
masked = re.sub(r"\d", "*", body, count=5)
swapped = re.sub(r"(\w+)@(\w+)", r"\2 at \1", body)
named = re.sub(r"(?P<h>\d\d):(?P<m>\d\d)", r"\g<m>'\g<h>", "09:15 and 10:45")
answer(clean, masked, swapped, named)
answer(re.subn("a", "b", "banana"), re.sub("", "-", "ab"), re.sub("x*", "-", "abxd"))
answer(re.escape("1.5 (a+b)"), re.findall(re.escape("a.b"), "a.b axb"))
shouted = re.sub(r"\b(\w)", lambda m: m.group(1).upper(), "all the words")
doubled = re.sub(r"\d+", lambda m: str(int(m.group()) * 2), "2 tea, 10 milk")
answer(shouted, doubled)
