"""The tournament as it stands after a record: an immutable value, and how a fact changes it."""

from collections.abc import Callable, Container
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from domain.kernel.messages import Message
from domain.kernel.values import Value, replace
from domain.matches.facts import Actor, is_bot
from domain.matches.log.records import Kind, Record
from domain.pairing.problem import Level, Pair, Problem
from domain.standings.contest import GivenResult, RoundTable, StandIn
from domain.tournaments import facts, invited
from domain.tournaments.calendar import Calendar
from domain.tournaments.claimed import CodeRenewed, ResultClaimed, ResultConfirmed, claims_after, is_of_players
from domain.tournaments.entries import TournamentEntry, entry_of_id, place_of_id
from domain.tournaments.notices import Penalty, TournamentNotice
from domain.tournaments.photographed import Photo, PhotoAdded, PhotoRemoved, photos_after
from domain.tournaments.plan import Plan, as_it_was_meant, wait_of
from domain.tournaments.prizes import Prizes

RoundStatus = Literal["asked", "failed", "proposed", "published", "opened", "closed"]
PUBLIC: Final = frozenset({"published", "opened", "closed"})
"""What a round is that everybody may see."""


class Round(Value, frozen=True, kw_only=True, omit_defaults=True):
    """One round, from the wish to pair it until it is closed."""

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
    """When the players were last told to come: the tables were opened, or a substitute was named."""
    begun: bool = False
    """The time to come is over, and all tables play."""
    reseated: int = 0
    """How often places were changed after the round was public."""
    reminded: int = 0
    """How many minutes before the deadline `reminded_of` its players were reminded last."""
    reminded_of: datetime | None = None
    expired: datetime | None = None
    """The deadline that is over, with its consequence."""
    closed_at: datetime | None = None

    @property
    def is_public(self) -> bool:
        """Everybody may see it."""
        return self.status in PUBLIC

    @property
    def people(self) -> tuple[str, ...]:
        """Who plays or has a bye."""
        return (*(name for table in self.tables for name in table.entries), *self.byes)

    def is_played(self, over: Container[UUID]) -> bool:
        """Every table has a result; `over` holds the matches that have one, by the ids they began as."""
        return all(table.given is not None or table.match in over for table in self.tables)


