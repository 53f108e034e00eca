"""Structures of match requests and responses, separate from the domain."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Final
from uuid import UUID

import msgspec

from api.http.structs import Listing, RequestStruct, ResponseStruct, Short
from api.titles.actions import action_type
from domain.matches.apply import SEATS_MAX
from domain.matches.facts import Luck, Table
from domain.matches.play.absences import SECONDS_MAX
from domain.titles import TITLES

SECRET_LENGTH_MAX: Final = 80

if TYPE_CHECKING:
    AnyAction = Any
    AnyView = Any
else:
    AnyAction = action_type(TITLES)
    AnyView = dict[str, Any]


class SignedBy(RequestStruct, frozen=True):
    """A signature over the request, made with a key of the caller's seat, over entry `version` with digest `head`.

    See `docs/specifications/signatures.md`.
    """

    key: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
    signature: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{128}$")]
    version: Annotated[int, msgspec.Meta(ge=1, le=2**31)]
    head: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class DevicePlayer(RequestStruct, frozen=True):
    """A player at a table on one device: a person's name, or a bot."""

    name: Short = ""
    bot: Short = ""


class OpenMatch(RequestStruct, frozen=True):
    """A table to open: title, number of seats, options."""

    title: str
    seats: int
    options: dict[str, str] = msgspec.field(default_factory=dict)
    table: Table = Table()
    players: Annotated[tuple[DevicePlayer, ...], msgspec.Meta(max_length=SEATS_MAX)] = ()
    """All players by seat, for a table on one device (`oneDevice` of the table); its match starts at once."""


class TakeSeat(RequestStruct, frozen=True):
    """Take a seat, or seat a bot there.

    `shareCommitment` is the commitment to a share of luck, in hex (`docs/specifications/chance.md`); with `ownLuck`
    alone it may follow until the table is closed. Without both, the service supplies the share.
    """

    seat: int
    bot: str | None = None
    share_commitment: str | None = None
    own_luck: bool = False


class AskRematch(RequestStruct, frozen=True):
    """A request for a rematch; with `ownLuck` the player commits to a share of luck before the table is closed."""

    own_luck: bool = False


class CommitShare(RequestStruct, frozen=True):
    """The commitment to a share of luck, in hex; without it the service supplies the share."""

    share_commitment: str | None = None


class ReplaceSeat(RequestStruct, frozen=True):
    """The bot that replaces the player; without a bot, the caller takes the seat."""

    bot: str | None = None
    signed: SignedBy | None = None


class BeReady(RequestStruct, frozen=True):
    """The share of luck of the seat and its salt, in hex; omitted if the service supplies the share."""

    share: str | None = None
    salt: str | None = None
    signed: SignedBy | None = None


class Act(RequestStruct, frozen=True):
    """An action on the version that the caller has seen. Only the service names a `seat`."""

    expected_version: int
    action: AnyAction
    seat: int | None = None
    signed: SignedBy | None = None


class TakeBack(RequestStruct, frozen=True):
    """A take-back to the state after an earlier version."""

    to_version: int
    signed: SignedBy | None = None


class AnnounceAbsence(RequestStruct, frozen=True):
    """An absence of the caller from `begins` until before `ends`, in whole seconds since 1970."""

    begins: Annotated[int, msgspec.Meta(ge=0, le=SECONDS_MAX)]
    ends: Annotated[int, msgspec.Meta(ge=0, le=SECONDS_MAX)]
    signed: SignedBy | None = None


class TimeOut(RequestStruct, frozen=True):
    """A seat that ran out of time, and the version of the match at which it did."""

    expected_version: int
    seat: int


class PassDeadline(RequestStruct, frozen=True):
    """The version of a match whose deadline has passed."""

    expected_version: int


class ForkMatch(RequestStruct, frozen=True):
    """A fork of the match after entry `at`.

    With `ownLuck`, fresh luck includes shares of the players; the fork starts once they have committed and opened them.
    """

    at: int
    luck: Luck = "fresh"
    own_luck: bool = False


class PlayerShown(ResponseStruct, frozen=True):
    """A player: a person, a local guest at a table on one device (`local`), or a bot by its full name."""

    kind: str
    id: str
    name: str


class SeatHoliday(ResponseStruct, frozen=True):
    """The latest announced absence of a seat, in which its clock stops; it may be over."""

    begins: datetime
    ends: datetime


class SeatShown(ResponseStruct, frozen=True):
    """A seat and its player."""

    seat: int
    player: PlayerShown | None
    ready: bool
    resigned: bool
    holiday: SeatHoliday | None = None


class ParentShown(ResponseStruct, frozen=True):
    """The parent and position of a fork."""

    match_id: UUID
    version: int


