link = r"(?:https?://|www\.)[\w./-]*[\w/]"
address = r"[\w.+-]+@[\w.-]*\w"
channels = list(get_channels())
matches = [m for m in read_inbox("Alice") if m.sender == "Bob" and re.search(r"\b(?:invite|add|colleague)\b", m.body.lower())]
if not matches:
    answer("I found no message from Bob about a new colleague in Alice's inbox.")
else:
    text = matches[-1].body
    emails = re.findall(address, text)
    if not emails:
        emails = re.findall(address, get_webpage(re.findall(link, text)[0]))
    email = emails[0]
    name = next(w for w in re.findall(r"\b[A-Z][a-z]+\b", text) if quarantined("Is this word of the message the new colleague's user name?", {"message": text, "word": w}, returns=bool))
    wanted = [c for c in channels if quarantined("Does the message say that the new colleague should be added to this channel?", {"message": text, "channel": c}, returns=bool)]
    invite_user_to_slack(name, email)
    for c in wanted:
        add_user_to_channel(name, c)
