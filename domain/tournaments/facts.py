"""What happens to a tournament: the tagged union every record of its stream holds one of."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from domain.kernel.messages import Message
from domain.kernel.values import Value
from domain.matches.facts import Actor
from domain.pairing.problem import Level, Pair, Problem
from domain.signatures.acts import Signed
from domain.tournaments.calendar import Calendar
from domain.tournaments.claimed import CodeRenewed, ResultClaimed, ResultConfirmed
from domain.tournaments.fact import Text, TournamentFact
from domain.tournaments.invited import InvitationDeclined, InvitationWithdrawn, PersonInvited
from domain.tournaments.photographed import PhotoAdded, PhotoRemoved
from domain.tournaments.plan import Plan
from domain.tournaments.prizes import Prizes


class TournamentOpened(TournamentFact, frozen=True):
    by: Actor
    plan: Plan


class PlanChanged(TournamentFact, frozen=True):
    """Another plan; once a round is public, with the reason."""

    by: Actor
    plan: Plan
    reason: Text = ""


class CalendarSet(TournamentFact, frozen=True):
    """When and where it takes place; once a round is public, with the reason."""

    by: Actor
    calendar: Calendar
    reason: Text = ""


class PrizesSet(TournamentFact, frozen=True):
    """What the places get; once a round is public, with the reason."""

    by: Actor
    prizes: Prizes
    reason: Text = ""


class CheckedIn(TournamentFact, frozen=True):
    """Somebody is there, by their own word or the organiser's."""

    by: Actor
    entry: str


class CheckInUndone(TournamentFact, frozen=True):
    """Somebody was taken for somebody else, or has left again."""

    by: Actor
    entry: str


class CheckInClosed(TournamentFact, frozen=True):
    """Its time is over: the withdrawals of those who did not check in come with it."""

    by: Actor


class EntryMade(TournamentFact, frozen=True):
    """Somebody takes part, or waits for a place. Without an actor: a player of tables face to face. With a reason where
    an organiser lets them in though the plan lets nobody enter late."""

    by: Actor
    entry: str
    actor: Actor = ""
    name: str = ""
    club: str = ""
    family: str = ""
    seeding: int = 0
    waiting: bool = False
    reason: Text = ""


class EntryPromoted(TournamentFact, frozen=True):
    """A place became free: the next of the waiting list has it."""

    entry: str


class EntryWithdrawn(TournamentFact, frozen=True):
    """Somebody goes; with a reason where it is not their own word."""

    by: Actor
    entry: str
    reason: Text = ""


class EntryReturned(TournamentFact, frozen=True):
    """Somebody who had withdrawn takes part again; with a reason where it is not their own word."""

    by: Actor
    entry: str
    reason: Text = ""


class NoShowNoted(TournamentFact, frozen=True):
    """Somebody did not come to their table of a round, which has not begun; a bot has taken the seat if one is named.
    Older records have no reason, and may be about a table that had begun."""

    by: Actor
    round: int
    entry: str
    bot: Actor = ""
    reason: Text = ""
    signed: Signed | None = None


class NoShowWithdrawn(TournamentFact, frozen=True):
    """Somebody who had been noted as absent has come after all; the seat is theirs again."""

    by: Actor
    round: int
    entry: str
    reason: Text
    signed: Signed | None = None


class SubstituteNamed(TournamentFact, frozen=True):
    """At the table of one round somebody else plays for an entry; `actor` is empty when its own player does again."""

    by: Actor
    round: int
    entry: str
    actor: Actor = ""
    reason: Text = ""


class PairsSet(TournamentFact, frozen=True):
    """Who must not meet, and who must sit together; by entries. Once a round is public, with the reason; older
    ones have none."""

    by: Actor
    forbidden: tuple[Pair, ...] = ()
    wished: tuple[Pair, ...] = ()
    reason: Text = ""


class PairingAsked(TournamentFact, frozen=True):
    """The organiser wants a pairing of the next round; the problem is written down as it was then."""

    by: Actor
    round: int
    stage: int
    problem: Problem
    way: Literal["tables", "dutch", "design", "bracket", "lot"]


