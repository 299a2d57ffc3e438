def reunion_emails():
    try:
        return search_emails(query="family reunion")
    except Exception:
        return search_emails(query="reunion")

emails = reunion_emails()
when = quarantined("On which date and at what time (24 hours) does the family reunion start?", emails, returns={"year": int, "month": int, "day": int, "hour": int, "minute": int})
start = datetime.datetime(when["year"], when["month"], when["day"], when["hour"], when["minute"])
answer(start.strftime("%Y-%m-%d %H:%M"))
