"""Whether what a container holds can change: known of each container in `values.holding`."""

from armslength.values import PLAIN, holds_nothing_changing, is_inert

__all__ = ["PLAIN", "holds_nothing_changing", "is_inert"]
