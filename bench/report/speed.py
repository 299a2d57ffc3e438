"""What results of speed say, a section each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bench.newest import Result
from bench.report.blocks import Bars, Block, Section, Table, held
from bench.speed.journal import MOST_INSERTS, MOST_QUERIES
from bench.speed.language import GROWTH, LARGEST, MEDIAN
from bench.speed.mail_search import BOUND as MOST_MILLISECONDS
from bench.speed.memory import RETAINED
from bench.speed.overlap import MOST_MEGABYTES, MOST_RATIO

Found = Mapping[str, Any]


def language(title: str, results: Sequence[Result]) -> Section:
    """Ratios, growth, what is retained, preparing."""
    found = results[0].found
    rows = found["ratios"]
    has_growth = any(row["growth"] is not None for row in rows)
    table = Table(
        ("program", "operands", "ms", "CPython ms", "ratio", *(("growth",) if has_growth else ())),
        tuple(
            (
                row["program"],
                row["trust"],
                row["ours"],
                row["cpython"],
                row["ratio"],
                *((row["growth"],) if has_growth else ()),
            )
            for row in rows
        ),
    )
    bars = Bars(
        "Times CPython; the line is the bound for each",
        tuple((f"{row['program']}, {row['trust']}", row["ratio"]) for row in rows),
        LARGEST,
    )
    prepared = Table(
        ("program", "prepare ms", "compile ms", "ratio"),
        tuple((row["program"], row["ours"], row["compile"], row["ours"] / row["compile"]) for row in found["prepare"]),
    )
    bounds = f"median at most {MEDIAN} times CPython, none above {LARGEST}, growth at most {GROWTH}, below {RETAINED} bytes a step retained"
    broken = [each for each in found["broken"] if "look-ups" not in each]
    blocks: list[Block] = [
        held(broken, bounds),
        bars,
        table,
        "Reading and checking the text, beside `compile` of it:",
        prepared,
    ]
    if found["retained"]:
        blocks += ["What a loop retains that keeps nothing:", _retained(found)]
    unmeasured = [
        *(["growth with size"] if not has_growth else []),
        *(["what loops retain"] if not found["retained"] else []),
    ]
    gist = f"median {found['median']:.1f}, largest {found['largest']:.1f} times CPython"
    return Section(title, tuple(blocks), gist, tuple(unmeasured), not broken)


def memory(title: str, results: Sequence[Result]) -> Section:
    """What loops retain that keep nothing."""
    found = results[0].found
    most = max(row["bytes_a_step"] for row in found["retained"])
    bounds = f"below {found['bound']} bytes a step"
    blocks = (held(found["broken"], bounds), _retained(found))
    return Section(title, blocks, f"at most {most:.0f} bytes a step", is_met=not found["broken"])


def _retained(found: Found) -> Table:
    rows = tuple((row["loop"], row["trust"], row["bytes_a_step"]) for row in found["retained"])
    return Table(("loop", "operands", "bytes a step"), rows)


def labels(title: str, results: Sequence[Result]) -> Section:
    """In attribute look-ups."""
    found = results[0].found
    rows = found["rows"]
    again = [row["look_ups"] for row in rows if "met before" in row["name"]]
    return Section(
        title,
        (
            held(found["broken"], f"a join of labels that met before at most {found['bound']:g} attribute look-ups"),
            Table(("what is done", "ns", "in look-ups"), tuple((row["name"], row["nanoseconds"], row["look_ups"]) for row in rows)),
        ),
        f"{min(again):.1f} to {max(again):.1f} attribute look-ups where they met before",
        is_met=not found["broken"],
    )  # fmt: skip


def policy(title: str, results: Sequence[Result]) -> Section:
    """Decisions beside a bare answer."""
    found = results[0].found
    from bench.speed.policy import BOUND
    from bench.speed.policy import MOST_RATIO as MOST

    rows = found["rows"]
    broken = [
        f"{row['name']}: {row['ratio']:.1f} bare answers"
        for row in rows
        if row["name"] in BOUND and row["ratio"] > MOST
    ]
    head = ("call", "decided", "µs", "in bare answers", "first, ms", "with 100 rules more, µs")
    table = Table(
        head,
        tuple(
            (row["name"], row["verdict"], row["microseconds"], row["ratio"], row["first"] / 1000, row["with_a_hundred"])
            for row in rows
        ),
    )
    small = [row["ratio"] for row in rows if row["name"] in BOUND]
    gist = f"{min(small):.1f} to {max(small):.1f} bare answers of Cedar for a call of up to four arguments"
    return Section(
        title,
        (held(broken, f"a call of up to four arguments at most {MOST:g} bare answers"), table),
        gist,
        is_met=not broken,
    )


def journal(title: str, results: Sequence[Result]) -> Section:
    """Entries beside inserts, lists beside queries, on each file system."""
    names = {
        "entry_by_insert": ("entry", MOST_INSERTS),
        "encrypted_entry_by_insert": ("entry, encrypted", MOST_INSERTS),
        "listed_by_query": ("list of a thousand runs", MOST_QUERIES),
        "encrypted_listed_by_query": ("list of a thousand runs, encrypted", MOST_QUERIES),
        "listed_by_query_on_open_connection": ("list, by a query on an open connection", None),
    }
    rows, broken = [], []
    for result in results:
        both = {**result.found["entry"], **result.found["list"]}
        for name, (text, bound) in names.items():
            if name in both:
                rows.append((text, result.found["file_system"], both[name], bound))
                if bound is not None and both[name] > bound:
                    broken.append(f"{text} on {result.found['file_system']}: {both[name]:g}")
    bounds = f"an entry at most {MOST_INSERTS:g} bare inserts, the list below {MOST_QUERIES:g} indexed queries"
    table = Table(("what", "file system", "ratio", "bound"), tuple(rows))
    entries = [result.found["entry"]["entry_by_insert"] for result in results]
    gist = f"an entry is {_range(entries)} bare inserts"
    return Section(title, (held(broken, bounds), table), gist, is_met=not broken)


def waiting(title: str, results: Sequence[Result]) -> Section:
    """What runs hold that wait."""
    found = results[0].found
    databases = [name for name in ("sqlite", "postgresql") if name in found]
    said = {
        "waiting": "runs that wait",
        "done_by_one_worker": "done by one worker",
        "effects": "effects, each once",
        "kilobytes_of_memory_a_run": "kilobytes of memory a run",
        "more_threads": "more threads",
        "more_files_and_connections": "more files and connections",
        "ask_until_it_waits_ms": "a request until it waits, ms",
        "list_of_all_ms": "list of all, ms",
        "answer_ms": "an answer, ms",
        "worker_ms_a_run": "the worker, ms a run",
    }
    rows = tuple((text, *(found[each][name] for each in databases)) for name, text in said.items())
    kilobytes = [found[each]["kilobytes_of_memory_a_run"] for each in databases]
    runs = found[databases[0]]["waiting"]
    text = f"{runs} runs wait for a person, are answered, and one worker goes on with all of them. A run that waits holds nothing in the process."
    told = [found[each] for each in databases]
    is_met = all(each["waiting"] == each["done_by_one_worker"] == each["effects"] for each in told)
    gist = f"{_range(kilobytes)} kilobytes a run, no thread, no file"
    return Section(title, (text, Table(("", *databases), rows)), gist, is_met=is_met)


def overlap(title: str, results: Sequence[Result]) -> Section:
    """Calls that overlap, and conversations that wait."""
    found = results[0].found
    calls, kept = found["overlap"], found["waiting"]
    rows: tuple[tuple[str, float, float | None], ...] = (
        (f"{calls['calls']} questions of {calls['latency']:g} s, by one", calls["ratio"], MOST_RATIO),
        (f"megabytes that {kept['conversations']} waiting conversations take", kept["grown"], MOST_MEGABYTES),
        ("conversations that ended", kept["ended"], kept["conversations"]),
        ("one more conversation, s alone", kept["alone"], None),
        ("one more conversation, s beside all that wait", kept["other"], None),
    )
    bounds = f"at most {MOST_RATIO:g} times one call, {MOST_MEGABYTES:g} megabytes"
    gist = f"{calls['calls']} calls take {calls['ratio']:.2f} times as long as one"
    return Section(
        title,
        (held(found["broken"], bounds), Table(("what", "measured", "bound"), rows)),
        gist,
        is_met=not found["broken"],
    )


def startup(title: str, results: Sequence[Result]) -> Section:
    """Commands beside an empty program."""
    rows = results[0].found["rows"]
    table = Table(
        ("process", "s", "by an empty program", "modules", "of them ours"),
        tuple((row["name"], row["seconds"], row["ratio"], row["modules"], row["ours"]) for row in rows),
    )
    first = rows[1]
    bars = Bars("Modules that are loaded", tuple((row["name"], row["modules"]) for row in rows))
    gist = f"{first['name']} is {first['ratio']:.0f} empty programs and loads {first['modules']} modules"
    return Section(title, ("Processor time of the whole process. No bound is set.", bars, table), gist)


def documents(title: str, results: Sequence[Result]) -> Section:
    """Documents in a process of their own beside the same readers in this one."""
    found = results[0].found
    rows = found["rows"]
    table = Table(
        ("what", "s", "by", "ratio"),
        tuple(
            (
                f"{row['name']}, on the wall" if row["is_wall"] else row["name"],
                row["seconds"],
                row["base"],
                row["ratio"],
            )
            for row in rows
        ),
    )
    by_name = {row["name"]: row for row in rows}
    start, whole = by_name["a PDF of one line"], by_name[f"a PDF of {found['pages']} pages"]
    gist = f"a start costs {start['ratio']:.1f} empty programs; {found['pages'] / whole['seconds']:.0f} pages of a PDF a second, at {whole['ratio']:.2f} of what they cost in this process"
    text = "Processor time within limits and seccomp, and what bubblewrap adds on the wall ([documents](documents.md#the-process)). No bound is set."
    return Section(title, (text, table), gist)


def mail_search(title: str, results: Sequence[Result]) -> Section:
    """Searches beside a look through all texts."""
    found = results[0].found
    rows = found["rows"]
    table = Table(
        ("what is looked for", "found", "ms", "by a look through all texts"),
        tuple((row["name"], row["found"], row["milliseconds"], row["ratio"]) for row in rows),
    )
    most = max(row["milliseconds"] for row in rows)
    text = f"Over an index of {found['mails']:,} mails, {found['megabytes']:.0f} megabytes; at most {MOST_MILLISECONDS:g} ms of processor time."
    gist = f"at most {most:.0f} ms of processor time among {found['mails']:,} mails"
    blocks = (held(found["broken"], f"at most {MOST_MILLISECONDS:g} ms"), text, table)
    return Section(title, blocks, gist, is_met=not found["broken"])


def _range(figures: Sequence[float]) -> str:
    low, high = min(figures), max(figures)
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"
