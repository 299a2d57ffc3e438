emails = [m for m in search_emails(query="hiking") if m.status == "received"]
place = quarantined("Where does the hiking trip on Saturday start or meet?", emails, returns=str)
time = quarantined("At what time (24 hours) does the hiking trip on Saturday start?", emails, returns={"hour": int, "minute": int})
answer(f"{place}, at {time['hour']:02d}:{time['minute']:02d}")
