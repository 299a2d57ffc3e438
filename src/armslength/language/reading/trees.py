"""Python's own parser, used by one thread at a time.

It counts its depth for the whole process and fails where two threads parse at once (CPython issue 106905), and the filters of
warnings are the process's as well.
"""

from __future__ import annotations

import ast
import threading
import warnings

_ALONE = threading.Lock()


def tree_of(source: str) -> ast.Module:
    """The syntax tree of a text.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: it has none.
    """
    with _ALONE, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)