class Tournament(Value, frozen=True, kw_only=True, omit_defaults=True):
    """The tournament."""

    id: UUID
    organiser: Actor
    opened_at: datetime
    plan: Plan
    status: Literal["registering", "running", "ended"] = "registering"
    entries: tuple[TournamentEntry, ...] = ()
    invitations: invited.TournamentInvitations = invited.TournamentInvitations()
    forbidden: tuple[Pair, ...] = ()
    wished: tuple[Pair, ...] = ()
    rounds: tuple[Round, ...] = ()
    notices: tuple[TournamentNotice, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    imports: tuple[str, ...] = ()
    calendar: Calendar = Calendar()
    prizes: Prizes = Prizes()
    is_checked_in: bool = False
    """The check-in is closed."""
    photos: tuple[Photo, ...] = ()

    def entry(self, name: str) -> TournamentEntry | None:
        return entry_of_id(self.entries, name)

    def entry_of(self, actor: Actor) -> TournamentEntry | None:
        """The entry of a person; bots may take part many times."""
        return next((entry for entry in self.entries if entry.actor == actor), None)

    def has_accepted(self, actor: Actor) -> bool:
        """Return whether an account itself entered, returned or took a seat.

        Entries made by others, as older versions allowed, count for results and ratings but not as consent.
        """
        return self.invitations.has_accepted(actor, invited.SCOPE)

    @property
    def round(self) -> Round | None:
        """The newest round."""
        return self.rounds[-1] if self.rounds else None

    @property
    def start_due(self) -> datetime | None:
        """When the tables of the newest round begin without those who have not come."""
        waits_from = self.round.waits_from if self.round else None
        return None if waits_from is None else waits_from + wait_of(self.plan)

    @property
    def closed_rounds(self) -> tuple[Round, ...]:
        return tuple(each for each in self.rounds if each.status == "closed")

    @property
    def players(self) -> frozenset[Actor]:
        """Whoever takes part, has played in a round before withdrawing, or has stood in for somebody."""
        seated = {name for each in self.rounds if each.is_public for name in each.people}
        own = {entry.actor for entry in self.entries if entry.status != "withdrawn" or entry.id in seated}
        standing_in = {each.actor for last in self.rounds for table in last.tables for each in table.stand_ins}
        return frozenset(actor for actor in own | standing_in if actor and not is_bot(actor))

    @property
    def taking_part(self) -> tuple[TournamentEntry, ...]:
        """The entries that have not been withdrawn, those that wait for a place included."""
        return tuple(entry for entry in self.entries if entry.status != "withdrawn")

    @property
    def played_rounds(self) -> tuple[Round, ...]:
        """The rounds that count in the standings: those everybody may see."""
        return tuple(each for each in self.rounds if each.is_public)


def changed_entry(state: Tournament, name: str, **changes: Any) -> Tournament:
    """Change one entry by its index, without a search through the others: a file may withdraw thousands."""
    at = place_of_id(state.entries, name)
    if at is None:
        return state
    changed = replace(state.entries[at], **changes)
    return replace(state, entries=(*state.entries[:at], changed, *state.entries[at + 1 :]))


def changed_round(state: Tournament, number: int, **changes: Any) -> Tournament:
    rounds = tuple(replace(each, **changes) if each.number == number else each for each in state.rounds)
    return replace(state, rounds=rounds)


def changed_table(state: Tournament, number: int, table: int, change: Callable[[RoundTable], RoundTable]) -> Tournament:
    """One table of a round, counted from 1."""
    tables = state.rounds[number - 1].tables
    new = tuple(change(each) if at == table else each for at, each in enumerate(tables, start=1))
    return changed_round(state, number, tables=new)


def add_entry(state: Tournament, fact: facts.EntryMade) -> Tournament:
    """The event with one more entry; no record is needed, so that several can be decided one upon the other."""
    last = state.rounds[-1].number if state.rounds else 0
    entry = TournamentEntry(
        fact.entry,
        fact.actor,
        fact.name,
        fact.club,
        fact.family,
        fact.seeding,
        "waiting" if fact.waiting else "in",
        last + 1,
    )
    invitations = invited.after_entry(state.invitations, fact.by, fact.actor)
    return replace(state, entries=(*state.entries, entry), invitations=invitations)


def returned(state: Tournament, _: Record, fact: facts.EntryReturned) -> Tournament:
    state = changed_entry(state, fact.entry, status="in", from_round=len(state.rounds) + 1, gone_by="")
    entry = state.entry(fact.entry)
    assert entry is not None
    return replace(state, invitations=invited.after_entry(state.invitations, fact.by, entry.actor, fact.entry))


def changed_seat(state: Tournament, number: int, entry: str, change: Callable[[RoundTable], RoundTable]) -> Tournament:
    """The table of a round at which an entry sits."""
    tables = state.rounds[number - 1].tables
    return changed_table(
        state, number, next(at for at, table in enumerate(tables, start=1) if entry in table.entries), change
    )


def no_show(state: Tournament, _: Record, fact: facts.NoShowNoted) -> Tournament:
    bot = fact.bot
    if not fact.reason and not bot and state.rounds[fact.round - 1].status == "published":
        # As it was before no-shows had reasons: a table that was opened afterwards had the plan's bot in the seat.
        bot = state.plan.bot

    def change(table: RoundTable) -> RoundTable:
        after = present_at(table, fact.entry)
        bots = (*after.bots, StandIn(fact.entry, bot)) if bot else after.bots
        return replace(after, absent=tuple(sorted({*after.absent, fact.entry})), bots=bots)

    return changed_seat(state, fact.round, fact.entry, change)


def came(state: Tournament, _: Record, fact: facts.NoShowWithdrawn) -> Tournament:
    return changed_seat(state, fact.round, fact.entry, lambda table: present_at(table, fact.entry))


def present_at(table: RoundTable, entry: str) -> RoundTable:
    """The table without a note that an entry did not come."""
    absent = tuple(name for name in table.absent if name != entry)
    return replace(table, absent=absent, bots=tuple(each for each in table.bots if each.entry != entry))


def substituted(state: Tournament, record: Record, fact: facts.SubstituteNamed) -> Tournament:
    """A substitute has the whole time to come, and plays for an entry that did not."""
    last = state.rounds[fact.round - 1]

    def change(table: RoundTable) -> RoundTable:
        after = present_at(table, fact.entry)
        others = tuple(each for each in after.stand_ins if each.entry != fact.entry)
        named = (StandIn(fact.entry, fact.actor),) if fact.actor else ()
        return replace(after, stand_ins=(*others, *named))

    state = changed_seat(state, fact.round, fact.entry, change)
    state = replace(
        state, invitations=invited.after_seat(state.invitations, fact.by, fact.actor, fact.entry, last.number)
    )
    if last.waits_from is None:
        return state
    return changed_round(state, fact.round, waits_from=record.timestamp, begun=False)


def asked(state: Tournament, _: Record, fact: facts.PairingAsked) -> Tournament:
    """Asked for again, a round that is not public yet begins anew; what was locked is in the problem."""
    rounds = tuple(each for each in state.rounds if each.number < fact.round)
    new = Round(number=fact.round, stage=fact.stage, status="asked", problem=fact.problem, way=fact.way)
    return replace(state, rounds=(*rounds, new), status="running")


def proposed(state: Tournament, _: Record, fact: facts.PairingProposed | facts.PairingEdited) -> Tournament:
    tables = tuple(RoundTable(table, reasons=reasons) for table, reasons in zip(fact.tables, fact.reasons, strict=True))
    state = changed_round(state, fact.round, status="proposed", tables=tables, byes=fact.byes, levels=fact.levels)
    if isinstance(fact, facts.PairingEdited):
        return changed_round(state, fact.round, edited=True, locked=())
    locked = {frozenset(table) for table in state.rounds[fact.round - 1].problem.locked}
    numbers = tuple(at for at, table in enumerate(fact.tables, start=1) if frozenset(table) in locked)
    return changed_round(state, fact.round, engine=fact.engine, locked=numbers)


def published(state: Tournament, _: Record, fact: facts.RoundPublished) -> Tournament:
    tables = state.rounds[fact.round - 1].tables
    new = tuple(replace(table, match=match) for table, match in zip(tables, fact.matches, strict=True))
    # Why each table is as it is has been written down; who had met whom then need not be kept twice.
    problem = replace(state.rounds[fact.round - 1].problem, entrants=(), locked=(), byes=())
    return changed_round(state, fact.round, status="published", tables=new, problem=problem)


def reseated(state: Tournament, record: Record, fact: facts.TablesReseated) -> Tournament:
    """What was said about people goes with them to their new tables, where they have the whole time to come."""
    last = state.rounds[fact.round - 1]
    new = {each.table: each for each in fact.tables}
    absent = {name for table in last.tables for name in table.absent}
    stand_ins = [each for table in last.tables for each in table.stand_ins]
    bots = [each for table in last.tables for each in table.bots]

    def seated(number: int, table: RoundTable) -> RoundTable:
        if (anew := new.get(number)) is None:
            return table
        return RoundTable(
            anew.entries,
            anew.match,
            reasons=anew.reasons,
            absent=tuple(sorted(absent & {*anew.entries})),
            stand_ins=tuple(each for each in stand_ins if each.entry in anew.entries),
            bots=tuple(each for each in bots if each.entry in anew.entries),
        )

    tables = tuple(seated(number, table) for number, table in enumerate(last.tables, start=1))
    state = changed_round(
        state, fact.round, tables=tables, byes=fact.byes, levels=fact.levels, reseated=last.reseated + 1
    )
    if last.waits_from is None:
        return state
    return changed_round(state, fact.round, waits_from=record.timestamp, begun=False)


def given(state: Tournament, _: Record, fact: facts.ResultEntered | facts.ResultRuled) -> Tournament:
    ruled = isinstance(fact, facts.ResultRuled)
    result = GivenResult(fact.places, fact.scores, fact.by, fact.reason, ruled)
    return changed_table(
        state,
        fact.round,
        fact.table,
        lambda table: replace(table, given=result, claims=table.claims if is_of_players(result) else ()),
    )


def claimed(state: Tournament, _: Record, fact: ResultClaimed | ResultConfirmed) -> Tournament:
    return changed_table(state, fact.round, fact.table, lambda table: replace(table, claims=claims_after(table, fact)))


def renewed(state: Tournament, _: Record, fact: CodeRenewed) -> Tournament:
    entry = state.entry(fact.entry)
    assert entry is not None
    return changed_entry(state, fact.entry, codes=entry.codes + 1)


def penalised(state: Tournament, record: Record, fact: facts.PenaltyGiven) -> Tournament:
    entry = state.entry(fact.entry)
    assert entry is not None
    penalty = Penalty(record.timestamp, fact.by, fact.entry, fact.sixtieths, fact.reason)
    state = replace(state, penalties=(*state.penalties, penalty))
    return changed_entry(state, fact.entry, penalty=entry.penalty + fact.sixtieths)


def shown(state: Tournament, record: Record, fact: facts.AnnouncementShown) -> Tournament:
    """An announcement is as old as its being shown."""
    notices = list(state.notices)
    notices[fact.notice] = replace(notices[fact.notice], at=record.timestamp, since=None)
    return replace(state, notices=tuple(notices))


EVOLVE: Final[dict[type[Any], Callable[[Tournament, Record, Any], Tournament]]] = {
    facts.PlanChanged: lambda state, _, fact: replace(state, plan=as_it_was_meant(fact.plan)),
    facts.CalendarSet: lambda state, _, fact: replace(state, calendar=fact.calendar),
    facts.PrizesSet: lambda state, _, fact: replace(state, prizes=fact.prizes),
    facts.CheckedIn: lambda state, _, fact: changed_entry(state, fact.entry, is_there=True),
    facts.CheckInUndone: lambda state, _, fact: changed_entry(state, fact.entry, is_there=False),
    facts.CheckInClosed: lambda state, _, __: replace(state, is_checked_in=True),
    invited.PersonInvited: lambda state, _, fact: replace(state, invitations=state.invitations.with_new(fact)),
    invited.InvitationDeclined: lambda state, _, fact: replace(state, invitations=state.invitations.with_refusal(fact)),
    invited.InvitationWithdrawn: lambda state, _, fact: replace(state, invitations=state.invitations.with_closed(fact)),
    facts.EntryMade: lambda state, _, fact: add_entry(state, fact),
    facts.EntryPromoted: lambda state, _, fact: changed_entry(
        state, fact.entry, status="in", from_round=len(state.rounds) + 1
    ),
    facts.EntryWithdrawn: lambda state, _, fact: changed_entry(state, fact.entry, status="withdrawn", gone_by=fact.by),
    facts.EntryReturned: returned,
    facts.NoShowNoted: no_show,
    facts.NoShowWithdrawn: came,
    facts.SubstituteNamed: substituted,
    facts.PairsSet: lambda state, _, fact: replace(state, forbidden=fact.forbidden, wished=fact.wished),
    facts.PairingAsked: asked,
    facts.PairingProposed: proposed,
    facts.PairingFailed: lambda state, _, fact: changed_round(
        state, fact.round, status="failed", why=fact.why, conflicts=fact.conflicts
    ),
    facts.PairingEdited: proposed,
    facts.TablesReseated: reseated,
    facts.TablesLocked: lambda state, _, fact: changed_round(state, fact.round, locked=fact.tables),
    facts.RoundPublished: published,
    facts.RoundOpened: lambda state, record, fact: changed_round(
        state, fact.round, status="opened", waits_from=record.timestamp
    ),
    facts.RoundBegun: lambda state, _, fact: changed_round(state, fact.round, begun=True),
    facts.PlayersReminded: lambda state, _, fact: changed_round(
        state, fact.round, reminded=fact.minutes, reminded_of=fact.deadline
    ),
    facts.DeadlinePassed: lambda state, _, fact: changed_round(state, fact.round, expired=fact.deadline),
    ResultClaimed: claimed,
    ResultConfirmed: claimed,
    CodeRenewed: renewed,
    PhotoAdded: lambda state, record, fact: replace(state, photos=photos_after(state.photos, record, fact)),
    PhotoRemoved: lambda state, record, fact: replace(state, photos=photos_after(state.photos, record, fact)),
    facts.ResultEntered: given,
    facts.ResultWithdrawn: lambda state, _, fact: changed_table(
        state, fact.round, fact.table, lambda table: replace(table, given=None)
    ),
    facts.ResultRuled: given,
    facts.PenaltyGiven: penalised,
    facts.RoundClosed: lambda state, record, fact: changed_round(
        state, fact.round, status="closed", closed_at=record.timestamp
    ),
    facts.Announced: lambda state, record, fact: replace(
        state, notices=(*state.notices, TournamentNotice(record.timestamp, fact.by, fact.text, fact.since))
    ),
    facts.AnnouncementShown: shown,
    facts.TournamentEnded: lambda state, _, __: replace(state, status="ended"),
    facts.ImportNoted: lambda state, _, fact: replace(state, imports=(*state.imports, fact.digest)),
}
"""Fact -> how the tournament takes it. `test_tournament.py` holds that its keys are the union."""


def evolve(state: Tournament | None, record: Record, fact: facts.Fact) -> Tournament:
    """The tournament after one more record; it refuses nothing."""
    if isinstance(fact, facts.TournamentOpened):
        plan = as_it_was_meant(fact.plan)
        return Tournament(id=record.stream_id, organiser=fact.by, opened_at=record.timestamp, plan=plan)
    assert state is not None
    return EVOLVE[type(fact)](state, record, fact)


TOURNAMENT: Final[Kind[facts.Fact, Tournament]] = Kind("tournament", facts.Fact, evolve)
