"""The state of a tournament: an immutable value, evolved by facts."""

from collections.abc import Callable, Container, Mapping
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from domain.contests.notices import Notice, show_notice
from domain.contests.people import ContestPeople, people_after
from domain.contests.prizes import Prizes
from domain.kernel.messages import Message
from domain.kernel.values import Value, replace
from domain.matches.facts import Actor, is_bot
from domain.matches.log.records import Kind, Record
from domain.pairing.problem import Level, Pair, Problem
from domain.standings.contest import GivenResult, RoundTable
from domain.tournaments import facts, invitation_facts
from domain.tournaments.calendar import Calendar, extend_round
from domain.tournaments.check_in_facts import CheckedIn, CheckInClosed, CheckInUndone
from domain.tournaments.claim_facts import CodeRenewed, ResultClaimed, ResultConfirmed, claims_after, is_of_players
from domain.tournaments.contest_facts import SHARED, OfferAnswered, SharedFact
from domain.tournaments.deadline_facts import DeadlineExtended, TableLeftToBots
from domain.tournaments.entries import EntryStatus, Penalty, TournamentEntry, entry_of_id, place_of_id
from domain.tournaments.invitation_facts import InvitationDeclined, InvitationWithdrawn, PersonInvited
from domain.tournaments.orders import is_order
from domain.tournaments.photo_facts import Photo, PhotoAdded, PhotoRemoved, photos_after
from domain.tournaments.plan import Plan, wait_of, with_original_defaults
from domain.tournaments.table_seats import absent_at, present_at, reseated_tables, with_result, with_substitute_at

RoundStatus = Literal["asked", "failed", "proposed", "published", "opened", "closed"]
PUBLIC: Final = frozenset({"published", "opened", "closed"})


class Round(Value, frozen=True, kw_only=True, omit_defaults=True):
    """One round, from the pairing request until it is closed."""

    number: int
    stage: int
    status: RoundStatus
    problem: Problem
    way: str
    tables: tuple[RoundTable, ...] = ()
    byes: tuple[str, ...] = ()
    levels: tuple[Level, ...] = ()
    locked: tuple[int, ...] = ()
    engine: str = ""
    why: str = ""
    conflicts: tuple[Message, ...] = ()
    edited: bool = False
    waits_from: datetime | None = None
    """When the waiting time began: tables were opened, reseated, or a substitute was named."""
    begun: bool = False
    reseated: int = 0
    reminded: int = 0  # Minutes of the last reminder before the deadline `reminded_of`.
    reminded_of: datetime | None = None
    expired: datetime | None = None  # The last deadline that was enforced.
    undecided_until: datetime | None = None
    """When tables without a result after that deadline are decided, or examined again."""
    is_extended: bool = False
    """Whether the deadline was extended, which happens once."""
    closed_at: datetime | None = None

    @property
    def is_public(self) -> bool:
        """Whether the round is visible to everyone."""
        return self.status in PUBLIC

    @property
    def people(self) -> tuple[str, ...]:
        """The entries that play or have a bye."""
        return (*(name for table in self.tables for name in table.entries), *self.byes)

    def is_played(self, ended_matches: Container[UUID]) -> bool:
        """Return whether every table has a result; `ended_matches` holds the first ids of the finished matches."""
        return all(
            table.given is not None or (table.match in ended_matches and table.left_to_bots is None)
            for table in self.tables
        )

    @property
    def left_to_bots(self) -> Mapping[int, datetime]:
        """The numbers of the tables at which bots play on, and until when."""
        return {at: each.left_to_bots for at, each in enumerate(self.tables, start=1) if each.left_to_bots is not None}


