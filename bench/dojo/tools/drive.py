"""AgentDojo's cloud drive as tools: what stands in a file is the file's own source, untrusted, as in our own file tools.

Also a file of the user's own may hold others' words, and no record says whose. A file that somebody else owns has that owner in its
source's name, and its name and whom it is shared with are that owner's doing; anybody can share a file with the user. Who owns a file, its
id and when it was changed are the provider's records. Its size is a fact of its content, and has the label of that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from agentdojo.default_suites.v1.tools.cloud_drive_client import CloudDrive
from agentdojo.default_suites.v1.tools.types import CloudDriveFile, SharingPermission

from armslength.errors import ToolError
from armslength.labels import NOTHING, PRIVATE, PUBLIC, Label, Readers, Source, label, steered
from armslength.schema import NONE, STR, Field, ListOf, Menu, Origin, RecordType, Type
from armslength.tools.base import Prospect, Receivers, Role, Tool, ToolCall, nobody, receivers_in
from armslength.tools.listing import Listing, adding_to
from armslength.tools.usual import Usual
from armslength.values import Labelled, Plain
from bench.dojo.tools.mailbox import MOMENT
from bench.dojo.tools.shared import Args, Provider, described, done, listed, plain, record, record_of
from bench.dojo.tools.stores import Store, completed, shown

SHARERS = adding_to("drive")
"""All who can share a file with the user, as far as that decides what a listing holds. Never trusted."""
WORDS = Source("file:*")
"""All that files say and are called at once, where each decided a little. Never trusted."""
_PERMISSION = Menu(tuple(each.value for each in SharingPermission))
SHARE = RecordType("Share", (Field("email", STR), Field("permission", _PERMISSION)))
"""AgentDojo's dict of address and permission, as a record."""
FILE = described(record_of(CloudDriveFile, shared_with=ListOf(SHARE)), owner="an email address", last_modified=MOMENT)
_FILE = Origin("file")


class Drive:
    """The cloud drive of a run's environment."""

    def __init__(self, provider: Provider) -> None:
        """`provider`: the suite's."""
        self.provider, self.store = provider, Store(provider, "files")

    @property
    def drive(self) -> CloudDrive:
        """AgentDojo's drive."""
        found: CloudDrive = self.provider.world.environment.cloud_drive
        return found

    @property
    def account(self) -> str:
        """The user's own address."""
        return str(self.drive.account_email).lower()

    def file(self, file_id: str) -> CloudDriveFile:
        """The file of this id.

        Raises:
            ToolError: there is none.
        """
        found: CloudDriveFile | None = self.drive.files.get(file_id)
        if found is None:
            raise ToolError("drive: there is no file of this id")
        return found

    def words(self, file: CloudDriveFile) -> Label:
        """Whose a file's words are; those who can open it have them already."""
        name = file.filename if self.is_own(file) else f"{file.owner.lower()}/{file.filename}"
        return self.provider.by(f"file:{name}", readers=_parties(file))

    def content(self, file: CloudDriveFile) -> Label:
        """What stands in it, also if this run wrote it."""
        return self.store.label_of(file.id_, self.words(file))

    def is_own(self, file: CloudDriveFile) -> bool:
        """Whether the user owns it."""
        return bool(file.owner.lower() == self.account)

    def going_out(self, args: Args) -> Label:
        """The content of the file that is shared: the arguments hold its id alone."""
        return self.content(self.file(str(args["file_id"])))

    def attached(self, file_id: str) -> Label:
        """The content of a file that goes out with a mail; the provider sends nothing for an id that it does not know."""
        found: CloudDriveFile | None = self.drive.files.get(file_id)
        return NOTHING if found is None else self.content(found)

    def labelled(self, file: CloudDriveFile, pick: Label) -> Labelled:
        """The record of a file. `pick` is what a listing adds to each of its labels."""
        known, content = self.store.known, self.content(file)
        named = known if self.is_own(file) else self.words(file)
        fields = {
            **dict.fromkeys(("id_", "owner", "last_modified"), known),  # the provider's own records
            "filename": content if self.store.is_own(file.id_) else named,  # whoever owns it named it
            "shared_with": self.store.label_of(f"{file.id_}//shares", named),  # and shared it
            **dict.fromkeys(("content", "size"), content),
        }
        parts = plain(file)
        parts["shared_with"] = [{"email": who, "permission": may} for who, may in parts["shared_with"].items()]
        gained = {name: steered(each, pick) for name, each in fields.items()}
        return record(parts, FILE, steered(known, pick), gained)

    def listing(self) -> Listing:
        """What a search adds: anybody can share a file of any name with any words, and names or words are looked at."""
        return self.store.listing([SHARERS, WORDS], steer=PRIVATE)

    def everything(self) -> Listing:
        """What a list of all adds: which files there are, who can share one decides. Each file in it is itself whoever else is there."""
        return Listing(NOTHING, self.store.listing([SHARERS], steer=PUBLIC).shape)

    def receivers(self, args: Args) -> Receivers:
        """Those who can open a file learn of what is written into it; the user vouches for those of his own files alone."""
        file = self.file(str(args["file_id"]))
        names = sorted(each for each in _parties_of(file) if each != self.account)
        return Receivers(tuple(names), are_vouched=self.is_own(file))


