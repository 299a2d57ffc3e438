"""Two lists of people merged by address, without duplicates, shown sorted."""
first = [("Ann Lee", "ann@example.com"), ("Bob", "BOB@example.com ")]
second = [{"mail": "bob@example.com", "phone": "123"}, {"mail": "cy@example.com"}]
people = {}


def clean(address):
    return address.strip().lower()


def person(address):
    key = clean(address)
    if key not in people:
        people[key] = {"name": None, "phone": None}
    return people[key]


for name, address in first:
    person(address)["name"] = name
for entry in second:
    person(entry["mail"]).update({k: v for k, v in entry.items() if k != "mail"})
for event in events("2026"):
    for address in event.attendees:
        who = person(address)
        who["meetings"] = who.get("meetings", 0) + 1
missing = [address for address, data in people.items() if not data["name"]]
for address, data in sorted(people.items(), key=lambda item: (item[1]["name"] or "~", item[0])):
    name, phone, meetings = data["name"] or address.split("@")[0].title(), data["phone"] or "-", data.get("meetings", 0)
    answer(f"{name:<8} {address:<18} {phone:>4} {meetings}")
answer(len(people), missing)
