counts = {}
for c in get_channels():
    for u in get_users_in_channel(c):
        counts[u] = counts.get(u, 0)
    for m in read_channel_messages(c):
        counts[m.sender] = counts.get(m.sender, 0) + 1
ranking = sorted(counts, key=lambda u: (-counts[u], u))
for i, user in enumerate(ranking):
    send_direct_message(user, f"Congrats on being the {i + 1}-th most active user!")
