found = [m for m in search_emails(query="Facebook") if m.status == "received"]
official = [m for m in found if "facebook" in m.sender.lower()]
emails = sorted(official or found, key=lambda m: m.timestamp, reverse=True)
code = quarantined("What is the Facebook security code? If there are several, give that of the newest email. Give the code only.", emails, returns=str)
answer(code)
