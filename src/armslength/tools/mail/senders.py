"""Who a message is from: the one place that decides whether its sender is authenticated.

The person's own server may vouch for it; where that says nothing, and only if the person switched it on, so may the signature of its domain.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path

from armslength.errors import ArmslengthError, ConfigError
from armslength.installing import install_command
from armslength.tools.mail.authentication import Sender, Word, authenticatable, vouched
from armslength.tools.mail.covering import Cover
from armslength.tools.mail.headers import Address, Fields, split_fields
from armslength.tools.mail.lookups import Lookups, NoAnswer, split_server
from armslength.tools.mail.settings import MailSettings
from armslength.tools.mail.signatures import those_that_could, what_holds
from armslength.tools.mail.verdicts import Verdicts

FRESH = timedelta(days=30)
"""How long after its delivery a mail's key is looked up: later it may be gone, and whoever finds the old one can sign with it."""


AGAIN = 3_600.0
"""Seconds after which it is worth asking again whom a mail is from that was from nobody."""


def _now() -> datetime:
    return datetime.now(UTC)


class Senders:
    """The senders of the messages of one mailbox."""

    def __init__(self, settings: MailSettings, state: Path | None = None, clock: Callable[[], datetime] = _now) -> None:
        """`state`: our folder for what was found out; without it no signature is checked.

        Raises:
            ConfigError: signatures are to be checked, and what that needs is not installed, or the resolver is no address.
        """
        self._server, self._clock = settings.authserv_id or "", clock
        self._verdicts: Verdicts | None = None
        if settings.checks_signatures and state is not None:
            if not all(map(find_spec, ("dkim", "dns", "publicsuffixlist"))):
                raise ConfigError(f"mail.check_signatures needs more to be installed: {install_command('mail')}")
            if settings.resolver:
                split_server(settings.resolver)
            self._verdicts = Verdicts(state / "mail-signatures.sqlite")
        self._lookups = Lookups(settings.resolver)

    def of(self, raw: bytes, delivered: datetime) -> Sender | None:
        """The authenticated sender, None where nobody vouches for it: then the message is `mail:unverified`. `delivered`: as the store knows it.

        Nobody vouches for a message that makes this fail.

        Raises:
            ToolError: what was found out earlier cannot be read.
        """
        try:
            return self._found(raw, delivered)
        except ArmslengthError:
            raise
        except Exception:  # noqa: BLE001  # whoever wrote it ends no search by it
            return None

    def _found(self, raw: bytes, delivered: datetime) -> Sender | None:
        fields = split_fields(raw)
        sender = authenticatable(fields)
        if sender is None:
            return None
        match vouched(raw, fields, sender, self._server):
            case Sender() as found:
                return found
            case Word.SILENT if self._verdicts is not None and fields.first("dkim-signature"):
                return self._signed(raw, fields, sender, delivered, self._verdicts)
            case _:
                return None

    def _signed(
        self, raw: bytes, fields: Fields, sender: Address, delivered: datetime, verdicts: Verdicts
    ) -> Sender | None:
        now, domain = self._clock(), sender.address.rpartition("@")[2]
        covers = verdicts.of(raw, now)
        if covers is None and now - delivered <= FRESH:
            covers = self._looked_up(raw, fields, domain, now)
            if covers is not None:
                verdicts.keep(raw, covers, now)
        return Sender(sender.address, is_whole=covers is Cover.WHOLE) if covers else None

    def _looked_up(self, raw: bytes, fields: Fields, domain: str, now: datetime) -> Cover | None:
        """None where nothing was found out."""
        among = list(those_that_could(raw, fields, domain, now))
        try:
            return what_holds(raw, fields, domain, among, self._lookups) if among else None
        except NoAnswer:
            return None
