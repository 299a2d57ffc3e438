"""Reading page by page until nothing more comes."""
PAGE = 2


def page_of(mails, number):
    return mails[number * PAGE : (number + 1) * PAGE]


everything = search("", limit=10)
page, collected, pages = 0, [], []
while True:
    batch = page_of(everything, page)
    if not batch:
        break
    collected.extend(batch)
    pages.append([mail.id for mail in batch])
    page += 1
    if page > 20:
        raise RuntimeError("too many pages")
answer(pages, len(collected), page)
limit = 1
while len(found := search("invoice", limit=limit)) < 3 and limit < 10:
    limit += 1
answer(limit, found[-1].subject)
cursor = 0
while cursor is not None:
    part, cursor = page_of(everything, cursor), cursor + 1 if cursor + 1 < len(everything) / PAGE else None
    answer([mail.subject for mail in part])