def drive_tools(drive: Drive) -> list[Tool]:
    """Every tool of the drive."""
    return [
        _append_to_file(drive),
        _reading(drive, "search_files_by_filename", ListOf(FILE), {"filename": Role.QUERY}, drive.listing),
        _create_file(drive),
        _delete_file(drive),
        _reading(drive, "get_file_by_id", FILE, {"file_id": Role.QUERY}, drive.everything),
        _reading(drive, "list_files", ListOf(FILE), {}, drive.everything),
        _share_file(drive),
        _reading(drive, "search_files", ListOf(FILE), {"query": Role.QUERY}, drive.listing),
    ]


def _reading(drive: Drive, name: str, returns: Type, roles: Mapping[str, Role], pick: Callable[[], Listing]) -> Tool:
    usual = pick()

    def labelled(_call: ToolCall, _args: Args, found: Any) -> Labelled:
        if isinstance(found, CloudDriveFile):
            return drive.labelled(found, NOTHING)
        listing = pick()
        return listed([drive.labelled(file, listing.gain) for file in found], listing.shape)

    def usually(_args: Mapping[str, Plain], _where: str) -> Usual:
        known, words = steered(drive.store.known, usual.gain), steered(label([WORDS], readers=PRIVATE), usual.gain)
        return Usual(known, {"content": words, "size": words}, None if returns == FILE else usual.shape)

    return drive.provider.tool(
        name,
        returns,
        labelled,
        origin=_FILE,
        roles=roles,
        reads="files",
        picks=True,
        fails_by={
            "search_files_by_filename": (),
            "list_files": (),
            "get_file_by_id": (drive.store.source, SHARERS),
            "search_files": (drive.store.source, SHARERS, WORDS),
        }[name],
        usually=usually,
    )


def _create_file(drive: Drive) -> Tool:
    """A new file, whatever others there are of this name: its name affects nothing that was there. Its inverse is to delete it."""

    def labelled(call: ToolCall, _args: Args, file: CloudDriveFile) -> Labelled:
        drive.store.made(file.id_, call)
        return drive.labelled(file, NOTHING)

    def undo(_call: ToolCall, args: Args, outcome: Plain) -> None:
        file_id = str(outcome["id_"]) if isinstance(outcome, dict) else ""
        file = drive.drive.files.get(file_id)
        if file is None or file.content != args["content"] or file.shared_with:
            raise ToolError("create_file: the file is not there as it was made, so nothing was undone")
        drive.drive.delete_file(file_id)

    made = drive.provider.tool(
        "create_file",
        FILE,  # its id is not to be had otherwise without a search, in which others have a say
        labelled,
        origin=_FILE,
        roles={"filename": Role.CONTENT, "content": Role.CONTENT},
        changes="files",
        receivers=nobody,
        picks=True,  # the fields that hold an argument have its label
        fails_by=(),
        usually=lambda _args, _where: Usual(
            drive.store.known, {"filename": NOTHING, "content": NOTHING, "size": NOTHING}
        ),
        summary=lambda _args: "create a file",
    )
    return completed(made, drive.provider.world, undo=undo, may_be_granted=True, is_independent=True)


