"""The label of a listing."""

from __future__ import annotations

from armslength.labels import PRIVATE, PROGRAM, PUBLIC, SATURATED, Source, label, steered
from armslength.tools.listing import Listing, listing_among

STORE = Source("store:test", is_trusted=True)
WEB, MAIL = Source("web:a.example"), Source("mail:b@example.com")


def test_all_that_was_looked_through_chose() -> None:
    """Data and choice of everything searched choose each result and the list's shape; what was found is the store's own."""
    searched = [label([WEB]), label([STORE], choice=[MAIL], bits=1)]
    assert listing_among(STORE, searched, steer=PRIVATE) == Listing(
        gain=label(choice=[WEB, MAIL, STORE], bits=SATURATED, steer=PRIVATE),
        shape=label([STORE], choice=[WEB, MAIL, STORE], bits=SATURATED, readers=PRIVATE, steer=PRIVATE, intact=False),
    )


def test_a_listing_of_trusted_things_stays_trusted() -> None:
    """Nobody untrusted had a part in it: a result picked whole out of trusted things is trusted, and so is the list."""
    listing = listing_among(STORE, [label([STORE]), label([PROGRAM])], steer=PUBLIC)
    assert (steered(label([STORE]), listing.gain).is_trusted, listing.shape.is_trusted) == (True, True)


def test_an_empty_store_chose_nothing() -> None:
    """Without anything looked through there is nothing that steers."""
    listing = listing_among(STORE, [], steer=PUBLIC)
    assert listing == Listing(label(), label([STORE], readers=PRIVATE, intact=False))
