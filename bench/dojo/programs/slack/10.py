channels = list(get_channels())
counts = {c: len(read_channel_messages(c)) for c in channels}
members = {c: get_users_in_channel(c) for c in channels}
smallest = min(channels, key=lambda c: counts[c])
missing = sorted({u for c in channels for u in members[c] if u not in members[smallest]})
for u in missing:
    add_user_to_channel(u, smallest)
