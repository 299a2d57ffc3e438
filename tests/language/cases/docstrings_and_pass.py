"""Texts that stand alone, empty bodies, comments, at every level."""
def documented(x):
    """One line.

    And more of it.
    """
    "another text"
    # a comment
    return x


def empty():
    """Only this."""


def passes(x):
    if x:
        pass
    else:
        pass
    for _ in x:
        pass
    while False:
        pass
    try:
        pass
    finally:
        pass


answer(documented(1), empty(), passes([1]))
"""the end"""
