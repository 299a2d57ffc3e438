"""Who vouches for a server: the only place that makes a client's TLS, and what is said of a certificate that is not accepted.

The system's authorities, or those in a file of the configuration instead of them; a certificate has to be for the very name that was asked.
"""

from __future__ import annotations

import ssl
from pathlib import Path

from armslength.errors import ConfigError

_WHY = {
    9: "it does not hold yet",
    10: "it has run out",
    18: "nobody that counts vouches for it",
    19: "nobody that counts vouches for it",
    20: "nobody that counts vouches for it",
    21: "nobody that counts vouches for it",
    62: "it is for another name",
    64: "it is for another address",
}
"""What a code of OpenSSL's means (X509_V_ERR in x509_vfy.h). What stands in the certificate is not repeated."""


def trusting(file: Path | None, setting: str) -> ssl.SSLContext:
    """TLS 1.2 or newer. `file`: of certificates (PEM) that count instead of the system's; `setting`: where the configuration names it.

    Raises:
        ConfigError: it cannot be read, or holds none.
    """
    try:
        context = ssl.create_default_context(cafile=None if file is None else str(file))
    except (OSError, ValueError):
        raise ConfigError(f"{setting}: {file} is no file of certificates (PEM); correct it") from None
    context.minimum_version = max(context.minimum_version, ssl.TLSVersion.TLSv1_2)
    return context


def certificate_error(error: BaseException | None) -> ssl.SSLCertVerificationError | None:
    """What an error came of, if it came of a certificate."""
    for _ in range(10):
        if error is None or isinstance(error, ssl.SSLCertVerificationError):
            return error
        error = error.__cause__ or error.__context__
    return None


def untrusted(error: ssl.SSLCertVerificationError, setting: str = "") -> str:
    """What to say behind the server's name. `setting`: where its authority can be named, if it can."""
    why = _WHY.get(error.verify_code)
    instead = f", or name its authority in {setting}" if setting else ""
    return (
        f"has a certificate that this machine does not accept for it{f' ({why})' if why else ''}, so nothing was sent; "
        f"check the address{instead}"
    )
