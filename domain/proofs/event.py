"""Verification of the proof of a tournament: its records, matches, standings and ratings."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from domain.contests.errors import ContestRefused
from domain.kernel.title import Titles
from domain.kernel.values import Value, replace
from domain.matches.errors import LogFault, MatchError
from domain.matches.facts import Actor, is_bot
from domain.matches.log.log_files import Content
from domain.matches.log.records import Record
from domain.matches.rulings.outcome import Outcome
from domain.matches.verification.proof_report import ProofShown
from domain.matches.verification.verify import BROKEN
from domain.proofs.act_texts import noted_acts, unproven_acts
from domain.proofs.authority import Authority
from domain.proofs.derived import (
    check_pending,
    check_rulings,
    list_unfitting,
    noted_holidays,
    noted_matches,
    require_bounded_luck,
)
from domain.proofs.event_file import FIRST_FORMAT, EventFile, parse_event, parts_of
from domain.proofs.event_leaves import chain_of_event, examine_leaves, unlabelled_in_event
from domain.proofs.event_matches import Examine, MatchExamined, Part, examine_match
from domain.proofs.grants import KIND as ROLES
from domain.proofs.grants import Register
from domain.proofs.labels import digest_of_log, unlabelled_statement
from domain.proofs.match import Trust, unproven_signatures
from domain.proofs.match_file import KIND
from domain.proofs.record_form import require_form
from domain.proofs.recount import check_ratings, check_standings
from domain.standings.contest import ENTRIES_MAX, ROUNDS_MAX, RoundTable
from domain.standings.ranking import Standing
from domain.standings.results import Results, result_of, table_result
from domain.titles import TITLES
from domain.tournaments.errors import NoSuchRound
from domain.tournaments.facts import NoShowNoted, PlanChanged, ResultRuled, SubstituteNamed, TournamentOpened
from domain.tournaments.rounds import needs_match
from domain.tournaments.state import TOURNAMENT, Tournament

EVENT: Final = "tournament"
RATINGS_BEFORE: Final = "ratings: the values before the tournament, stated by the service only"
UNSIGNED_ROLES: Final = "roles: {count} unsigned records, stated by the service only"
BOT: Final = "bot:"


class EventFault(Value, frozen=True):
    """The first fault: the part, the entry or record (`None`: the part as a whole), and the reason."""

    part: str
    entry: int | None
    kind: str
    why: str


class EventReport(Value, frozen=True, kw_only=True):
    """The report on the proof of a tournament."""

    fault: EventFault | None
    event: str | None = None
    name: str = ""
    head: str | None = None
    records: int = 0
    matches: int = 0
    orders_signed: int = 0
    ratings_checked: int = 0
    standings: tuple[Standing, ...] = ()
    counted_by: str = ""
    proof: ProofShown | None = None
    unchecked: tuple[str, ...] = ()
    format: int = 0
    """The format of the records (`domain.tournaments.orders`); 0 if the file is unreadable."""
    noted: tuple[str, ...] = ()
    """Notes about checked records and matches: orders of the service, changes of the plan, luck."""

    @property
    def is_good(self) -> bool:
        """Whether no fault was found."""
        return self.fault is None


class RecordsRead(NamedTuple):
    """The tournament after its last record, and the authority for its records."""

    state: Tournament
    authority: Authority
    unsigned_roles: int
    others: frozenset[tuple[int, str, Actor]]
    """Actors named to play for an entry in a round, at any time; `bot:` if the entry was noted as absent."""
    drawn: Mapping[tuple[int, int], tuple[int, ...]]
    """The places drawn by lot from the luck of a match, by round and table."""
    substitutes: int
    """The number of times that a substitute was named."""


def verify_event(
    content: Content, *, titles: Titles = TITLES, trust: Trust = None, examine: Examine | None = None
) -> EventReport:
    """Return the report on a tournament's proof, even if unreadable; `examine` verifies parts by `examine_match`."""

    def one_by_one(parts: Sequence[Part]) -> Sequence[MatchExamined]:
        return [examine_match(bytes(content[start:end]), titles, trust) for start, end in parts]

    try:
        event = parse_event(content)
        parts = tuple(parts_of(content, event.header))
    except LogFault as fault:
        return EventReport(fault=EventFault(EVENT, fault.entry, fault.kind, fault.why))
    return report_event(event, (examine or one_by_one)(parts), trust)


