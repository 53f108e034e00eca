"""Acts of organisers: public decisions with author, time and reason, each with a line in the audit trail."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from domain.kernel.values import Value
from domain.matches.facts import SERVICE, Actor
from domain.matches.log.records import Record, Stream
from domain.matches.transaction import Transaction
from domain.roles.audit import EventActed
from domain.roles.commands import append_to_trail, audit_fact
from domain.standings.contest import GivenResult
from domain.tournaments import facts
from domain.tournaments.claim_facts import CodeRenewed
from domain.tournaments.contest_facts import AbsencesStated, AlternateListed, AlternateRemoved
from domain.tournaments.deadline_facts import DeadlineExtended, TableLeftToBots
from domain.tournaments.derivation import (
    followers,
    require_derivable,
    require_possible,
    take_expected,
)
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.invitation_facts import PersonInvited, target_of
from domain.tournaments.moments import Moment
from domain.tournaments.orders import is_order
from domain.tournaments.photo_facts import PhotoRemoved
from domain.tournaments.state import TOURNAMENT, Tournament


class Act(Value, frozen=True, kw_only=True, omit_defaults=True):
    """An act of an organiser.

    `version`: the version of its record. `was`: the manual result that this act replaces. `late`: the round was closed.
    `actor`: the substitute, or the bot in the seat.
    """

    version: int
    at: datetime
    by: Actor
    kind: str
    reason: str = ""
    round: int = 0
    table: int = 0
    entries: tuple[str, ...] = ()
    tables: tuple[tuple[int, tuple[str, ...]], ...] = ()
    scores: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    was: GivenResult | None = None
    late: bool = False
    sixtieths: int = 0
    actor: Actor = ""


KINDS: Final[dict[type[Any], str]] = {
    facts.PlanChanged: "plan_changed",
    facts.CalendarSet: "calendar_set",
    DeadlineExtended: "deadline_moved",
    TableLeftToBots: "left_to_bots",
    facts.PrizesSet: "prizes_set",
    PersonInvited: "person_invited",
    facts.EntryMade: "entry_made",
    facts.EntryWithdrawn: "entry_withdrawn",
    facts.EntryReturned: "entry_returned",
    facts.PairsSet: "pairs_set",
    facts.PairingEdited: "proposal_changed",
    facts.RoundPublished: "round_published",
    facts.TablesReseated: "tables_reseated",
    facts.NoShowNoted: "no_show_noted",
    facts.NoShowWithdrawn: "no_show_withdrawn",
    facts.SubstituteNamed: "substitute_named",
    facts.ResultEntered: "result_entered",
    facts.ResultWithdrawn: "result_withdrawn",
    facts.ResultRuled: "result_ruled",
    facts.PenaltyGiven: "penalty_given",
    facts.RoundClosed: "round_closed",
    AbsencesStated: "absences_stated",
    AlternateListed: "alternate_listed",
    AlternateRemoved: "alternate_removed",
    CodeRenewed: "code_renewed",
    PhotoRemoved: "photo_removed",
}
"""Names of the facts that are acts when an organiser is responsible for them."""

BY_ITSELF: Final[frozenset[type[Any]]] = frozenset({facts.EntryWithdrawn, facts.RoundPublished, facts.RoundClosed})
"""Facts that the service also records automatically.

