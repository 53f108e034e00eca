"""What requests and answers about tournaments look like on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec

from api.http.wire import Asked, Listing, Short, Wire
from domain.kernel.messages import Message
from domain.pairing.problem import Level, Pairing
from domain.tournaments.calendar import Calendar, Moment
from domain.tournaments.plan import Plan
from domain.tournaments.state import PUBLIC

Places = Annotated[tuple[Annotated[int, msgspec.Meta(ge=1, le=5)], ...], msgspec.Meta(max_length=5)]
Scores = Annotated[tuple[Annotated[int, msgspec.Meta(ge=-100_000, le=100_000)], ...], msgspec.Meta(max_length=5)]
TableNumbers = Annotated[tuple[Annotated[int, msgspec.Meta(ge=1, le=2_000)], ...], msgspec.Meta(max_length=1_000)]
EntryIds = Annotated[tuple[Short, ...], msgspec.Meta(max_length=2_000)]
Reason = Annotated[str, msgspec.Meta(max_length=1_000)]


class OpenTournament(Asked, frozen=True):
    """A tournament to be opened; the caller becomes its organiser. `official`: somebody else, by id or name, who
    organises and arbitrates it too."""

    plan: Plan
    official: Short = ""


class ChangePlan(Asked, frozen=True):
    """Another plan; once a round is public, with the reason."""

    plan: Plan
    reason: Reason = ""


class Enter(Asked, frozen=True):
    """A request to enter. Without fields the caller enters, and accepts an invitation.

    Organisers enter other accounts, by id or name, which are invited and become players once they accept; bots (`count`
    of them); or with `name` alone a player of tables face to face. An entry that the plan no longer allows
    needs a reason.
    """

    person: Short = ""
    bot: Short = ""
    count: Annotated[int, msgspec.Meta(ge=1, le=500)] = 1
    name: Short = ""
    club: Short = ""
    family: Short = ""
    seeding: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 0
    reason: Reason = ""


class Invite(Asked, frozen=True):
    person: Short


class AnswerInvitation(Asked, frozen=True):
    """The answer to an invitation: without `entry` and `round` to the event; with `entry` to return with that entry;
    with `round` too to play for it at its table of that round."""

    accept: bool
    entry: Short = ""
    round: Annotated[int, msgspec.Meta(ge=0, le=1_000)] = 0


Pairs = Annotated[tuple[tuple[Short, Short], ...], msgspec.Meta(max_length=2_000)]


class SetPairs(Asked, frozen=True):
    """Who must not meet, and who must sit together, by entries; once a round is public, with the reason."""

    forbidden: Pairs = ()
    wished: Pairs = ()
    reason: Reason = ""


class AskPairing(Asked, frozen=True):
    """The next round is to be paired. `tables` of the present proposal stand; `again` draws another lot."""

    tables: TableNumbers = ()
    byes: EntryIds = ()
    again: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0


class SwapPeople(Asked, frozen=True):
    """Two entries change places; why is told to everybody."""

    first: Short
    second: Short
    reason: Reason


class MovePerson(Asked, frozen=True):
    """An entry goes to a table with a seat left; table 0: to the byes. Why is told to everybody."""

    entry: Short
    table: Annotated[int, msgspec.Meta(ge=0, le=2_000)]
    reason: Reason


class LockTables(Asked, frozen=True):
    tables: TableNumbers


class NoteNoShow(Asked, frozen=True):
    """Somebody did not come to a table that has not begun, and why you say so; with `bot`, the tournament's bot takes
    the seat."""

    entry: Short
    reason: Reason
    bot: bool = False


class GiveReason(Asked, frozen=True):
    """Why it is done."""

    reason: Reason


class NameSubstitute(Asked, frozen=True):
    """The person, by id or name, who plays for an entry at its table; its own player comes back the same way."""

    entry: Short
    person: Short
    reason: Reason


class GiveResult(Asked, frozen=True):
    """Points and places by seat of a table played face to face; with a reason where the round is closed, or another
    result was entered before. `sure`: the places are meant, though they contradict the points."""

    scores: Scores
    places: Places
    reason: Reason = ""
    sure: bool = False


class RuleTable(Asked, frozen=True):
    """What the table counts as, by seat, and why. `sure`: the places are meant, though they contradict the points."""

    scores: Scores
    places: Places
    reason: Reason
    sure: bool = False


class GivePenalty(Asked, frozen=True):
    """Sixtieths of a point taken off; a number below zero gives them back."""

    entry: Short
    sixtieths: Annotated[int, msgspec.Meta(ge=-60_000, le=60_000)]
    reason: Reason


class Announce(Asked, frozen=True):
    """Something for everybody: at once, or from a time on."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=4_000)]
    since: Moment | None = None


# For the service itself


class AnswerPairing(Asked, frozen=True):
    """What a pairing came to: the tables and their reasons, or why there is none."""

    round: int
    expected_version: int
    pairing: Pairing | None = None
    reasons: tuple[tuple[Message, ...], ...] = ()
    why: str = ""
    conflicts: tuple[Message, ...] = ()


class OpenTable(Asked, frozen=True):
    """A table is opened for the version that was asked what it waits for."""

    expected_version: int


class TakeStep(Asked, frozen=True):
    step: Literal["check_in", "announce", "publish", "open", "start", "remind", "expire", "close", "ask"]
    expected_version: int


