"""Text in the form in which it is compared, in time linear in the text whatever stands in it."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

_RUN = re.compile(r"[\x00-\x7f]?[^\x00-\x7f]{1,256}")


def normalized(text: str, form: Literal["NFC", "NFKC"] = "NFKC") -> str:
    """The text in that normal form, taken run by run: ordering a run of combining marks takes time quadratic in its length.

    Nothing composes with an ASCII character after it, so only a run of more than 256 others can come out in two parts. Source: UAX 15.
    """
    return _RUN.sub(lambda run: unicodedata.normalize(form, run[0]), text)
