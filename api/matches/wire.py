"""What requests about matches and their answers look like, apart from the domain."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Final
from uuid import UUID

import msgspec

from api.http.wire import Asked, Listing, Short, Wire
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


class SignedBy(Asked, frozen=True):
    """A signature over what is asked for, with a key that the caller's seat has named, and over the entry `version`
    with the digest `head` (`docs/specifications/signatures.md`)."""

    key: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
    signature: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{128}$")]
    version: Annotated[int, msgspec.Meta(ge=1, le=2**31)]
    head: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class DevicePlayer(Asked, frozen=True):
    """Who plays at a table on one device: somebody with a name, or a bot."""

    name: Short = ""
    bot: Short = ""


class OpenMatch(Asked, frozen=True):
    """A table to be opened: what is played, by how many, with which options."""

    title: str
    seats: int
    options: dict[str, str] = msgspec.field(default_factory=dict)
    table: Table = Table()
    players: Annotated[tuple[DevicePlayer, ...], msgspec.Meta(max_length=SEATS_MAX)] = ()
    """By seat, all who play at a table on one device (`oneDevice` of the table); it begins at once."""


class TakeSeat(Asked, frozen=True):
    """Sit down, or put a bot there. `shareCommitment` is what the player commits to (`docs/specifications/chance.md`),
    in hex; with `ownLuck` alone that follows before the table is closed, without both the service makes the share."""

    seat: int
    bot: str | None = None
    share_commitment: str | None = None
    own_luck: bool = False


class AskRematch(Asked, frozen=True):
    """With `ownLuck` the player's share is committed to before the table is closed; without it the service makes it."""

    own_luck: bool = False


class CommitShare(Asked, frozen=True):
    """What the player commits to, in hex; without it the service makes the share."""

    share_commitment: str | None = None


class ReplaceSeat(Asked, frozen=True):
    """A bot goes on for the seat; without a bot, the caller sits down there."""

    bot: str | None = None
    signed: SignedBy | None = None


class BeReady(Asked, frozen=True):
    """The share of luck that the seat has committed to, and its salt, in hex; neither if the service makes it."""

    share: str | None = None
    salt: str | None = None
    signed: SignedBy | None = None


class Act(Asked, frozen=True):
    """An action at the version the caller has seen. Only the service names a `seat`."""

    expected_version: int
    action: AnyAction
    seat: int | None = None
    signed: SignedBy | None = None


class TakeBack(Asked, frozen=True):
    to_version: int
    signed: SignedBy | None = None


class AnnounceAbsence(Asked, frozen=True):
    """The caller is away from `begins` until before `ends`, in whole seconds since 1970."""

    begins: Annotated[int, msgspec.Meta(ge=0, le=SECONDS_MAX)]
    ends: Annotated[int, msgspec.Meta(ge=0, le=SECONDS_MAX)]
    signed: SignedBy | None = None


class TimeOut(Asked, frozen=True):
    expected_version: int
    seat: int


class PassDeadline(Asked, frozen=True):
    expected_version: int


class ForkMatch(Asked, frozen=True):
    """A new match that begins as this one stood after entry `at`. With `ownLuck` a fresh luck awaits the shares of the
    people who play: it goes on when they have committed to them and opened them."""

    at: int
    luck: Luck = "fresh"
    own_luck: bool = False


class PlayerShown(Wire, frozen=True):
    """Who sits somewhere: a person, a local guest (`local`) at a table on one device, or a bot by its full name."""

    kind: str
    id: str
    name: str


class SeatShown(Wire, frozen=True):
    seat: int
    player: PlayerShown | None
    ready: bool
    resigned: bool


class ParentShown(Wire, frozen=True):
    """Where a fork comes from."""

    match_id: UUID
    version: int


class MatchShown(Wire, frozen=True, kw_only=True):
    """A match as the caller may see it; `seat` is the caller's own, `view` what that seat, or a spectator, sees."""

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
    """The match came from a file: it is never rated."""
    replaced_by: UUID | None = None
    """The line that goes on in its place after a ruling."""
    retired: bool = False
    """It began under rules that are played no more: it can be looked at and not played on."""
    legal_actions: LegalActions | None = None
    """What the caller's seat may do now, where somebody who acts asked for it by `Prefer: return=representation`."""


class PassDevice(Asked, frozen=True):
    """The device is passed to this seat, which is asked now."""

    seat: int


class Passed(Wire, frozen=True):
    """The device is with a seat: `held` is the word that requests of this seat carry from now on as `Esporles-Held`,
    until another local guest has acted; the match is shown as the seat sees it."""

    seat: int
    held: str
    match: MatchShown


class Explained(Wire, frozen=True):
    """Why nothing can be chosen at a part of the table, and the rule that says so; nothing of both where it can."""

    match_id: UUID
    version: int
    part: str
    rule: str | None
    reason: str | None


class MatchListed(Wire, frozen=True, kw_only=True):
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
    """The seats that are to act."""
    scores: tuple[int, ...]
    ranking: tuple[int, ...] | None
    imported: bool
    opened_at: datetime


class Lobby(Listing, frozen=True):
    """Public matches, the newest first."""

    matches: tuple[MatchListed, ...]


class LegalAction(Wire, frozen=True):
    """An action the seat may take now, and the sentence that says it."""

    action: AnyAction
    text: str


class LegalActions(Wire, frozen=True):
    match_id: UUID
    version: int
    head: str
    seat: int
    actions: tuple[LegalAction, ...]
    take_back_to: tuple[int, ...]
    """The versions to which the seat may take back now, the oldest first."""


class EntriesShown(Wire, frozen=True):
    """Entries as the caller may hold them; `more` when others follow."""

    match_id: UUID
    version: int
    head: str
    entries: tuple[msgspec.Raw, ...]
    more: bool


class OwedShown(Wire, frozen=True):
    """The next decision the service itself owes in a match; without a seat, none."""

    match_id: UUID
    title: str
    version: int
    head: str
    seat: int | None = None
    by: str | None = None
    actions: tuple[AnyAction, ...] = ()
    view: AnyView | None = None
    seed: str | None = None


class Imported(Wire, frozen=True):
    """A log that came in, or was here already."""

    match_id: UUID
    version: int
    head: str


class ForkShown(Wire, frozen=True):
    """A line of a match's tree: where it left its parent, by whom, with which luck, how it stands; `whatIf`: it is for
    arbiters alone."""

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
    """The tree of forks a match stands in: the line at its `root`, then a page of the others, the newest first."""

    root: UUID
    lines: tuple[ForkShown, ...]


class KnownView(Wire, frozen=True):
    """What a seat knew at a moment; without a seat, what everybody did."""

    seat: int | None
    view: AnyView | None
    legal_actions: tuple[str, ...]


class Invitation(Wire, frozen=True):
    """An invitation to a private table, without its secret; `used` counts the people who have come by it."""

    id: str
    match_id: UUID
    person: str
    """Who invites."""
    created: datetime
    used: int


class MadeInvitation(Wire, frozen=True):
    """A new invitation: `link` is the address within the service, with the secret where no server is told it."""

    id: str
    secret: str
    link: str
    created: datetime


class InvitationsShown(Listing, frozen=True):
    invitations: tuple[Invitation, ...]


class AcceptInvitation(Asked, frozen=True):
    """The secret of an invitation, as its link carries it behind `#`."""

    secret: Annotated[str, msgspec.Meta(max_length=SECRET_LENGTH_MAX)]


class AcceptedInvitation(Wire, frozen=True):
    match_id: UUID
