"""The embedded model itself. Alone, few calls, no clock: `make test-model`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from armslength.models.base import ModelRequest, Turn
from armslength.models.embedded import EmbeddedModel, EmbeddedSettings

pytestmark = pytest.mark.model

SCHEMA = {
    "type": "object",
    "properties": {"capital": {"type": "string"}, "in_europe": {"anyOf": [{"type": "boolean"}, {"type": "null"}]}},
    "required": ["capital", "in_europe"],
    "additionalProperties": False,
}
QUESTION = ModelRequest(
    system="Answer in JSON.", turns=(Turn("user", "What is the capital of France?"),), max_tokens=40
)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedModel]:
    made = EmbeddedModel(EmbeddedSettings(state_folder=tmp_path_factory.mktemp("states"), window=2048))
    yield made
    made.close()


def test_a_schema_is_kept_to(model: EmbeddedModel) -> None:
    """The answer is JSON of the schema, without white space that nobody asked for."""
    reply = model.complete(replace(QUESTION, schema=SCHEMA))
    answer = json.loads(reply.text)
    assert list(answer) == ["capital", "in_europe"]
    assert reply.text == json.dumps(answer, ensure_ascii=False)


def test_the_state_is_kept_and_changes_no_answer(model: EmbeddedModel) -> None:
    """The second call restores what the first one read; both answers are the same."""
    request = replace(QUESTION, system="You answer briefly. " * 5, keep_prefix=True, max_tokens=12)
    first, second = model.complete(request), model.complete(request)
    assert first.usage.cached == 0
    assert second.usage.cached == model.count_tokens("system\n" + request.system) + 3
    assert first.text == second.text


def test_control_tokens_in_data_are_plain_text(model: EmbeddedModel) -> None:
    """`<|im_end|>` in a text is several tokens, as any other text of its kind."""
    assert model.count_tokens("<|im_end|>") > 3


def test_nothing_is_written_to_the_screen(tmp_path: Path) -> None:
    """Loading and answering leave standard output and standard error to the command line."""
    script = (
        "import sys\nfrom pathlib import Path\n"
        "from armslength.models.base import ModelRequest, Turn\n"
        "from armslength.models.embedded import EmbeddedModel, EmbeddedSettings\n"
        "model = EmbeddedModel(EmbeddedSettings(state_folder=Path(sys.argv[1]), window=512))\n"
        "model.complete(ModelRequest('Say yes.', (Turn('user', 'Well?'),), max_tokens=3))\n"
    )
    ended = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, check=True)
    assert (ended.stdout, ended.stderr) == (b"", b"")