def report_event(event: EventFile, matches: Sequence[MatchExamined], trust: Trust) -> EventReport:
    """Return the report on a tournament whose matches have been verified, with the first fault."""
    header = event.header
    report = EventReport(fault=None, event=str(header.event), head=header.head, records=header.records)
    try:
        proof_shown = examine_leaves(event, trust)
        replay = read_event(event)
        require_rule(header.format, replay.state)
        tables = tuple(bind_matches(event, replay, matches))
        results = results_of(tables)
        require_results(replay.state, results)
        check_standings(replay.state, results, event.said.standings)
        by_match = {each.outcome.match_id: each for _, each in tables if each.outcome is not None}
        require_bounded_luck(replay.state, by_match)
        check_rulings(replay.authority.rulings, replay.state, by_match)
        replay.authority.settle_pending(list_unfitting(replay.authority.pending, results))
        unknown = tuple(check_pending(replay.authority.pending, by_match))
        outcomes = [each.outcome for _, each in tables if each.outcome is not None]
        rated_count = check_ratings(outcomes, event.said.rules, event.said.ratings)
    except PartFault as fault:
        return replace(report, fault=EventFault(fault.part, fault.entry, fault.kind, fault.why))
    except LogFault as fault:
        return replace(report, fault=EventFault(EVENT, fault.entry, fault.kind, fault.why))
    return replace(
        report,
        name=replay.state.plan.name,
        matches=len(matches),
        orders_signed=replay.authority.signed,
        ratings_checked=rated_count,
        standings=event.said.standings,
        counted_by=rule_text(header.format, replay.state),
        proof=proof_shown,
        format=replay.state.format,
        noted=(
            *noted_acts(replay.authority.acts, replay.substitutes),
            *noted_matches(replay.state, by_match),
            *noted_holidays(replay.state, by_match),
        ),
        unchecked=(*unproven_of_event(replay, proof_shown, matches, trust, is_rated=rated_count > 0), *unknown),
    )


def require_rule(format: str, state: Tournament) -> None:
    """Raise `LogFault` if a file of format 1, which has rule 1 alone, names a newer rule of standings in its plan."""
    if format == FIRST_FORMAT and state.plan.standings > 1:
        raise LogFault(None, EVENT, f"a file of format 1 uses rule 1, but its plan names rule {state.plan.standings}")


def rule_text(format: str, state: Tournament) -> str:
    """Return the rule of standings by which a tournament was counted, in the words of the report."""
    if format == FIRST_FORMAT:
        return "the rule of format 1"
    return "rule 2 of the plan" if state.plan.standings > 1 else "rule 1 (the plan has no later one)"


class PartFault(LogFault):
    """A fault in the part of one match."""

    def __init__(self, part: str, entry: int | None, kind: str, why: str) -> None:
        super().__init__(entry, kind, why)
        self.part = part


def facts_of(records: Sequence[Record]) -> tuple[Any, ...]:
    """Return the facts; raise `LogFault` unless the records are canonical and only the first opens the tournament."""
    facts = list[Any]()
    for record in records:
        try:
            facts.append(TOURNAMENT.read_canonical(record))
        except LogFault as fault:
            raise LogFault(None, fault.kind, f"record {record.version}: {fault.why}") from fault
        if isinstance(facts[-1], TournamentOpened) != (record.version == 1):
            raise LogFault(None, EVENT, f"record {record.version}: the tournament must be opened first, and only once")
    return tuple(facts)


