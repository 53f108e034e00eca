"""Requests and responses about tournaments."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec

from api.contests.schemas import Password
from api.http.structs import Listing, RequestStruct, ResponseStruct, Short
from domain.contests.times import Moment
from domain.kernel.messages import Message
from domain.pairing.problem import Level, Pairing
from domain.tournaments.calendar import Calendar
from domain.tournaments.plan import Plan
from domain.tournaments.state import PUBLIC

Places = Annotated[tuple[Annotated[int, msgspec.Meta(ge=1, le=5)], ...], msgspec.Meta(max_length=5)]
Scores = Annotated[tuple[Annotated[int, msgspec.Meta(ge=-100_000, le=100_000)], ...], msgspec.Meta(max_length=5)]
TableNumbers = Annotated[tuple[Annotated[int, msgspec.Meta(ge=1, le=2_000)], ...], msgspec.Meta(max_length=1_000)]
EntryIds = Annotated[tuple[Short, ...], msgspec.Meta(max_length=2_000)]
Pairs = Annotated[tuple[tuple[Short, Short], ...], msgspec.Meta(max_length=2_000)]
Reason = Annotated[str, msgspec.Meta(max_length=1_000)]


class OpenTournament(RequestStruct, frozen=True):
    """A request to open a tournament as its organiser. `official`: another organiser and arbiter, by id or name."""

    plan: Plan
    official: Short = ""


class ChangePlan(RequestStruct, frozen=True):
    """A change of the plan; needs a reason once a round is public."""

    plan: Plan
    reason: Reason = ""


class Enter(RequestStruct, frozen=True):
    """A request to enter, for the caller unless it names someone. `password`: of the event.

    `club_id`: the club for which the caller enters, of several; without it a club of the conditions, or the first.

    Organisers invite accounts (`person`, by id or name), or enter bots (`count` of them), or with `name` alone players
    at face-to-face tables; a `reason` is needed against the plan, or to `waive` the conditions of entry.
    """

    person: Short = ""
    bot: Short = ""
    count: Annotated[int, msgspec.Meta(ge=1, le=500)] = 1
    name: Short = ""
    club: Short = ""
    family: Short = ""
    seeding: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 0
    reason: Reason = ""
    waive: bool = False
    password: Password = ""
    club_id: UUID | None = None


class Invite(RequestStruct, frozen=True):
    """A request to invite a person, by id or name."""

    person: Short


class AnswerInvitation(RequestStruct, frozen=True):
    """An answer to an invitation to the event, to return (`entry`), or to play for `entry` in a round (`round`)."""

    accept: bool
    entry: Short = ""
    round: Annotated[int, msgspec.Meta(ge=0, le=1_000)] = 0


class SetPairs(RequestStruct, frozen=True):
    """Pairs of entries to keep apart or together; needs a reason once a round is public."""

    forbidden: Pairs = ()
    wished: Pairs = ()
    reason: Reason = ""


class AskPairing(RequestStruct, frozen=True):
    """A request for a pairing. `tables` of the proposal are locked; another `again` draws another lot."""

    tables: TableNumbers = ()
    byes: EntryIds = ()
    again: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0


class SwapPeople(RequestStruct, frozen=True):
    """A swap of two entries, with a public reason."""

    first: Short
    second: Short
    reason: Reason


class MovePerson(RequestStruct, frozen=True):
    """A move of an entry to a table with a free seat (0: to the byes), with a public reason."""

    entry: Short
    table: Annotated[int, msgspec.Meta(ge=0, le=2_000)]
    reason: Reason


class LockTables(RequestStruct, frozen=True):
    """The tables of the proposal to lock."""

    tables: TableNumbers


class NoteNoShow(RequestStruct, frozen=True):
    """A no-show at a table that has not started, with a reason; `bot`: the event's bot takes the seat."""

    entry: Short
    reason: Reason
    bot: bool = False


class GiveReason(RequestStruct, frozen=True):
    """A reason."""

    reason: Reason


class NameSubstitute(RequestStruct, frozen=True):
    """The person, by id or name, who plays for an entry at its table: a substitute or its own player."""

    entry: Short
    person: Short
    reason: Reason


class GiveResult(RequestStruct, frozen=True):
    """Points and places by seat. `reason`: for a late or replaced result. `sure`: accept contradictory places."""

    scores: Scores
    places: Places
    reason: Reason = ""
    sure: bool = False


