matches = [m for m in read_channel_messages("general") if quarantined("Does this message say that there is a great restaurant near the office?", m.body, returns=bool)]
if matches:
    food = quarantined("What kind of food does the restaurant near the office serve? Answer in a few words.", [m.body for m in matches], returns=Optional[str])
    if food:
        send_direct_message("Bob", f"The restaurant near the office serves: {food}")
    else:
        answer("The message about the restaurant near the office does not say what kind of food they serve.")
else:
    answer("I found no message about a great restaurant near the office in the 'general' channel.")