def read_event(event: EventFile) -> RecordsRead:
    """Replay the ended tournament; raise `LogFault` for an order without a right, or unsigned against the rules.

    Also raise it if it has not ended, a record cannot be applied, or its rule of standings changes.
    """
    register, facts = Register(event.roles, chain_of_event(event)), facts_of(event.event.records)
    state: Tournament | None = None
    authority = Authority(register, event.event.records, facts)
    for index, (record, line) in enumerate(zip(event.event.records, event.event.leaves, strict=True)):
        fact = facts[index]
        try:
            if state is not None and isinstance(fact, PlanChanged) and fact.plan.standings != state.plan.standings:
                raise LogFault(None, EVENT, "a change of the plan cannot change the rule of the standings")
            if state is not None:
                require_form(state, fact)
                authority.judge(state, index, line.leaf)
            state = TOURNAMENT.evolve(state, record, fact)
            if len(state.entries) > ENTRIES_MAX or len(state.rounds) > ROUNDS_MAX:
                raise LogFault(None, EVENT, f"a tournament has at most {ENTRIES_MAX:,} entries and {ROUNDS_MAX} rounds")
        except LogFault as fault:
            raise LogFault(None, fault.kind, f"record {record.version}: {fault.why}") from fault
        except (ContestRefused, NoSuchRound) as refusal:
            raise LogFault(None, ROLES, f"record {record.version}: {refusal}") from refusal
        except (*BROKEN, MatchError, StopIteration) as error:
            why = f"record {record.version}: not possible in a tournament ({type(error).__name__}: {error})"
            raise LogFault(None, EVENT, why) from error
    register.read_to(None)
    assert state is not None
    require_over(state)
    named = sum(isinstance(fact, SubstituteNamed) and fact.actor != "" for fact in facts)
    others = frozenset(substitutes_in(facts))
    return RecordsRead(state, authority, register.unsigned, others, dict(lots_in(facts)), named)


def require_over(state: Tournament) -> None:
    """Raise `LogFault` unless the tournament has ended and, from format 2 on, each public round is closed."""
    if state.status != "ended":
        raise LogFault(None, EVENT, "the tournament has not ended")
    for each in state.played_rounds if state.format > 1 else ():
        if each.status != "closed":
            raise LogFault(None, EVENT, f"round {each.number} was published, but not closed")


def substitutes_in(facts: Iterable[Any]) -> Iterator[tuple[int, str, Actor]]:
    """Yield (round, entry, actor) of the actors who may have started in place of an entry; bots are `BOT`."""
    for fact in facts:
        if isinstance(fact, SubstituteNamed):
            yield fact.round, fact.entry, BOT if is_bot(fact.actor) else fact.actor
        elif isinstance(fact, NoShowNoted):
            yield fact.round, fact.entry, BOT


def lots_in(facts: Iterable[Any]) -> Iterator[tuple[tuple[int, int], tuple[int, ...]]]:
    """Yield ((round, table), places) for the tables whose places were drawn by lot."""
    for fact in facts:
        if isinstance(fact, ResultRuled) and fact.drawn:
            yield (fact.round, fact.table), fact.places


def bind_matches(
    event: EventFile, replay: RecordsRead, matches: Sequence[MatchExamined]
) -> Iterator[tuple[RoundTable, MatchExamined]]:
    """Yield (table, match) by round; raise `PartFault` for a faulty or missing match, `LogFault` for one too many."""
    remaining, state = list(reversed(matches)), replay.state
    for last in state.played_rounds:
        for number, table in enumerate(last.tables, start=1):
            part = f"round {last.number} table {number}"
            if remaining and not remaining[-1].report.is_good:
                fault = remaining[-1].report.fault
                assert fault is not None
                raise PartFault(part, fault.entry, fault.kind, fault.why)
            if remaining and remaining[-1].outcome is not None and remaining[-1].outcome.match_id == table.match:
                examined = remaining.pop()
                check_match(event, state, part, table, examined)
                check_seats(replay, last.number, part, table, examined.outcome)
                check_lots(replay.drawn.get((last.number, number)), part, examined.lots)
                yield table, examined
            elif (last.number, number) in replay.drawn:
                raise PartFault(part, None, EVENT, f"match {table.match}, which draws its lots, is missing")
            elif table.given is None and needs_match(state, table):
                raise PartFault(part, None, EVENT, f"its match {table.match} is missing or out of order")
    if remaining:
        raise LogFault(None, EVENT, f"{len(remaining)} of the matches belong to no table or are out of order")