class RuleTable(RequestStruct, frozen=True):
    """A ruling on a table, by seat. `sure`: accept places that contradict the points."""

    scores: Scores
    places: Places
    reason: Reason
    sure: bool = False


class GivePenalty(RequestStruct, frozen=True):
    """Sixtieths of a point to deduct; negative numbers give them back."""

    entry: Short
    sixtieths: Annotated[int, msgspec.Meta(ge=-60_000, le=60_000)]
    reason: Reason


class Announce(RequestStruct, frozen=True):
    """An announcement, at once or from `since`."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=4_000)]
    since: Moment | None = None


class AnswerPairing(RequestStruct, frozen=True):
    """The result of a pairing: tables with reasons, or the explanation of a failure."""

    round: int
    expected_version: int
    pairing: Pairing | None = None
    reasons: tuple[tuple[Message, ...], ...] = ()
    why: str = ""
    conflicts: tuple[Message, ...] = ()


class OpenTable(RequestStruct, frozen=True):
    """A table to open; refused if the tournament is no longer at this version."""

    expected_version: int


class TakeStep(RequestStruct, frozen=True):
    """An automatic step."""

    step: Literal["check_in", "announce", "publish", "open", "start", "remind", "expire", "close", "ask", "offer"]
    expected_version: int


class EntryShown(ResponseStruct, frozen=True):
    """An entry; `kind`: person, bot, or guest for a player at face-to-face tables.

    `club`: the name of the club with `club_id`, of which the player was a member at the entry, or a plain word.
    """

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
    club_id: UUID | None


class InvitationShown(ResponseStruct, frozen=True):
    """An invitation to the event, to return (`entry`), or to play for `entry` in a round (`round`).

    `answer`: open or declined. The other fields describe the entry that acceptance makes.
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


class SubstituteShown(ResponseStruct, frozen=True):
    """The player of an entry at one table; the entry gets the points, and the seat is not rated."""

    entry: str
    player: str
    name: str


class ClaimShown(ResponseStruct, frozen=True):
    """The result of a table that the player of an entry claims."""

    entry: str
    scores: tuple[int, ...]
    places: tuple[int, ...]


class TableShown(ResponseStruct, frozen=True, kw_only=True):
    """A table of a round, by seats. `status`: waiting, playing, over, void, or none if no match is played here.

    `match_id` is the official line; `began_as` the first line, if a ruling has replaced it. `contradicted`: players
    claim different results. `scores` are as played. `absent`: entries whose player was absent; `handed_over`: entries
    whose player left the seat to a bot by choice.
    """

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


class RoundShown(ResponseStruct, frozen=True, kw_only=True):
    """A round."""

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
    """Reasons why a proposal can no longer be published."""
    start_due: datetime | None
    """When the tables start without absent players, unless they have started."""
    starts: datetime | None
    deadline: datetime | None
    deadline_passed: bool
    reminded: int
    """Minutes before the deadline of the last reminder; 0: none yet."""

    @property
    def is_public(self) -> bool:
        """Whether the round is public."""
        return self.status in PUBLIC


class NoticeShown(ResponseStruct, frozen=True):
    """An announcement; `since`: visible to organisers only until then."""

    at: datetime
    text: str
    since: datetime | None


class PenaltyShown(ResponseStruct, frozen=True):
    """A penalty in the standings."""

    at: datetime
    entry: str
    sixtieths: int
    reason: str


class TournamentShown(ResponseStruct, frozen=True, kw_only=True):
    """A tournament as the caller may see it; proposals are visible to organisers only.

    `invitations`: organisers see every open or declined invitation, other callers their own open ones. `rated`: tables
    that open now are rated; the plan asks for it, and an organiser of the service opened the event.
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


class TournamentListed(ResponseStruct, frozen=True, kw_only=True):
    """A tournament in a list."""

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
    """Tournaments, latest first."""

    events: tuple[TournamentListed, ...]


class ActShown(ResponseStruct, frozen=True, kw_only=True):
    """An act of an organiser; `version` is the record of the event that holds it."""

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
    """For a change of places: the new names at the changed tables."""
    scores: tuple[int, ...]
    places: tuple[int, ...]
    was_scores: tuple[int, ...]
    was_places: tuple[int, ...]
    late: bool
    sixtieths: int
    actor_name: str


class RecordShown(Listing, frozen=True):
    """The acts of the organisers of an event, latest first."""

    acts: tuple[ActShown, ...]
