"""No model: for what is done without one, such as taking back what a run did."""

from __future__ import annotations

from armslength.errors import ModelMissing
from armslength.models.base import ModelReply, ModelRequest, Processor


class AbsentModel:
    """Nothing is loaded, contacted or sent: each call is refused, so that what it is cleared for does not matter."""

    @property
    def processor(self) -> Processor:
        """Nobody, in this process."""
        return Processor("none", "", is_local=True, is_small=True, window=0, at_once=1)

    def complete(self, _request: ModelRequest) -> ModelReply:
        """Refuse.

        Raises:
            ModelMissing: always.
        """
        raise ModelMissing("this is done without a model, so none can be asked")

    def count_tokens(self, text: str) -> int:
        """An upper bound: its bytes."""
        return len(text.encode("utf-8", "replace"))