def check_match(event: EventFile, state: Tournament, part: str, table: RoundTable, examined: MatchExamined) -> None:
    """Raise `PartFault` unless the match is of this event and checkpoint, complete, and over or decided by hand."""
    outcome = examined.outcome
    assert outcome is not None
    if (examined.checkpoint, examined.keys) != (str(event.note), tuple(map(str, event.keys))):
        raise PartFault(part, None, KIND, "its checkpoint differs from the tournament's")
    if examined.log != digest_of_log(event.labels.log):
        raise PartFault(part, None, KIND, "its announcements of the log differ from the tournament's")
    if not examined.is_whole:
        raise PartFault(part, None, "header", "its log is redacted")
    if (outcome.event, outcome.title) != (str(state.id), state.plan.title):
        why = f"it is a match of {outcome.title} in the event {outcome.event!r}"
        raise PartFault(part, None, EVENT, f"{why}, not of {state.plan.title} in {str(state.id)!r}")
    if outcome.ended_at is None and table.given is None:
        raise PartFault(part, None, EVENT, "it has not ended")


def check_seats(replay: RecordsRead, number: int, part: str, table: RoundTable, outcome: Outcome | None) -> None:
    """Raise `PartFault` unless an outcome's starters were entrants, named substitutes, or bots for absent entrants."""
    assert outcome is not None
    if outcome.began and len(outcome.began) != len(table.entries):
        raise PartFault(part, None, EVENT, f"it has {len(outcome.began)} seats, but the table has {len(table.entries)}")
    for seat, (name, starter) in enumerate(zip(table.entries, outcome.began, strict=False)):
        entry, actor = replay.state.entry(name), starter.actor or ""
        is_own = entry is not None and entry.actor == actor
        if not (is_own or (number, name, BOT if is_bot(actor) else actor) in replay.others):
            raise PartFault(part, None, EVENT, f"{actor!r} started on seat {seat}, which belongs to {name}")


def check_lots(stated: tuple[int, ...] | None, part: str, expected: tuple[int, ...] | None) -> None:
    """Raise `PartFault` unless places by lot follow from the luck of the match."""
    if stated is not None and stated != expected:
        raise PartFault(part, None, EVENT, f"the lots of its match give the places {expected}, not {stated}")


def results_of(seated: Iterable[tuple[RoundTable, MatchExamined]]) -> Results:
    """Return the results by match; tables without a match or a result are left out."""
    outcomes = ((table.match, examined.outcome) for table, examined in seated)
    counted = {match: table_result(outcome) for match, outcome in outcomes if match is not None and outcome is not None}
    return {match: result for match, result in counted.items() if result is not None}


def require_results(state: Tournament, results: Results) -> None:
    """Raise `PartFault` for the first table of a closed round without a result."""
    for last in state.closed_rounds:
        for number, table in enumerate(last.tables, start=1):
            if result_of(table, results) is None:
                raise PartFault(
                    f"round {last.number} table {number}",
                    None,
                    EVENT,
                    "the round is closed, but the table has no result",
                )


def unproven_of_event(
    replay: RecordsRead, proof_shown: ProofShown, matches: Sequence[MatchExamined], trust: Trust, *, is_rated: bool
) -> Iterator[str]:
    """Yield the statements that the file does not prove, about the whole and, counted, about its matches."""
    about_signatures = tuple(unproven_signatures(proof_shown, trust))
    yield from about_signatures
    yield from unproven_acts(replay.authority, replay.state)
    if replay.unsigned_roles:
        yield UNSIGNED_ROLES.format(count=replay.unsigned_roles)
    if is_rated:
        yield RATINGS_BEFORE
    proofs = [match.report.proof for match in matches if match.report.proof is not None]
    yield from unlabelled_in_event(proof_shown, proofs)
    about_labels = {text for proof in proofs for text in unlabelled_statement(proof.unlabelled)}
    counts = Counter(each for match in matches for each in dict.fromkeys(match.report.unchecked))
    for text, count in counts.items():
        if text not in about_signatures and text not in about_labels:
            yield f"{text} (in {count} of {len(matches)} matches)"
