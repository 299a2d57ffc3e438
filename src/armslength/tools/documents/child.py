"""The program that reads one document or page: it takes it from standard input, locks itself, and only then looks at it.

Started by `process` and `forking` alone. What reads each kind is imported before; afterwards nothing can be opened.
"""

from __future__ import annotations

import codecs
import json
import os
from contextlib import suppress
from importlib import import_module
from typing import NoReturn

from armslength.tools.documents.locked import lock
from armslength.tools.documents.wire import Failed, Full, Output, Reader, packed

_READERS = {"pdf": "pdf", "docx": "docx", "html": "markup", "page": "markup", "csv": "plain", "text": "plain"}
_INPUT, _OUTPUT = 0, 1


def main() -> NoReturn:
    """Read one document and end."""
    job = json.loads(_taken(int.from_bytes(_taken(4), "big")))
    if job["kind"] == "page":
        with suppress(ImportError):  # only what reads links of the web needs it
            import_module("ada_url")
    run(job, import_module(f"armslength.tools.documents.{_READERS[job['kind']]}").READERS[job["kind"]])


def run(job: dict[str, object], read: Reader) -> NoReturn:
    """Lock, then let `read` read what follows on standard input."""
    program, content = _taken(int(str(job["program"]))), _taken(int(str(job["length"])))
    os.close(_INPUT)
    charset = str(job["charset"])
    for name in (charset or "cp1252", "utf-16-le", "utf-16-be"):
        codecs.lookup(name)  # it is found in a file, and no file can be opened later
    lock(int(str(job["memory"])), int(str(job["seconds"])), program)
    _write(packed({"locked": True}))
    output = Output(_write)
    try:
        read(content, charset, output)
    except Full:
        output.end()
    except Failed as failed:
        output.end(failed.why)
    except MemoryError:
        output.end("memory")
    except RecursionError:
        output.end("too deep")
    except Exception:  # noqa: BLE001  # whatever a library raises on a broken file
        output.end("damaged")
    else:
        output.end()
    os._exit(0)


def _taken(length: int) -> bytes:
    """So many bytes of standard input."""
    parts = bytearray()
    while len(parts) < length:
        part = os.read(_INPUT, min(length - len(parts), 1 << 20))
        if not part:
            os._exit(1)
        parts += part
    return bytes(parts)


def _write(content: bytes) -> None:
    while content:
        content = content[os.write(_OUTPUT, content) :]
