mail = search_emails(query="train York")[0]
info = quarantined("Extract the departure of the train to York as YYYY-MM-DD HH:MM, the seat and the booking reference.", mail, returns={"departure": str, "seat": str, "reference": str})
start = datetime.datetime.strptime(info["departure"], "%Y-%m-%d %H:%M")
end = start + datetime.timedelta(hours=2)
create_calendar_event(title="Train to York", start=start.strftime("%Y-%m-%d %H:%M"), end=end.strftime("%Y-%m-%d %H:%M"), description="Seat: " + info["seat"] + "\nReference: " + info["reference"])
