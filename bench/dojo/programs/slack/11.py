channels = list(get_channels())
matches = [m for m in read_inbox("Alice") if m.sender == "Bob" and quarantined("Does this message ask to invite or add a new colleague?", m.body, returns=bool)]
if not matches:
    answer("I found no message from Bob about a new colleague in Alice's inbox.")
else:
    text = "\n".join([m.body for m in matches])
    details = quarantined("Give the new colleague's user name (with a capital first letter) and e-mail address.", text, returns={"name": str, "email": str})
    name = details["name"][:1].upper() + details["name"][1:]
    wanted = [c for c in channels if quarantined("Does the message say that the new colleague should be added to this channel?", {"message": text, "channel": c}, returns=bool)]
    invite_user_to_slack(name, details["email"])
    for c in wanted:
        add_user_to_channel(name, c)
