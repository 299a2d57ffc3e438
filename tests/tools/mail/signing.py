"""Mail that tests sign themselves: letters, keys, and a signer of its own, which can also sign as nobody should.

The signer knows the relaxed forms alone (RFC 6376, section 3.4) and shares no code with what verifies.
"""

from __future__ import annotations

import base64
import hashlib
import random
import re
from functools import cache

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

USUAL = "from:to:cc:subject:date:message-id:in-reply-to:references:mime-version:content-type:reply-to"
SEPARATE = "\r\n\r\n"


@cache
def key(bits: int = 1024, number: int = 0) -> rsa.RSAPrivateKey:
    """A key for tests; each `number` another one."""
    return rsa.generate_private_key(65_537, bits)


def public(pair: rsa.RSAPrivateKey) -> str:
    """What stands in `p=`."""
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return base64.b64encode(pair.public_key().public_bytes(serialization.Encoding.DER, form)).decode()


def pem(pair: rsa.RSAPrivateKey) -> bytes:
    """The private key as `dkimpy` reads it."""
    form = serialization.PrivateFormat.TraditionalOpenSSL
    return pair.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())


def quoted(record: str) -> str:
    """A record as a zone file writes it, in pieces of less than 256 characters."""
    return " ".join(f'"{record[at : at + 200]}"' for at in range(0, len(record), 200)) or '""'


def letter(sender: str = "Boss <boss@x.example>", body: str = "Hello.\r\n", **fields: str) -> str:
    """A message; `fields` by their names with _ for -, beside or instead of the usual ones. An empty one is left out."""
    usual = {"From": sender, "To": "me@example.org", "Subject": "Lunch", "Date": "Mon, 30 Nov 2026 08:00:00 +0000"}
    given = {name.replace("_", "-"): text for name, text in fields.items()}
    both = usual | {"Message-ID": "<1@x.example>"} | given
    return "\r\n".join(f"{name}: {text}" for name, text in both.items() if text) + SEPARATE + body


def signed(
    message: str,
    domain: str = "x.example",
    names: str = USUAL,
    pair: rsa.RSAPrivateKey | None = None,
    digest: str = "sha256",
    **tags: str,
) -> str:
    """The message with a signature on top. `tags`: beside or instead of the usual ones; `l` cuts the body that is hashed."""
    head, _, body = message.partition(SEPARATE)
    hashed = _relaxed_body(body)[: int(tags["l"])] if "l" in tags else _relaxed_body(body)
    made = {"v": "1", "a": f"rsa-{digest}", "c": "relaxed/relaxed", "d": domain, "s": "s", "h": names} | tags
    made["bh"] = base64.b64encode(hashlib.new(digest, hashed.encode()).digest()).decode()
    value = "; ".join(f"{name}={text}" for name, text in made.items()) + "; b="
    covered = [*_picked(head, made["h"]), _relaxed_field("dkim-signature", value)]
    private = pair or key()
    kind = hashes.SHA256() if digest == "sha256" else hashes.SHA1()
    proof = base64.b64encode(private.sign("\r\n".join(covered).encode(), padding.PKCS1v15(), kind)).decode()
    return f"DKIM-Signature: {value}{proof}\r\n{message}"


def _picked(head: str, names: str) -> list[str]:
    """The fields that are signed: of each name from the bottom, one for each time that it stands in `h=`."""
    fields = [line.partition(":")[::2] for line in re.sub(r"\r\n(?=[ \t])", "", head).split("\r\n")]
    left = [(name.strip().lower(), text) for name, text in fields]
    found = []
    for name in names.split(":"):
        at = next((at for at in range(len(left) - 1, -1, -1) if left[at][0] == name.strip().lower()), None)
        if at is not None:
            found.append(_relaxed_field(*left.pop(at)))
    return found


def _relaxed_field(name: str, text: str) -> str:
    return f"{name}:{re.sub('[ ' + chr(9) + chr(13) + chr(10) + ']+', ' ', text).strip()}"


def _relaxed_body(body: str) -> str:
    lines = [re.sub(r"[ \t]+", " ", line).rstrip(" ") for line in body.split("\r\n")]
    while lines and not lines[-1]:
        lines.pop()
    return "".join(f"{line}\r\n" for line in lines)


def weak_key(bits: int) -> rsa.RSAPrivateKey:
    """A key that no library makes any more."""
    draw = random.Random(bits)  # a key for tests
    first, second = _prime(bits // 2, draw), _prime(bits - bits // 2, draw)
    private = pow(65_537, -1, (first - 1) * (second - 1))
    parts = (private % (first - 1), private % (second - 1), rsa.rsa_crt_iqmp(first, second))
    whole = rsa.RSAPublicNumbers(65_537, first * second)
    numbers = rsa.RSAPrivateNumbers(first, second, private, *parts, whole)
    return numbers.private_key(unsafe_skip_rsa_key_validation=True)


def _prime(bits: int, draw: random.Random) -> int:
    while True:
        candidate = draw.getrandbits(bits) | 1 | (3 << (bits - 2))
        if candidate % 65_537 != 1 and all(pow(base, candidate - 1, candidate) == 1 for base in (2, 3, 5, 7, 11, 13)):
            return candidate
