"""Skips: failures in CI, a loud list on a person's machine. Each case is a small test run of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CONFTEST = Path(__file__).parents[1] / "conftest.py"

CASES = {
    "marked": "import pytest\n\n@pytest.mark.skip(reason='no server')\ndef test_it():\n    pass\n",
    "called": "import pytest\n\ndef test_it():\n    pytest.skip('no server')\n",
    "whole_file": "import pytest\n\npytest.skip('no server', allow_module_level=True)\n",
    "missing_library": "import pytest\n\npytest.importorskip('no_such_library_here')\n",
    "expected_failure": "import pytest\n\n@pytest.mark.xfail(strict=True)\ndef test_it():\n    raise OSError\n",
    "passing": "def test_it():\n    pass\n",
}


def run_pytest(folder: Path, cases: list[str], ci: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Runs these cases, a file each, under this project's conftest in a folder of its own."""
    (folder / "conftest.py").write_text(CONFTEST.read_text(encoding="utf-8"), encoding="utf-8")
    for case in cases:
        (folder / f"test_{case}.py").write_text(CASES[case], encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "--color=no", "-p", "no:cacheprovider", *options, str(folder)]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    found = os.pathsep.join(filter(None, [str(CONFTEST.parents[1]), kept.get("PYTHONPATH")]))  # it imports from bench
    return subprocess.run(
        command, env=kept | {"CI": ci, "PYTHONPATH": found}, cwd=folder, capture_output=True, text=True, check=False
    )


def test_each_way_to_skip_fails_in_ci(tmp_path: Path) -> None:
    """Under CI=true skips of a test or of a file are failures that say what to do; an expected failure is no skip."""
    done = run_pytest(tmp_path, list(CASES), "true", "--continue-on-collection-errors")
    assert done.returncode == 1
    assert "1 failed, 1 passed, 1 xfailed, 3 errors" in done.stdout.splitlines()[-1]
    assert done.stdout.count(": skipped, and CI skips nothing: install what is missing in .ci/run. ") >= 4


def test_a_skip_fails_in_ci_in_a_worker_too(tmp_path: Path) -> None:
    """With parallel workers the report crosses a process and is still a failure."""
    done = run_pytest(tmp_path, ["called", "passing"], "true", "-n", "1")
    assert done.returncode == 1
    assert "1 failed, 1 passed" in done.stdout.splitlines()[-1]


def test_a_skip_is_listed_on_a_persons_machine(tmp_path: Path) -> None:
    """Elsewhere the run passes and names the test and the reason before the last line."""
    done = run_pytest(tmp_path, ["called", "passing"], "")
    assert done.returncode == 0
    assert "1 NOT RUN ON THIS MACHINE; in CI they would fail" in done.stdout
    assert "test_called.py::test_it: Skipped: no server" in done.stdout
    assert "1 passed, 1 skipped" in done.stdout.splitlines()[-1]
