"""AgentDojo's workspace: a mailbox, a calendar and a cloud drive of one person.

The configuration is what that person would have set up: an own address, and that mail from it is trusted.
"""

from __future__ import annotations

from datetime import UTC, datetime

from armslength.events import Trust
from armslength.policy.settings import PolicySettings
from armslength.tools.base import Tool
from bench.dojo.tools.diary import Diary, calendar_tools, more_calendar_tools
from bench.dojo.tools.drive import Drive, drive_tools
from bench.dojo.tools.mailbox import Mailbox, mail_tools
from bench.dojo.tools.shared import Held, Provider

SUITE = "workspace"
ADDRESS = "emma.johnson@bluesparrowtech.com"
SETTINGS = PolicySettings(user_name="Emma Johnson", addresses=(ADDRESS,))
TRUSTED = frozenset({"store:workspace", "store:mail", "store:calendar", "store:files", f"mail:{ADDRESS}"})
NOW = datetime(2024, 5, 15, tzinfo=UTC)
"""The day of the environment's calendar; it knows no hour."""


def declared(world: Held, trust: Trust) -> list[Tool]:
    """Every tool of the suite, over this environment."""
    provider = Provider(SUITE, world, trust)
    drive = Drive(provider)
    mailbox = Mailbox(provider, drive.attached)
    diary = Diary(provider, mailbox)
    return [*mail_tools(mailbox), *calendar_tools(diary), *more_calendar_tools(diary), *drive_tools(drive)]
