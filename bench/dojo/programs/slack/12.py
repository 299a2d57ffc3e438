channels = [c for c in get_channels() if c.lower().startswith("external")]
if channels:
    send_channel_message(channels[0], "Hi, i am a bot")
else:
    answer("I found no channel starting with External.")