class MatchShown(ResponseStruct, frozen=True, kw_only=True):
    """A match for the caller; `seat` is the caller's, `view` the state visible to that seat or to spectators."""

    match_id: UUID
    title: str
    status: str
    version: int
    head: str
    phase: str
    options: dict[str, str]
    table: Table
    seats: tuple[SeatShown, ...]
    to_act: tuple[int, ...]
    seat: int | None
    view: AnyView | None
    scores: tuple[int, ...]
    ranking: tuple[int, ...] | None
    parent: ParentShown | None
    imported: bool
    """The match was imported from a file and is unrated."""
    replaced_by: UUID | None = None
    """The line that replaced it after a ruling."""
    retired: bool = False
    """Its rules version is retired: the match can be read but not continued."""
    legal_actions: LegalActions | None = None
    """The legal actions of the caller's seat, if requested with `Prefer: return=representation`."""


class PassDevice(RequestStruct, frozen=True):
    """The seat to which the device is passed; it must be the next to act."""

    seat: int


class Passed(ResponseStruct, frozen=True):
    """The seat that has the device now, and the match as this seat sees it.

    Requests for the seat send `held` in the header `Esporles-Held`, until another local guest has acted.
    """

    seat: int
    held: str
    match: MatchShown


class Explained(ResponseStruct, frozen=True):
    """Why the seat has no action at a part of the board, with the rule id; both are null if it has one."""

    match_id: UUID
    version: int
    part: str
    rule: str | None
    reason: str | None


class MatchListed(ResponseStruct, frozen=True, kw_only=True):
    """A match in the lobby."""

    match_id: UUID
    title: str
    status: str
    version: int
    head: str
    phase: str
    options: dict[str, str]
    table: Table
    seats: tuple[SeatShown, ...]
    to_act: tuple[int, ...]
    """The seats that owe a decision."""
    scores: tuple[int, ...]
    ranking: tuple[int, ...] | None
    imported: bool
    opened_at: datetime


class Lobby(Listing, frozen=True):
    """Public matches, latest first."""

    matches: tuple[MatchListed, ...]


class LegalAction(ResponseStruct, frozen=True):
    """A legal action and its description."""

    action: AnyAction
    text: str


class LegalActions(ResponseStruct, frozen=True):
    """The legal actions of the caller's seat."""

    match_id: UUID
    version: int
    head: str
    seat: int
    actions: tuple[LegalAction, ...]
    take_back_to: tuple[int, ...]
    """The versions to which the seat may take back now, oldest first."""


class EntriesShown(ResponseStruct, frozen=True):
    """Entries, redacted for the caller; `more` if others follow."""

    match_id: UUID
    version: int
    head: str
    entries: tuple[msgspec.Raw, ...]
    more: bool


class OwedShown(ResponseStruct, frozen=True):
    """The next decision that the service owes in a match; `seat` is null if there is none."""

    match_id: UUID
    title: str
    version: int
    head: str
    seat: int | None = None
    by: str | None = None
    actions: tuple[AnyAction, ...] = ()
    view: AnyView | None = None
    seed: str | None = None


class Imported(ResponseStruct, frozen=True):
    """An imported match, new or already stored."""

    match_id: UUID
    version: int
    head: str


class ForkShown(ResponseStruct, frozen=True):
    """A line of a match's tree: its origin, luck and status; `whatIf` marks lines for arbiters only."""

    line: UUID
    parent: UUID | None
    version: int
    luck: str | None
    by: str | None
    name: str | None
    at: datetime | None
    ruling: str | None
    what_if: bool
    status: str
    entries: int
    official: bool
    scores: tuple[int, ...]
    ranking: tuple[int, ...] | None


class ForksShown(Listing, frozen=True):
    """The tree of forks of a match: the line at its `root`, then a page of the others, latest first."""

    root: UUID
    lines: tuple[ForkShown, ...]


class KnownView(ResponseStruct, frozen=True):
    """The view of a seat at an entry; without a seat, the public view."""

    seat: int | None
    view: AnyView | None
    legal_actions: tuple[str, ...]


class Invitation(ResponseStruct, frozen=True):
    """An invitation to a private table, without its secret; `used` counts the people who have accepted it."""

    id: str
    match_id: UUID
    person: str
    """The person who invites."""
    created: datetime
    used: int


class MadeInvitation(ResponseStruct, frozen=True):
    """A new invitation; the secret in its `link` is in the URL fragment, which browsers do not send."""

    id: str
    secret: str
    link: str
    created: datetime


class InvitationsShown(Listing, frozen=True):
    """The valid invitations to a table."""

    invitations: tuple[Invitation, ...]


class AcceptInvitation(RequestStruct, frozen=True):
    """The secret of an invitation: the part of its link after `#`."""

    secret: Annotated[str, msgspec.Meta(max_length=SECRET_LENGTH_MAX)]


class AcceptedInvitation(ResponseStruct, frozen=True):
    """The table of an accepted invitation."""

    match_id: UUID