class Tournament(Value, frozen=True, kw_only=True, omit_defaults=True):
    """The state of a tournament."""

    id: UUID
    organiser: Actor
    opened_at: datetime
    plan: Plan
    format: int = 1
    """Format of the records, which fixes the orders (`domain.tournaments.orders`)."""
    status: Literal["registering", "running", "ended"] = "registering"
    entries: tuple[TournamentEntry, ...] = ()
    invitations: invitation_facts.TournamentInvitations = invitation_facts.TournamentInvitations()
    forbidden: tuple[Pair, ...] = ()
    wished: tuple[Pair, ...] = ()
    rounds: tuple[Round, ...] = ()
    notices: tuple[Notice, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    imports: tuple[str, ...] = ()
    calendar: Calendar = Calendar()
    prizes: Prizes = Prizes()
    is_checked_in: bool = False
    """Whether the check-in is closed."""
    photos: tuple[Photo, ...] = ()
    people: ContestPeople = ContestPeople()

    def entry(self, name: str) -> TournamentEntry | None:
        """Return the entry with that id, or None."""
        return entry_of_id(self.entries, name)

    def entry_of(self, actor: Actor) -> TournamentEntry | None:
        """Return the entry of a person, or None; a bot may have several entries."""
        return next((entry for entry in self.entries if entry.actor == actor), None)

    def has_accepted(self, actor: Actor) -> bool:
        """Return whether an account itself entered, returned or took a seat; entries made by others do not count."""
        return self.invitations.has_accepted(actor, invitation_facts.SCOPE)

    @property
    def round(self) -> Round | None:
        """The latest round, or None."""
        return self.rounds[-1] if self.rounds else None

    @property
    def start_due(self) -> datetime | None:
        """When the tables of the latest round start without absent players."""
        waits_from = self.round.waits_from if self.round else None
        return None if waits_from is None else waits_from + wait_of(self.plan)

    @property
    def closed_rounds(self) -> tuple[Round, ...]:
        """The rounds that are closed."""
        return tuple(each for each in self.rounds if each.status == "closed")

    @property
    def players(self) -> frozenset[Actor]:
        """The accounts of people in the event: entrants, withdrawn ones only if they have played, and substitutes."""
        seated_ids = {name for each in self.rounds if each.is_public for name in each.people}
        entrants = {entry.actor for entry in self.entries if entry.status != "withdrawn" or entry.id in seated_ids}
        standing_in = {each.actor for last in self.rounds for table in last.tables for each in table.stand_ins}
        return frozenset(actor for actor in entrants | standing_in if actor and not is_bot(actor))

    @property
    def taking_part(self) -> tuple[TournamentEntry, ...]:
        """The entries that are not withdrawn, waiting ones included."""
        return tuple(entry for entry in self.entries if entry.status != "withdrawn")

    @property
    def played_rounds(self) -> tuple[Round, ...]:
        """The public rounds, which count in the standings."""
        return tuple(each for each in self.rounds if each.is_public)


def change_entry(state: Tournament, name: str, **changes: object) -> Tournament:
    """Return the state with one entry changed, or unchanged if it is unknown; found by index for large files."""
    at = place_of_id(state.entries, name)
    if at is None:
        return state
    changed = replace(state.entries[at], **changes)
    return replace(state, entries=(*state.entries[:at], changed, *state.entries[at + 1 :]))


def change_round(state: Tournament, number: int, **changes: object) -> Tournament:
    """Return the state with one round changed."""
    rounds = tuple(replace(each, **changes) if each.number == number else each for each in state.rounds)
    return replace(state, rounds=rounds)


def change_table(state: Tournament, number: int, table: int, change: Callable[[RoundTable], RoundTable]) -> Tournament:
    """Return the state with one table of a round changed; tables count from 1."""
    tables = state.rounds[number - 1].tables
    new = tuple(change(each) if at == table else each for at, each in enumerate(tables, start=1))
    return change_round(state, number, tables=new)


def add_entry(state: Tournament, fact: facts.EntryMade) -> Tournament:
    """Return the state with one more entry, which plays from the next round; its invitation is accepted."""
    last = state.rounds[-1].number if state.rounds else 0
    details = (fact.entry, fact.actor, fact.name, fact.club, fact.family, fact.seeding)
    status: EntryStatus = "waiting" if fact.waiting else "in"
    entry = TournamentEntry(*details, status, last + 1, club_id=fact.club_id)
    invitations = invitation_facts.after_entry(state.invitations, fact.by, fact.actor)
    return replace(state, entries=(*state.entries, entry), invitations=invitations)


def entry_returned(state: Tournament, _: Record, fact: facts.EntryReturned) -> Tournament:
    """Apply the return of an entry, which plays from the next round; its invitation is accepted."""
    state = change_entry(state, fact.entry, status="in", from_round=len(state.rounds) + 1, gone_by="")
    entry = state.entry(fact.entry)
    assert entry is not None
    return replace(state, invitations=invitation_facts.after_entry(state.invitations, fact.by, entry.actor, fact.entry))


def change_seat(state: Tournament, number: int, entry: str, change: Callable[[RoundTable], RoundTable]) -> Tournament:
    """Return the state with the table changed at which an entry sits."""
    tables = state.rounds[number - 1].tables
    return change_table(
        state, number, next(at for at, table in enumerate(tables, start=1) if entry in table.entries), change
    )


def no_show_noted(state: Tournament, _: Record, fact: facts.NoShowNoted) -> Tournament:
    """Apply a no-show: the entry is absent, and a bot, if named, takes its seat; an earlier bot leaves it."""
    bot = fact.bot
    if not fact.reason and not bot and state.rounds[fact.round - 1].status == "published":
        # Records from before no-shows had reasons: the plan's bot took the seat when the table was opened.
        bot = state.plan.bot

    return change_seat(state, fact.round, fact.entry, lambda table: absent_at(table, fact.entry, bot))


def no_show_withdrawn(state: Tournament, _: Record, fact: facts.NoShowWithdrawn) -> Tournament:
    """Apply the arrival of an absent player."""
    return change_seat(state, fact.round, fact.entry, lambda table: present_at(table, fact.entry))


def substitute_named(state: Tournament, record: Record, fact: facts.SubstituteNamed) -> Tournament:
    """Apply a substitute, or with no actor the player's return; in an open round the waiting time starts again."""
    last = state.rounds[fact.round - 1]
    state = change_seat(state, fact.round, fact.entry, lambda table: with_substitute_at(table, fact.entry, fact.actor))
    invitations = invitation_facts.after_seat(state.invitations, fact.by, fact.actor, fact.entry, last.number)
    state = replace(state, invitations=invitations)
    if last.waits_from is None:
        return state
    return change_round(state, fact.round, waits_from=record.timestamp, begun=False)


def pairing_asked(state: Tournament, _: Record, fact: facts.PairingAsked) -> Tournament:
    """Apply a pairing request: the event runs, and a round that is not public yet starts over."""
    rounds = tuple(each for each in state.rounds if each.number < fact.round)
    new = Round(number=fact.round, stage=fact.stage, status="asked", problem=fact.problem, way=fact.way)
    return replace(state, rounds=(*rounds, new), status="running")


def pairing_proposed(state: Tournament, _: Record, fact: facts.PairingProposed | facts.PairingEdited) -> Tournament:
    """Apply proposed or edited tables; tables requested as locked stay locked, edited ones lose their locks."""
    tables = tuple(RoundTable(table, reasons=reasons) for table, reasons in zip(fact.tables, fact.reasons, strict=True))
    state = change_round(state, fact.round, status="proposed", tables=tables, byes=fact.byes, levels=fact.levels)
    if isinstance(fact, facts.PairingEdited):
        return change_round(state, fact.round, edited=True, locked=())
    locked = {frozenset(table) for table in state.rounds[fact.round - 1].problem.locked}
    numbers = tuple(at for at, table in enumerate(fact.tables, start=1) if frozenset(table) in locked)
    return change_round(state, fact.round, engine=fact.engine, locked=numbers)


def round_published(state: Tournament, _: Record, fact: facts.RoundPublished) -> Tournament:
    """Apply the publication of a round: tables get their matches, and the problem loses its players."""
    tables = state.rounds[fact.round - 1].tables
    new = tuple(replace(table, match=match) for table, match in zip(tables, fact.matches, strict=True))
    problem = replace(state.rounds[fact.round - 1].problem, entrants=(), locked=(), byes=())
    return change_round(state, fact.round, status="published", tables=new, problem=problem)


def tables_reseated(state: Tournament, record: Record, fact: facts.TablesReseated) -> Tournament:
    """Apply a new seating; absences and substitutes move with players, and in an open round the wait restarts."""
    last = state.rounds[fact.round - 1]
    tables = reseated_tables(last.tables, fact.tables)
    state = change_round(
        state, fact.round, tables=tables, byes=fact.byes, levels=fact.levels, reseated=last.reseated + 1
    )
    if last.waits_from is None:
        return state
    return change_round(state, fact.round, waits_from=record.timestamp, begun=False)


def result_entered(state: Tournament, _: Record, fact: facts.ResultEntered | facts.ResultRuled) -> Tournament:
    """Apply an entered or ruled result; claims stay only if the players agreed on it."""
    is_ruled = isinstance(fact, facts.ResultRuled)
    result = GivenResult(fact.places, fact.scores, fact.by, fact.reason, is_ruled)
    return change_table(
        state,
        fact.round,
        fact.table,
        lambda table: with_result(table, result, keeps_claims=is_of_players(result)),
    )


def deadline_extended(state: Tournament, _: Record, fact: DeadlineExtended) -> Tournament:
    """Apply the extension of a round."""
    state = change_round(state, fact.round, is_extended=True)
    return replace(state, calendar=extend_round(state.calendar, fact.round, fact.deadline))


def result_claimed(state: Tournament, _: Record, fact: ResultClaimed | ResultConfirmed) -> Tournament:
    """Apply a claim or a confirmation."""
    return change_table(state, fact.round, fact.table, lambda table: replace(table, claims=claims_after(table, fact)))


def code_renewed(state: Tournament, _: Record, fact: CodeRenewed) -> Tournament:
    """Apply the renewal of an entry code by counting it."""
    entry = state.entry(fact.entry)
    assert entry is not None
    return change_entry(state, fact.entry, codes=entry.codes + 1)


def penalty_given(state: Tournament, record: Record, fact: facts.PenaltyGiven) -> Tournament:
    """Apply a penalty: note it, and add it to the entry's penalties."""
    entry = state.entry(fact.entry)
    assert entry is not None
    penalty = Penalty(record.timestamp, fact.by, fact.entry, fact.sixtieths, fact.reason)
    state = replace(state, penalties=(*state.penalties, penalty))
    return change_entry(state, fact.entry, penalty=entry.penalty + fact.sixtieths)


def people_changed(state: Tournament, record: Record, fact: SharedFact) -> Tournament:
    """Apply a fact that leagues share; a withdrawn entry plays on with its alternate."""
    if isinstance(fact, OfferAnswered) and fact.accepted:
        state = change_entry(state, fact.place, status="in", gone_by="")
    return replace(state, people=people_after(state.people, fact, record.timestamp))


EVOLVE: Final[dict[type[Any], Callable[[Tournament, Record, Any], Tournament]]] = {
    facts.PlanChanged: lambda state, _, fact: replace(state, plan=with_original_defaults(fact.plan)),
    facts.CalendarSet: lambda state, _, fact: replace(state, calendar=fact.calendar),
    facts.PrizesSet: lambda state, _, fact: replace(state, prizes=fact.prizes),
    CheckedIn: lambda state, _, fact: change_entry(state, fact.entry, is_there=True),
    CheckInUndone: lambda state, _, fact: change_entry(state, fact.entry, is_there=False),
    CheckInClosed: lambda state, _, __: replace(state, is_checked_in=True),
    PersonInvited: lambda state, _, fact: replace(state, invitations=state.invitations.with_new(fact)),
    InvitationDeclined: lambda state, _, fact: replace(state, invitations=state.invitations.with_refusal(fact)),
    InvitationWithdrawn: lambda state, _, fact: replace(state, invitations=state.invitations.with_closed(fact)),
    facts.EntryMade: lambda state, _, fact: add_entry(state, fact),
    facts.EntryPromoted: lambda state, _, fact: change_entry(
        state, fact.entry, status="in", from_round=len(state.rounds) + 1
    ),
    facts.EntryWithdrawn: lambda state, _, fact: change_entry(state, fact.entry, status="withdrawn", gone_by=fact.by),
    facts.EntryReturned: entry_returned,
    facts.NoShowNoted: no_show_noted,
    facts.NoShowWithdrawn: no_show_withdrawn,
    facts.SubstituteNamed: substitute_named,
    facts.PairsSet: lambda state, _, fact: replace(state, forbidden=fact.forbidden, wished=fact.wished),
    facts.PairingAsked: pairing_asked,
    **dict.fromkeys((facts.PairingProposed, facts.PairingEdited), pairing_proposed),
    facts.PairingFailed: lambda state, _, fact: change_round(
        state, fact.round, status="failed", why=fact.why, conflicts=fact.conflicts
    ),
    facts.TablesReseated: tables_reseated,
    facts.TablesLocked: lambda state, _, fact: change_round(state, fact.round, locked=fact.tables),
    facts.RoundPublished: round_published,
    facts.RoundOpened: lambda state, record, fact: change_round(
        state, fact.round, status="opened", waits_from=record.timestamp
    ),
    facts.RoundBegun: lambda state, _, fact: change_round(state, fact.round, begun=True),
    facts.PlayersReminded: lambda state, _, fact: change_round(
        state, fact.round, reminded=fact.minutes, reminded_of=fact.deadline
    ),
    DeadlineExtended: deadline_extended,
    facts.DeadlinePassed: lambda state, _, fact: change_round(
        state, fact.round, expired=fact.deadline, undecided_until=fact.until
    ),
    TableLeftToBots: lambda state, _, fact: change_table(
        state, fact.round, fact.table, lambda table: replace(table, left_to_bots=fact.until)
    ),
    **dict.fromkeys((ResultClaimed, ResultConfirmed), result_claimed),
    CodeRenewed: code_renewed,
    PhotoAdded: lambda state, record, fact: replace(state, photos=photos_after(state.photos, record, fact)),
    PhotoRemoved: lambda state, record, fact: replace(state, photos=photos_after(state.photos, record, fact)),
    facts.ResultEntered: result_entered,
    facts.ResultWithdrawn: lambda state, _, fact: change_table(
        state, fact.round, fact.table, lambda table: replace(table, given=None)
    ),
    facts.ResultRuled: result_entered,
    facts.PenaltyGiven: penalty_given,
    facts.RoundClosed: lambda state, record, fact: change_round(
        state, fact.round, status="closed", closed_at=record.timestamp
    ),
    facts.Announced: lambda state, record, fact: replace(
        state, notices=(*state.notices, Notice(record.timestamp, fact.by, fact.text, fact.since))
    ),
    facts.AnnouncementShown: lambda state, record, fact: replace(
        state, notices=show_notice(state.notices, fact.notice, record.timestamp)
    ),
    facts.TournamentEnded: lambda state, _, __: replace(state, status="ended"),
    facts.ImportNoted: lambda state, _, fact: replace(state, imports=(*state.imports, fact.digest)),
    **dict.fromkeys(SHARED, people_changed),
}


def evolve(state: Tournament | None, record: Record, fact: facts.Fact) -> Tournament:
    """Return the tournament after one more record; never refuses one."""
    if isinstance(fact, facts.TournamentOpened):
        plan = with_original_defaults(fact.plan)
        opened = Tournament(id=record.stream_id, organiser=fact.by, opened_at=record.timestamp, plan=plan)
        return replace(opened, format=fact.format)
    assert state is not None
    return EVOLVE[type(fact)](state, record, fact)


TOURNAMENT: Final[Kind[facts.Fact, Tournament]] = Kind("tournament", facts.Fact, evolve, is_order)
