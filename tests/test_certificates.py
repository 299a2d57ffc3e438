"""Who vouches for a server, and what is said of a certificate that is not accepted."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme

from armslength.certificates import certificate_error, trusting, untrusted
from armslength.errors import ConfigError


@pytest.mark.parametrize(
    "content", [None, b"", b"no certificate", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"]
)
def test_a_file_that_holds_no_certificate_is_said_with_its_setting(tmp_path: Path, content: bytes | None) -> None:
    """Whether it is not there, empty, something else, or damaged."""
    file = tmp_path / "own.pem"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        trusting(file, "imap.authorities")
    assert str(caught.value) == f"imap.authorities: {file} is no file of certificates (PEM); correct it"
    with pytest.raises(ConfigError, match="is no file of certificates"):
        trusting(tmp_path, "imap.authorities")


def refused(served: str, asked: str, own: trustme.CA, known: trustme.CA, days: int = 1) -> ssl.SSLCertVerificationError:
    """What a handshake in memory ends with. `known`: the authority that counts; `days`: for which the certificate holds from now on."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    own.issue_cert(served, not_after=datetime.now(UTC) + timedelta(days=days)).configure_cert(server)
    client = ssl.create_default_context()
    known.configure_trust(client)
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    ours = client.wrap_bio(back, there, server_hostname=asked)
    theirs = server.wrap_bio(there, back, server_side=True)
    for side in (ours, theirs, ours):
        try:
            side.do_handshake()
        except ssl.SSLWantReadError:
            continue
        except ssl.SSLCertVerificationError as error:
            return error
    raise AssertionError


def test_what_is_wrong_with_a_certificate_is_said_in_our_words() -> None:
    """For another name, run out, by somebody unknown; what stands in it is not repeated."""
    known = trustme.CA()
    has = "has a certificate that this machine does not accept for it"
    does = "so nothing was sent; check the address"
    assert untrusted(refused("a.example", "b.example", known, known)) == f"{has} (it is for another name), {does}"
    assert untrusted(refused("a.example", "a.example", known, known, -1)) == f"{has} (it has run out), {does}"
    assert untrusted(refused("a.example", "a.example", trustme.CA(), known), "smtp.authorities") == (
        f"{has} (nobody that counts vouches for it), {does}, or name its authority in smtp.authorities"
    )


def test_it_is_found_behind_what_a_library_makes_of_it() -> None:
    """As cause or context; nothing else is taken for it."""
    wrong = ssl.SSLCertVerificationError()
    outer = OSError()
    outer.__context__ = ValueError()
    outer.__context__.__cause__ = wrong
    assert certificate_error(outer) is wrong
    assert certificate_error(ssl.SSLError()) is None