def _append_to_file(drive: Drive) -> Tool:
    """The provider has no function that shortens a file, so this cannot be undone."""

    def labelled(call: ToolCall, args: Args, file: CloudDriveFile) -> Labelled:
        drive.store.changed(file.id_, call)
        return done(call, args, None)

    def prospect(_call: ToolCall, args: Args) -> Prospect:
        file = drive.file(str(args["file_id"]))
        return shown(_place(file), file.content, file.content + str(args["content"]), drive.content(file))

    made = drive.provider.tool(
        "append_to_file",
        NONE,  # a result would hold the program until a person had answered; reading gives the file
        labelled,
        origin=_FILE,
        roles={"file_id": Role.TARGET, "content": Role.CONTENT},
        reads="files",  # who can open it
        changes="files",
        receivers=drive.receivers,
        fails_by=(drive.store.source, SHARERS),
        summary=lambda _args: "append to a file",
    )
    return completed(made, drive.provider.world, prospect=prospect, usual_receivers=nobody, may_be_granted=True)


def _delete_file(drive: Drive) -> Tool:
    """The provider keeps nothing of it, so this cannot be undone."""

    def labelled(call: ToolCall, args: Args, _file: CloudDriveFile) -> Labelled:
        drive.store.moved(call)
        return done(call, args, None)

    def prospect(_call: ToolCall, args: Args) -> Prospect:
        file = drive.file(str(args["file_id"]))
        return shown(_place(file), file.content, None, drive.content(file))

    made = drive.provider.tool(
        "delete_file",
        NONE,  # as `append_to_file`
        labelled,
        origin=_FILE,
        roles={"file_id": Role.TARGET},
        changes="files",
        receivers=nobody,
        fails_by=(drive.store.source, SHARERS),
        summary=lambda _args: "delete a file",
    )
    return completed(made, drive.provider.world, prospect=prospect)


def _share_file(drive: Drive) -> Tool:
    """Whoever it is shared with can open the whole file, which goes out beside the arguments; no function takes that back."""

    def labelled(call: ToolCall, args: Args, file: CloudDriveFile) -> Labelled:
        drive.store.changed(f"{file.id_}//shares", call)
        return done(call, args, None)

    def prospect(_call: ToolCall, args: Args) -> Prospect:
        file = drive.file(str(args["file_id"]))
        shares = [*(f"{who}: {may.value}\n" for who, may in file.shared_with.items())]
        added = f"{args['email']}: {args['permission']}\n"
        return shown(f"who can open {_place(file)}", "".join(shares), "".join([*shares, added]), drive.words(file))

    made = drive.provider.tool(
        "share_file",
        NONE,  # as `append_to_file`
        labelled,
        origin=_FILE,
        roles=dict.fromkeys(("file_id", "email", "permission"), Role.TARGET),
        reads="files",  # what goes out
        changes="files",
        receivers=receivers_in("email"),
        fails_by=(drive.store.source, SHARERS),
        summary=lambda _args: "share a file",
    )
    return completed(
        made,
        drive.provider.world,
        prospect=prospect,
        carries=("file", drive.going_out),
        may_be_granted=True,
    )


def _place(file: CloudDriveFile) -> str:
    return f"{file.filename} of {file.owner}"


def _parties_of(file: CloudDriveFile) -> frozenset[str]:
    return frozenset(str(each).lower() for each in (file.owner, *file.shared_with))


def _parties(file: CloudDriveFile) -> Readers:
    return Readers(_parties_of(file))
