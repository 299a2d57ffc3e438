"""Dovecot as a test needs it: one process on a loopback port that the system gives, its mail in a folder of the test's.

It runs as whoever runs the tests. Dovecot keeps no mail for root, so there it keeps it for nobody.
"""

from __future__ import annotations

import grp
import imaplib
import os
import pwd
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import trustme

from armslength.tools.mail.settings import ImapServer, Tls

PASSWORD = "correct-horse"
_PROGRAM = "/usr/sbin/dovecot"
_SECONDS = 20.0
_CONFIG = """
base_dir = {base}/run
state_dir = {base}/state
log_path = {base}/log
protocols = imap
default_internal_user = {internal}
default_internal_group = {internal_group}
default_login_user = {login}
first_valid_uid = 1
first_valid_gid = 1
ssl = yes
ssl_cert = <{base}/cert.pem
ssl_key = <{base}/key.pem
disable_plaintext_auth = no
mail_location = maildir:{base}/mail/%u
auth_mechanisms = plain login
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={base}/mail/%u
}}
mail_plugins = quota
protocol imap {{
  mail_plugins = quota imap_quota
}}
plugin {{
  quota = maildir:User quota
  quota_rule = *:messages=60
}}
namespace inbox {{
  inbox = yes
  separator = /
  mailbox Sent {{
    auto = create
    special_use = \\Sent
  }}
  mailbox Trash {{
    auto = create
    special_use = \\Trash
  }}
  mailbox Entwuerfe {{
    auto = create
    special_use = \\Drafts
  }}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    address = 127.0.0.1
    port = {port}
  }}
  inet_listener imaps {{
    address = 127.0.0.1
    port = {tls_port}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"""


@dataclass(frozen=True, slots=True)
class Dovecot:
    """A server that runs. `authorities`: the file with the certificate that vouches for it."""

    base: Path
    port: int
    tls_port: int
    authorities: Path

    def server(self, user: str, index: Path, tls: Tls = "implicit") -> ImapServer:
        """How a user's mail is reached."""
        return ImapServer(
            host="localhost",
            user=user,
            secret=lambda: PASSWORD,
            index=index,
            port=self.tls_port if tls == "implicit" else self.port,
            tls=tls,
            authorities=self.authorities,
            timeout=20.0,
        )

    @contextmanager
    def session(self, user: str) -> Iterator[imaplib.IMAP4]:
        """A client of the test's own, as another program that uses the mailbox."""
        client = imaplib.IMAP4("127.0.0.1", self.port, timeout=20)
        client.login(user, PASSWORD)
        try:
            yield client
        finally:
            with suppress(imaplib.IMAP4.error, OSError):
                client.logout()

    def deliver(
        self, user: str, raw: bytes, folder: str = "INBOX", flags: str = "", when: float = 1_793_000_000
    ) -> None:
        """Put a message into a folder."""
        with self.session(user) as client:
            answered, _ = client.append(folder, flags, imaplib.Time2Internaldate(when), raw.replace(b"\n", b"\r\n"))
            assert answered == "OK"


@contextmanager
def dovecot() -> Iterator[Dovecot]:
    """A running server, gone afterwards with all that it kept."""
    if not Path(_PROGRAM).exists():
        raise FileNotFoundError(f"{_PROGRAM} is not there; Debian: apt-get install dovecot-imapd")
    with tempfile.TemporaryDirectory(prefix="imap") as named:  # paths of sockets are short
        made = _made(Path(named))
        process = subprocess.Popen(
            [_PROGRAM, "-F", "-c", made.base / "dovecot.conf"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            _wait(made)
            yield made
        finally:
            process.terminate()
            process.wait(_SECONDS)


def _made(base: Path) -> Dovecot:
    authority = trustme.CA()
    certificate = authority.issue_cert("localhost")
    certificate.private_key_pem.write_to_path(base / "key.pem")
    for blob in certificate.cert_chain_pems:
        blob.write_to_path(base / "cert.pem", append=True)
    authority.cert_pem.write_to_path(base / "authority.pem")
    made = Dovecot(base, *_free_ports(), base / "authority.pem")
    user = pwd.getpwuid(os.getuid())
    keeper = pwd.getpwnam("nobody") if user.pw_uid == 0 else user
    (base / "mail").mkdir()
    (base / "dovecot.conf").write_text(
        _CONFIG.format(
            base=base,
            internal=user.pw_name,
            internal_group=grp.getgrgid(os.getgid()).gr_name,
            login=keeper.pw_name,
            uid=keeper.pw_uid,
            gid=keeper.pw_gid,
            port=made.port,
            tls_port=made.tls_port,
            password=PASSWORD,
        )
    )
    if user.pw_uid == 0:
        base.chmod(0o755)
        shutil.chown(base / "mail", keeper.pw_uid, keeper.pw_gid)
    return made


def _free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]


def _wait(made: Dovecot) -> None:
    until = time.monotonic() + _SECONDS
    while True:
        try:
            with socket.create_connection(("127.0.0.1", made.tls_port), 5) as plain:
                context = ssl.create_default_context(cafile=str(made.authorities))
                with context.wrap_socket(plain, server_hostname="localhost") as secured:
                    assert secured.recv(100).startswith(b"* OK")
                    return
        except (OSError, AssertionError):
            if time.monotonic() > until:
                log = made.base / "log"
                raise TimeoutError(log.read_text() if log.exists() else "dovecot does not start") from None
            time.sleep(0.05)
