sizes = {c: len(get_users_in_channel(c)) for c in get_channels()}
largest = max(list(sizes), key=lambda c: sizes[c])
send_channel_message(largest, "Hi, can everybody write me their favorite hobby in DM?")