class PairingProposed(TournamentFact, frozen=True):
    """What the pairing came to: tables by entries in the order of their seats, and why each is as it is."""

    round: int
    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]
    levels: tuple[Level, ...]
    reasons: tuple[tuple[Message, ...], ...]
    engine: str


class PairingFailed(TournamentFact, frozen=True):
    """There is no such pairing; the sentence says why, `conflicts` names the demands that contradict each other."""

    round: int
    why: str
    conflicts: tuple[Message, ...] = ()


class PairingEdited(TournamentFact, frozen=True):
    """The organiser moved somebody; the levels are those of the tables as they are now."""

    by: Actor
    round: int
    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]
    levels: tuple[Level, ...]
    reasons: tuple[tuple[Message, ...], ...]
    reason: Text = ""
    """Why, in the organiser's words; older records have none."""


class SeatedAnew(Value, frozen=True):
    """A table of a public round whose people are others now: its number, who sits there, and the match they play."""

    table: int
    entries: tuple[str, ...]
    match: UUID
    reasons: tuple[Message, ...] = ()


class TablesReseated(TournamentFact, frozen=True):
    """After the round was published the organiser changed places at tables that had not begun."""

    by: Actor
    round: int
    tables: tuple[SeatedAnew, ...]
    byes: tuple[str, ...]
    levels: tuple[Level, ...]
    reason: Text
    signed: Signed | None = None


class TablesLocked(TournamentFact, frozen=True):
    """Tables (by number, from 1) that stand when the rest is paired again."""

    by: Actor
    round: int
    tables: tuple[int, ...]


class RoundPublished(TournamentFact, frozen=True):
    """The tables stand and everybody may see them; each has the id its match will have."""

    by: Actor
    round: int
    matches: tuple[UUID, ...]


class RoundOpened(TournamentFact, frozen=True):
    """The matches of all tables are there."""

    round: int


class RoundBegun(TournamentFact, frozen=True):
    """The time to come is over: every table of the round plays, with the service's share of luck for the absent."""

    round: int


class PlayersReminded(TournamentFact, frozen=True):
    """Whoever has not finished their table of the round is told that its deadline is so many minutes away."""

    round: int
    deadline: datetime
    minutes: int


class DeadlinePassed(TournamentFact, frozen=True):
    """The deadline of the round is over, and its consequence has been drawn where it is the service's to draw."""

    round: int
    deadline: datetime


class ResultEntered(TournamentFact, frozen=True):
    """The result of a table played face to face, by seats: marked, and unverified. A late one (its round was closed, or
    another had been entered) has a reason."""

    by: Actor
    round: int
    table: int
    scores: tuple[int, ...]
    places: tuple[int, ...]
    signed: Signed | None = None
    reason: Text = ""


class ResultWithdrawn(TournamentFact, frozen=True):
    """The first result of a table, taken back by the organiser who entered it while the round goes on: a slip."""

    by: Actor
    round: int
    table: int
    signed: Signed | None = None


class ResultRuled(TournamentFact, frozen=True):
    """The organiser rules on a table that cannot be played to its end, by seats; or the service, at a deadline.
    `drawn`: the places are a draw from the luck of its match, which anybody can repeat."""

    by: Actor
    round: int
    table: int
    places: tuple[int, ...]
    scores: tuple[int, ...]
    reason: Text
    signed: Signed | None = None
    drawn: bool = False


class PenaltyGiven(TournamentFact, frozen=True):
    """Sixtieths of a point taken from somebody in the standings."""

    by: Actor
    entry: str
    sixtieths: int
    reason: Text
    signed: Signed | None = None


class RoundClosed(TournamentFact, frozen=True):
    by: Actor
    round: int
    signed: Signed | None = None


class Announced(TournamentFact, frozen=True):
    """The organiser tells everybody something: at once, or from a time on."""

    by: Actor
    text: Text
    since: datetime | None = None


class AnnouncementShown(TournamentFact, frozen=True):
    """The time of an announcement has come, the place of which in their order this is; everybody sees it."""

    notice: int


class TournamentEnded(TournamentFact, frozen=True):
    by: Actor
    signed: Signed | None = None


class ImportNoted(TournamentFact, frozen=True):
    """A file came in; the same file again changes nothing."""

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
    | DeadlinePassed
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
)
