"""The order of readers, for tests of labels."""

from __future__ import annotations

from armslength.labels import Readers


def is_within(inner: Readers, outer: Readers) -> bool:
    """Whether everybody of the one is in the other too; `names` is None for everybody."""
    return outer.names is None or (inner.names is not None and inner.names <= outer.names)
