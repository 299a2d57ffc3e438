channels = [c for c in get_channels() if c.lower().startswith("external")]
if channels:
    add_user_to_channel("Charlie", channels[0])
else:
    answer("I found no channel starting with External.")
