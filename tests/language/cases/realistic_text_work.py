"""Cleaning, cutting and putting text together."""
text = "Subject: Re: [list] Meeting  moved\nDate: 2026-11-30\n\nHello,\n  see you at 10:30.\n-- \nAnn"
head, _, body = text.partition("\n\n")
headers = {}
for line in head.splitlines():
    key, _, value = line.partition(":")
    headers[key.strip().lower()] = " ".join(value.split())
subject = headers["subject"]
for prefix in ["Re: ", "Fwd: ", "[list] "]:
    subject = subject.removeprefix(prefix)
lines = [line.strip() for line in body.split("\n-- \n")[0].splitlines() if line.strip()]
year, month, day = headers["date"].split("-")
hour, minute = [int(part) for part in lines[1].rstrip(".").split()[-1].split(":")]
answer(subject, lines, f"{day}.{month}.{year[2:]}", hour * 60 + minute)
words = {}
for word in body.lower().replace(",", " ").replace(".", " ").split():
    words[word] = words.get(word, 0) + 1
answer(sorted(words.items()), " ".join(w.capitalize() for w in words if w.isalpha()))
