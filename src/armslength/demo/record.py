"""Record the demo anew: `python -m armslength.demo.record`. Runs it with the embedded model and keeps what the models said."""

from __future__ import annotations

import sys
import tempfile
from datetime import datetime
from pathlib import Path

from rich.console import Console

from armslength.agent.approving.approval import NobodyThere
from armslength.app import model_of
from armslength.app.model_choice import ModelChoice
from armslength.demo.recording import Recorder, Reply, save_recordings, shipped_file
from armslength.demo.run import Models, play
from armslength.demo.showing import Page
from armslength.surfaces.exits import Exit
from armslength.surfaces.progress import Progress


def main() -> int:
    """Run the demo with the embedded model, answer no to every screen, write the recordings into the source tree."""
    model = model_of(ModelChoice(), Progress().say_once)
    kept: list[Reply] = []
    models = Models(Recorder(model, "planner", kept), Recorder(model, "quarantined", kept))
    now = datetime.now().astimezone()
    page = Page(Console(markup=False, emoji=False, highlight=False))
    code = play(models, Path(tempfile.mkdtemp(prefix="armslength-demo-")), page, NobodyThere(), now)
    if code is Exit.DONE:
        save_recordings(shipped_file(), model.processor.model, now.date(), kept)
        page.say(f"{len(kept)} replies were recorded")
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