Any other fact recorded by the service was entered at its console or follows from a deadline.
"""


UNSIGNED_CORRECTION: Final = (
    "after the end only a signed correction counts; it needs a role with a key, which an operator or organiser grants"
)
DECIDED_IN_BULK: Final = (facts.EntryMade, facts.EntryPromoted)
"""Facts of which one request records thousands, each checked by `registration` with an index."""
OF_ONE: Final = (facts.NoShowWithdrawn, facts.EntryMade, facts.EntryWithdrawn, facts.EntryReturned, CodeRenewed)
"""Facts about a single entry that have no further details."""


def act_kind(state: Tournament, fact: facts.Fact) -> str | None:
    """Return the kind of act that a fact is, given the state before it; None if the fact is no act.

    No acts are: automatic steps of the service, changes of a person to their own entry, and entries, invitations and
    results without a reason, unless a person enters the result after its round or in place of another.
    """
    by = getattr(fact, "by", SERVICE)
    kind = KINDS.get(type(fact)) if by != SERVICE or type(fact) not in BY_ITSELF else None
    if isinstance(fact, facts.EntryMade | PersonInvited):
        return kind if fact.reason else None
    if isinstance(fact, facts.EntryWithdrawn | facts.EntryReturned):
        entry = state.entry(fact.entry)
        return None if entry is not None and entry.actor == by else kind
    if isinstance(fact, AlternateListed | AlternateRemoved):
        return None if fact.player == by else kind
    if isinstance(fact, AbsencesStated):
        entry = state.entry(fact.player)
        return None if entry is not None and entry.actor == by else kind
    if isinstance(fact, facts.ResultEntered):
        return kind if fact.reason or (by != SERVICE and is_late(state, fact.round, fact.table)) else None
    return kind


def is_late(state: Tournament, number: int, table: int) -> bool:
    """Return whether a result is entered after its round was closed, or replaces a manual result."""
    round_ = state.rounds[number - 1]
    return round_.status == "closed" or round_.tables[table - 1].given is not None


def needs_no_role(state: Tournament, fact: facts.Fact) -> bool:
    """Return whether an act uses no role: a person removes their own photo, or accepts to be a substitute."""
    if isinstance(fact, facts.SubstituteNamed):
        seat = target_of(fact.entry, fact.round)
        return fact.by == fact.actor and state.invitations.is_open_for_seat(fact.actor, seat)
    return isinstance(fact, PhotoRemoved) and any(each.id == fact.photo and each.by == fact.by for each in state.photos)


def act_of(state: Tournament, record: Record, fact: facts.Fact) -> Act | None:
    """Return the act in a record, with its details such as the former result; None if the fact is no act.

    `state` is the tournament before the record.
    """
    kind = act_kind(state, fact)
    if kind is None:
        return None
    details: dict[str, Any] = {}
    number = getattr(fact, "round", 0)
    if isinstance(fact, facts.ResultEntered | facts.ResultRuled):
        round_table = state.rounds[number - 1].tables[fact.table - 1]
        late = state.rounds[number - 1].status == "closed"
        details = {"table": fact.table, "entries": round_table.entries, "was": round_table.given, "late": late}
        details |= {"scores": fact.scores, "places": fact.places}
    elif isinstance(fact, facts.ResultWithdrawn):
        round_table = state.rounds[number - 1].tables[fact.table - 1]
        details = {"table": fact.table, "entries": round_table.entries, "was": round_table.given}
    elif isinstance(fact, facts.NoShowNoted):
        details = {"entries": (fact.entry,), "actor": fact.bot}
    elif isinstance(fact, facts.SubstituteNamed):
        details = {"entries": (fact.entry,), "actor": fact.actor}
    elif isinstance(fact, PersonInvited):
        details = {"entries": (fact.entry,) if fact.entry else (), "actor": fact.actor}
    elif isinstance(fact, PhotoRemoved | TableLeftToBots):
        details = {"table": fact.table}
    elif isinstance(fact, facts.PenaltyGiven):
        details = {"entries": (fact.entry,), "sixtieths": fact.sixtieths}
    elif isinstance(fact, AbsencesStated):
        details = {"entries": (fact.player,)}
    elif isinstance(fact, AlternateListed | AlternateRemoved):
        details = {"actor": fact.player}
    elif isinstance(fact, OF_ONE):
        details = {"entries": (fact.entry,)}
    elif isinstance(fact, facts.TablesReseated):
        details = {"tables": tuple((each.table, each.entries) for each in fact.tables)}
    elif isinstance(fact, facts.PairingEdited):
        former = [{*table.entries} for table in state.rounds[number - 1].tables]
        details = {"tables": tuple((at, table) for at, table in enumerate(fact.tables, 1) if {*table} not in former)}
    return Act(
        version=record.version,
        at=record.timestamp,
        by=getattr(fact, "by"),  # noqa: B009 - not every fact has one, every act does
        kind=kind,
        reason=reason_of(fact),
        round=number,
        **details,
    )


def reason_of(fact: facts.Fact) -> str:
    """Return the reason stated in a fact, or an empty string."""
    return str(getattr(fact, "reason", ""))


def require_entitled(stream: Stream[Tournament], records: Sequence[Record]) -> None:
    """Raise `TournamentRefused` for new records that the proof of a tournament of format 2 does not allow.

    A record of the service must follow from earlier ones, unless its console organises the tournament. After the end
    only signed corrections count. Roles are checked elsewhere, and so is what depends on results.
    """
    state, expected = stream.state, tuple[facts.Fact, ...]()
    before: object = None
    for record in records:
        fact: Any = TOURNAMENT.read(record)
        is_expected, expected = take_expected(expected, fact)
        if not is_expected and not isinstance(fact, DECIDED_IN_BULK):
            require_possible(state, fact)
        if is_order(state, fact) and not is_expected:
            by_service = fact.by == SERVICE
            if by_service and state.organiser != SERVICE:
                require_derivable(state, fact, Moment(record.timestamp, record.previous, before))
            if state.status == "ended" and fact.signed is None and not by_service:
                raise TournamentRefused(UNSIGNED_CORRECTION)
        expected = expected or followers(state, fact)
        state, before = TOURNAMENT.evolve(state, record, fact), fact


def record_acts(
    batch: Transaction, event_id: UUID, *new_facts: facts.Fact, expected_version: int | None = None
) -> Stream[Tournament]:
    """Record facts of a tournament, and an audit line for each act that uses a role, in one transaction.

    Raise `StaleVersion` unless the tournament is at `expected_version`.
    """
    before = batch.get(TOURNAMENT, event_id)
    state, acts = before.state, list[EventActed]()
    # Record all facts at once, because orders that arrive together are signed together.
    stream = batch.record(TOURNAMENT, event_id, *new_facts, expected_version=expected_version)
    records = [event for event in batch.events[-len(new_facts) :] if isinstance(event, Record)]
    if state.format > 1:
        require_entitled(before, records)
    for record, fact in zip(records, new_facts, strict=True):
        if (kind := act_kind(state, fact)) is not None and not needs_no_role(state, fact):
            by = getattr(fact, "by")  # noqa: B009 - as above
            acts.append(audit_fact(batch, by, event_id, kind, record.version, reason_of(fact)))
        state = TOURNAMENT.evolve(state, record, fact)
    if acts:
        append_to_trail(batch, *acts)
    return stream
