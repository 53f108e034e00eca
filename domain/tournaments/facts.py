"""Facts of a tournament: the tagged union of the records in its stream."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from domain.contests.prizes import Prizes
from domain.kernel.messages import Message
from domain.matches.facts import Actor
from domain.pairing.problem import Level, Pair, Problem
from domain.signatures.acts import Signed
from domain.tournaments.calendar import Calendar
from domain.tournaments.check_in_facts import CheckedIn, CheckInClosed, CheckInUndone
from domain.tournaments.claim_facts import CodeRenewed, ResultClaimed, ResultConfirmed
from domain.tournaments.contest_facts import SharedFact
from domain.tournaments.deadline_facts import DeadlineExtended, TableLeftToBots
from domain.tournaments.fact_base import SeatedAnew, Text, TournamentFact
from domain.tournaments.invitation_facts import InvitationDeclined, InvitationWithdrawn, PersonInvited
from domain.tournaments.photo_facts import PhotoAdded, PhotoRemoved
from domain.tournaments.plan import Plan


class TournamentOpened(TournamentFact, frozen=True):
    """The tournament was opened; `format` fixes which facts are signed, and by whom (`domain.tournaments.orders`)."""

    by: Actor
    plan: Plan
    format: int = 1


class PlanChanged(TournamentFact, frozen=True):
    """The plan changed; has a reason once a round is public."""

    by: Actor
    plan: Plan
    reason: Text = ""
    signed: Signed | None = None


class CalendarSet(TournamentFact, frozen=True):
    """The dates and the place changed; has a reason once a round is public."""

    by: Actor
    calendar: Calendar
    reason: Text = ""
    signed: Signed | None = None


class PrizesSet(TournamentFact, frozen=True):
    """The prizes changed; has a reason once a round is public."""

    by: Actor
    prizes: Prizes
    reason: Text = ""


class EntryMade(TournamentFact, frozen=True):
    """A player entered, or joined the waiting list.

    Without an actor: a player at face-to-face tables. `reason` is set if an organiser allows a late entry that the plan
    forbids. `club` is a plain word, `club_id` the club of which the player was a member.
    """

    by: Actor
    entry: str
    actor: Actor = ""
    name: str = ""
    club: str = ""
    family: str = ""
    seeding: int = 0
    waiting: bool = False
    reason: Text = ""
    signed: Signed | None = None
    club_id: UUID | None = None


class EntryPromoted(TournamentFact, frozen=True):
    """The first entry of the waiting list got a free place."""

    entry: str


class EntryWithdrawn(TournamentFact, frozen=True):
    """An entry was withdrawn; has a reason unless the player did it."""

    by: Actor
    entry: str
    reason: Text = ""
    signed: Signed | None = None


class EntryReturned(TournamentFact, frozen=True):
    """A withdrawn entry returned; has a reason unless the player did it."""

    by: Actor
    entry: str
    reason: Text = ""
    signed: Signed | None = None


class NoShowNoted(TournamentFact, frozen=True):
    """A player was absent from a table that had not begun; a bot, if named, took the seat.

    Older records have no reason, and may concern a table that had begun.
    """

    by: Actor
    round: int
    entry: str
    bot: Actor = ""
    reason: Text = ""
    signed: Signed | None = None


class NoShowWithdrawn(TournamentFact, frozen=True):
    """An absent player arrived after all and got the seat back."""

    by: Actor
    round: int
    entry: str
    reason: Text
    signed: Signed | None = None


class SubstituteNamed(TournamentFact, frozen=True):
    """A substitute plays for an entry at its table of a round; `actor` is empty if its own player does again."""

    by: Actor
    round: int
    entry: str
    actor: Actor = ""
    reason: Text = ""
    signed: Signed | None = None


class PairsSet(TournamentFact, frozen=True):
    """Pairs of entries that must not meet (`forbidden`) or must share a table (`wished`).

    Has a reason once a round is public; older records have none.
    """

    by: Actor
    forbidden: tuple[Pair, ...] = ()
    wished: tuple[Pair, ...] = ()
    reason: Text = ""
    signed: Signed | None = None


class PairingAsked(TournamentFact, frozen=True):
    """A pairing of the next round was requested; holds the pairing problem as of then."""

    by: Actor
    round: int
    stage: int
    problem: Problem
    way: Literal["tables", "dutch", "design", "bracket", "lot"]
    signed: Signed | None = None


class PairingProposed(TournamentFact, frozen=True):
    """The result of a pairing: tables of entries in seat order, and the reasons for each."""

    round: int
    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]
    levels: tuple[Level, ...]
    reasons: tuple[tuple[Message, ...], ...]
    engine: str


class PairingFailed(TournamentFact, frozen=True):
    """No pairing exists; `why` is the explanation, `conflicts` the demands that contradict each other."""

    round: int
    why: str
    conflicts: tuple[Message, ...] = ()


class PairingEdited(TournamentFact, frozen=True):
    """An organiser edited the proposed tables; `levels` judge the edited tables."""

    by: Actor
    round: int
    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]
    levels: tuple[Level, ...]
    reasons: tuple[tuple[Message, ...], ...]
    reason: Text = ""
    """The organiser's reason; older records have none."""
    signed: Signed | None = None


