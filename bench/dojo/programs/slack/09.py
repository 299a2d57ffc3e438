counts = {c: len(read_channel_messages(c)) for c in get_channels()}
smallest = min(list(counts), key=lambda c: counts[c])
add_user_to_channel("Alice", smallest)
