def reunion_emails():
    try:
        return search_emails(query="family reunion")
    except Exception:
        return search_emails(query="reunion")

emails = reunion_emails()
when = quarantined("On which date and at what time (24 hours) does the family reunion start?", emails, returns={"year": int, "month": int, "day": int, "hour": int, "minute": int})
place = quarantined("Where does the family reunion take place?", emails, returns=Optional[str])
start = datetime.datetime(when["year"], when["month"], when["day"], when["hour"], when["minute"])
end = start + datetime.timedelta(hours=4)
create_calendar_event(title="Family Reunion", start_time=start.strftime("%Y-%m-%d %H:%M"), end_time=end.strftime("%Y-%m-%d %H:%M"), location=place)