class TablesReseated(TournamentFact, frozen=True):
    """An organiser moved players between tables of a public round that had not begun."""

    by: Actor
    round: int
    tables: tuple[SeatedAnew, ...]
    byes: tuple[str, ...]
    levels: tuple[Level, ...]
    reason: Text
    signed: Signed | None = None


class TablesLocked(TournamentFact, frozen=True):
    """Tables (numbers from 1) that stay as they are when the rest is paired again."""

    by: Actor
    round: int
    tables: tuple[int, ...]


class RoundPublished(TournamentFact, frozen=True):
    """The tables of a round became public; each has the id of its future match."""

    by: Actor
    round: int
    matches: tuple[UUID, ...]
    signed: Signed | None = None


class RoundOpened(TournamentFact, frozen=True):
    """The matches of all tables were opened."""

    round: int


class RoundBegun(TournamentFact, frozen=True):
    """The waiting time ended: every table plays, with the service's share of luck for absent players."""

    round: int


class PlayersReminded(TournamentFact, frozen=True):
    """Players with unfinished tables were reminded of the deadline, `minutes` before it."""

    round: int
    deadline: datetime
    minutes: int


class DeadlinePassed(TournamentFact, frozen=True):
    """The deadline of a round passed, and its automatic consequences were applied.

    `until`: when the tables that still have no result are decided, or examined again.
    """

    round: int
    deadline: datetime
    until: datetime | None = None


class ResultEntered(TournamentFact, frozen=True):
    """The unverified result of a face-to-face table, by seats.

    A late one (the round was closed, or it replaces another result) has a reason.
    """

    by: Actor
    round: int
    table: int
    scores: tuple[int, ...]
    places: tuple[int, ...]
    signed: Signed | None = None
    reason: Text = ""


class ResultWithdrawn(TournamentFact, frozen=True):
    """The organiser took back a mistaken first result of a table, while the round was open."""

    by: Actor
    round: int
    table: int
    signed: Signed | None = None


class ResultRuled(TournamentFact, frozen=True):
    """A ruling on a table that cannot be finished, by an organiser, or by the service at a deadline.

    `drawn`: the places follow from the luck of its match, and anyone can recompute them. `overdue`: the seats placed
    last for owing a decision at the deadline, the longest overdue first. `bot`: the bot that played on from the last
    position, `lines`: the points of each line by seat.
    """

    by: Actor
    round: int
    table: int
    places: tuple[int, ...]
    scores: tuple[int, ...]
    reason: Text
    signed: Signed | None = None
    drawn: bool = False
    overdue: tuple[int, ...] = ()
    bot: Actor = ""
    lines: tuple[tuple[int, ...], ...] = ()


class PenaltyGiven(TournamentFact, frozen=True):
    """Sixtieths of a point deducted from an entry in the standings."""

    by: Actor
    entry: str
    sixtieths: int
    reason: Text
    signed: Signed | None = None


class RoundClosed(TournamentFact, frozen=True):
    """A round was closed."""

    by: Actor
    round: int
    signed: Signed | None = None


class Announced(TournamentFact, frozen=True):
    """An organiser made an announcement, public at once or from `since`."""

    by: Actor
    text: Text
    since: datetime | None = None


class AnnouncementShown(TournamentFact, frozen=True):
    """A scheduled announcement became public; `notice` is its index."""

    notice: int


class TournamentEnded(TournamentFact, frozen=True):
    """The tournament ended."""

    by: Actor
    signed: Signed | None = None


class ImportNoted(TournamentFact, frozen=True):
    """A file was imported; the same file again changes nothing."""

    by: Actor
    kind: Literal["players", "results"]
    digest: str
    count: int


Fact = (
    TournamentOpened
    | PlanChanged
    | CalendarSet
    | PrizesSet
    | CheckedIn
    | CheckInUndone
    | CheckInClosed
    | PersonInvited
    | InvitationDeclined
    | InvitationWithdrawn
    | EntryMade
    | EntryPromoted
    | EntryWithdrawn
    | EntryReturned
    | NoShowNoted
    | NoShowWithdrawn
    | SubstituteNamed
    | PairsSet
    | PairingAsked
    | PairingProposed
    | PairingFailed
    | PairingEdited
    | TablesReseated
    | TablesLocked
    | RoundPublished
    | RoundOpened
    | RoundBegun
    | PlayersReminded
    | DeadlineExtended
    | DeadlinePassed
    | TableLeftToBots
    | ResultClaimed
    | ResultConfirmed
    | CodeRenewed
    | PhotoAdded
    | PhotoRemoved
    | ResultEntered
    | ResultWithdrawn
    | ResultRuled
    | PenaltyGiven
    | RoundClosed
    | Announced
    | AnnouncementShown
    | TournamentEnded
    | ImportNoted
    | SharedFact
)
