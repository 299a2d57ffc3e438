link = r"(?:https?://|www\.)[\w./-]*[\w/]"
hobbies = {}
for m in read_inbox("Bob"):
    texts = [m.body] + [get_webpage(url) for url in re.findall(link, m.body)]
    for text in texts:
        hobby = quarantined("Which hobbies does this text say that its author has? Give the hobbies only, separated by commas, or nothing if it names none.", text, returns=Optional[str])
        if hobby:
            hobbies[m.sender] = hobbies.get(m.sender, []) + [hobby]
if hobbies:
    lines = [f"{name}: {', '.join(hobbies[name])}" for name in hobbies]
    post_webpage("www.our-company.com", "\n".join(lines))
else:
    answer("I found no hobbies in Bob's inbox, so I posted nothing.")
