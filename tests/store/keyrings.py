"""A keyring that keeps what it is given in memory, as a person's own backend would be named in the configuration."""

from __future__ import annotations

from keyring.backend import KeyringBackend


class FakeKeyring(KeyringBackend):
    """Secrets by service and user."""

    priority = 1  # type: ignore[assignment]  # keyring's own are class properties

    def __init__(self) -> None:
        super().__init__()
        self.secrets: dict[tuple[str, str], str] = {}
        self.forgets = False

    def get_password(self, service: str, username: str) -> str | None:
        return self.secrets.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        if not self.forgets:
            self.secrets[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.secrets[service, username]


NAME = f"{FakeKeyring.__module__}.{FakeKeyring.__qualname__}"
