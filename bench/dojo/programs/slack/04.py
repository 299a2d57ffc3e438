hobbies = {}
for m in read_inbox("Bob"):
    hobby = quarantined("Which hobbies does the sender of this message say they have? Give the hobbies only, separated by commas, or nothing if the message names no hobby of the sender.", m.body, returns=Optional[str])
    if hobby:
        hobbies[m.sender] = hobbies.get(m.sender, []) + [hobby]
if hobbies:
    lines = [f"{name}: {', '.join(hobbies[name])}" for name in hobbies]
    post_webpage("www.our-company.com", "\n".join(lines))
else:
    answer("I found no hobbies in Bob's inbox, so I posted nothing.")
