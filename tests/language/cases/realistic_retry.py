"""Trying again, and going on without what failed."""
class_of = {"1": "fine", "2": "fails once", "3": "fails"}
tries = {}


def fetch(mail):
    tries[mail.id] = tries.get(mail.id, 0) + 1
    if class_of[mail.id] == "fails" or (class_of[mail.id] == "fails once" and tries[mail.id] < 2):
        raise RuntimeError(f"could not read {mail.id}")
    return mail.subject.upper()


def with_retry(action, *args, times=3):
    problem = None
    for attempt in range(1, times + 1):
        try:
            return action(*args), attempt
        except RuntimeError as e:
            problem = e
    raise ValueError(f"gave up after {times}: {problem}")


done, failed = {}, []
for mail in search("x"):
    try:
        text, attempts = with_retry(fetch, mail)
    except ValueError as e:
        failed.append(str(e))
        continue
    else:
        done[mail.id] = (text, attempts)
    finally:
        tries.setdefault("total", 0)
        tries["total"] += 1
answer(done, failed, tries)
answer(f"{len(done)} of {tries['total']} done" + (f", failed: {'; '.join(failed)}" if failed else ""))