# What is shown


class EntryShown(Wire, frozen=True):
    """Somebody who takes part; `kind`: person, bot, or guest for who plays face to face."""

    entry: str
    name: str
    kind: str
    player: str | None
    club: str
    family: str
    seeding: int
    status: str
    penalty: int
    checked_in: bool


class InvitationShown(Wire, frozen=True):
    """An invitation to the event, or with `entry` to return with it, or with `round` too to play for it there.

    `answer`: open, or declined. The other fields describe the entry that acceptance makes.
    """

    person: str
    name: str
    by_name: str
    entry: str | None
    round: int | None
    answer: str
    reason: str
    club: str
    family: str
    seeding: int


class SubstituteShown(Wire, frozen=True):
    """Who plays for an entry at one table; its points are the entry's, and nobody is rated for the seat."""

    entry: str
    player: str
    name: str


class ClaimShown(Wire, frozen=True):
    """What the player of an entry says the table came to."""

    entry: str
    scores: tuple[int, ...]
    places: tuple[int, ...]


class TableShown(Wire, frozen=True, kw_only=True):
    """A table of a round, by seats. `status`: waiting, playing, over, void or none, where no match is played here.
    `match_id` is the line that counts; where a ruling has put it in the place of another, `began_as` is the first.
    `contradicted`: its players have entered different results. `scores` are as they were played. `absent`:
    entries whose player was absent; `handed_over`: entries whose player left the seat to a bot by choice."""

    table: int
    entries: tuple[str, ...]
    names: tuple[str, ...]
    match_id: UUID | None
    began_as: UUID | None
    status: str
    scores: tuple[int, ...] | None
    places: tuple[int, ...] | None
    unverified: bool
    ruled: bool
    locked: bool
    absent: tuple[str, ...]
    handed_over: tuple[str, ...]
    substitutes: tuple[SubstituteShown, ...]
    reasons: tuple[str, ...]
    claims: tuple[ClaimShown, ...]
    contradicted: bool


class RoundShown(Wire, frozen=True, kw_only=True):
    round: int
    stage: int
    status: str
    tables: tuple[TableShown, ...]
    byes: tuple[str, ...]
    levels: tuple[Level, ...]
    engine: str
    why: str
    edited: bool
    misfits: tuple[str, ...]
    """Why a proposal can no longer be published, one sentence each."""
    start_due: datetime | None
    """When the tables begin without those who have not come, unless they have begun by then."""
    starts: datetime | None
    deadline: datetime | None
    deadline_passed: bool
    reminded: int
    """How many minutes before the deadline its players were reminded last; 0: not yet."""

    @property
    def is_public(self) -> bool:
        return self.status in PUBLIC


class NoticeShown(Wire, frozen=True):
    """What was announced; `since`: it is for organisers alone until then."""

    at: datetime
    text: str
    since: datetime | None


class PenaltyShown(Wire, frozen=True):
    at: datetime
    entry: str
    sixtieths: int
    reason: str


class TournamentShown(Wire, frozen=True, kw_only=True):
    """A tournament as the caller may see it; proposals are for its organisers.

    `invitations`: organisers see every open or declined invitation, other callers their own open ones.

    `rated`: tables that open now are rated; the plan asks for it, and an organiser of the service opened the event.
    """

    event_id: UUID
    version: int
    head: str
    status: str
    organiser: str
    organiser_name: str
    opened_at: datetime
    plan: Plan
    rated: bool
    entries: tuple[EntryShown, ...]
    invitations: tuple[InvitationShown, ...]
    rounds: tuple[RoundShown, ...]
    notices: tuple[NoticeShown, ...]
    penalties: tuple[PenaltyShown, ...]
    calendar: Calendar
    check_in_closed: bool
    is_organiser: bool
    entry: str | None


class TournamentListed(Wire, frozen=True, kw_only=True):
    event_id: UUID
    name: str
    title: str
    size: int
    status: str
    registration: str
    entries: int
    rounds: int
    organiser_name: str
    opened_at: datetime


class TournamentsShown(Listing, frozen=True):
    """Events, the newest first."""

    events: tuple[TournamentListed, ...]


class ActShown(Wire, frozen=True, kw_only=True):
    """What an organiser did: `kind` says what, `version` is the record of the event that holds it."""

    version: int
    at: datetime
    by: str
    by_name: str
    kind: str
    reason: str
    round: int | None
    table: int | None
    entries: tuple[str, ...]
    names: tuple[str, ...]
    tables: tuple[tuple[int, tuple[str, ...]], ...]
    """Of a change of places: who sits now at the tables that it changed, by name."""
    scores: tuple[int, ...]
    places: tuple[int, ...]
    was_scores: tuple[int, ...]
    was_places: tuple[int, ...]
    late: bool
    sixtieths: int
    actor_name: str


class RecordShown(Listing, frozen=True):
    """The acts of the organisers of an event, the newest first."""

    acts: tuple[ActShown, ...]


class TournamentOwedShown(Wire, frozen=True, kw_only=True):
    """What a tournament waits for, for the service itself."""

    event_id: UUID
    version: int
    step: str
    problem: msgspec.Raw
    round: int = 0
    tables: int = 0
    way: str = ""
