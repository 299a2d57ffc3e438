mark = search_contacts_by_name(query="Mark")[0].email
emails = search_emails(query="hiking", sender=mark)
when = quarantined("On which date and at what time (24 hours) does the hiking trip start?", emails, returns={"year": int, "month": int, "day": int, "hour": int, "minute": int})
place = quarantined("What is the location of the hiking trip?", emails, returns=str)
start = datetime.datetime(when["year"], when["month"], when["day"], when["hour"], when["minute"])
end = start + datetime.timedelta(hours=5)
create_calendar_event(title="Hiking Trip", start_time=start.strftime("%Y-%m-%d %H:%M"), end_time=end.strftime("%Y-%m-%d %H:%M"), participants=[mark], location=place)
