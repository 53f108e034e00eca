"""Commands of events in the store: each composes one transaction; opening a table takes as many as it has seats."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Final
from uuid import UUID

from domain.kernel.values import replace
from domain.matches.aggregate import Match
from domain.matches.application import Matches
from domain.matches.batch import Batch
from domain.matches.errors import MatchExists, NoSuchMatch
from domain.matches.facts import SERVICE, Actor
from domain.matches.lineage import official_line
from domain.matches.records import Stream
from domain.standings.results import Results, is_over
from domain.tournaments import facts, registration, rounds
from domain.tournaments.errors import EventRefused
from domain.tournaments.plan import Plan
from domain.tournaments.state import TOURNAMENT, Seated, Tournament

Decide = Callable[[Tournament], facts.Fact | Iterable[facts.Fact]]
Event = Stream[Tournament]

OVER: Final = frozenset({"ended", "void", "superseded"})


def open_event(matches: Matches, event_id: UUID, plan: Plan, by: Actor, *, at: datetime) -> Event:
    """A new event; asked for again in the same words, the one that is there."""
    fact = registration.opened(matches.games, plan, by)

    def compose(batch: Batch) -> Event:
        there = batch.find(TOURNAMENT, event_id)
        if there is None:
            return batch.record(TOURNAMENT, event_id, fact)
        first = matches.streams.records(event_id, 0, 1)[0]
        if TOURNAMENT.read(first) != fact:
            raise MatchExists(f"another event has the id {event_id}")
        return there

    return matches.transact(compose, at=at)


def change(
    matches: Matches, event_id: UUID, decide: Decide, *, at: datetime, expected_version: int | None = None
) -> Event:
    """What is decided about an event is added to it; to decide nothing changes nothing."""

    def compose(batch: Batch) -> Event:
        there = batch.get(TOURNAMENT, event_id)
        decided = decide(there.state)
        found = (decided,) if isinstance(decided, facts.EventFact) else tuple(decided)
        return batch.record(TOURNAMENT, event_id, *found, expected_version=expected_version) if found else there

    return matches.transact(compose, at=at)


def change_plan(matches: Matches, event_id: UUID, plan: Plan, by: Actor, *, at: datetime) -> Event:
    """Another plan for the event."""
    return change(matches, event_id, lambda state: registration.plan_changed(matches.games, state, plan, by), at=at)


def get_event(matches: Matches, event_id: UUID) -> Event:
    return matches.streams.get(TOURNAMENT, event_id)


def open_table(matches: Matches, event_id: UUID, number: int, table: int, *, at: datetime) -> Match | None:
    """The match of a table, with everybody in their seat; opened before, as it is. Bots are ready at once, and so a
    table of bots begins. A table of names without persons is played face to face and has no match."""
    event = get_event(matches, event_id).state
    seated = rounds.table_of(event, number, table)
    if not rounds.needs_match(event, seated):
        return None
    assert seated.match is not None
    match = there(matches, seated.match)
    if match is None:
        plan = event.plan
        match = matches.open(
            seated.match,
            title=plan.title,
            seats=len(seated.entries),
            by=SERVICE,
            at=at,
            options=plan.options,
            table=replace(plan.table, event=str(event_id)),
        )
    for seat in range(len(seated.entries)):
        if match.status == "open" and match.seats[seat].actor is None:
            match = matches.take_seat(seated.match, seat, player_of(event, seated, seat), at=at)
    return match


def player_of(event: Tournament, seated: Seated, seat: int) -> Actor:
    """Who plays there: the entry's own person or bot; the event's bot for whoever did not come."""
    name = seated.entries[seat]
    entry = event.entry(name)
    assert entry is not None
    return event.plan.bot if name in seated.absent and event.plan.bot else entry.actor


def there(matches: Matches, match_id: UUID) -> Match | None:
    """The match, if it has been opened; where rulings have put another line in its place, the one that counts."""
    try:
        return official_line(matches, match_id)
    except NoSuchMatch:
        return None


def note_no_show(
    matches: Matches, event_id: UUID, number: int, name: str, bot: Actor, by: Actor, *, at: datetime
) -> Event:
    """Somebody did not come. A bot takes the seat, before the match has begun or while it goes on."""
    event = get_event(matches, event_id).state
    fact = rounds.no_show(event, number, name, bot, by)
    seated = next(table for table in event.rounds[-1].tables if name in table.entries)
    match = there(matches, seated.match) if seated.match is not None else None
    if bot and (match is None or match.is_over):
        raise EventRefused(f"the table of {name} has no match a bot could take part in")
    found = change(matches, event_id, lambda _: fact, at=at)
    if bot and match is not None:
        seat = seated.entries.index(name)
        if match.status == "open":
            matches.leave_seat(match.id, seat, SERVICE, at=at)
            matches.take_seat(match.id, seat, bot, at=at)
        else:
            matches.replace_seat(match.id, seat, SERVICE, actor=bot, at=at)
    return found


def rule_table(
    matches: Matches, event_id: UUID, fact: Callable[[Tournament], facts.ResultRuled], *, at: datetime
) -> Event:
    """The organiser's word about a table; a match that is still going on there counts for nothing from now on."""
    event = get_event(matches, event_id).state
    ruling = fact(event)
    seated = rounds.table_of(event, ruling.round, ruling.table)
    match = there(matches, seated.match) if seated.match is not None else None
    if match is not None and match.status not in OVER:
        matches.void(match.id, SERVICE, at=at, reason=f"decided by the organiser: {ruling.reason}"[:200])
    return change(matches, event_id, lambda _: ruling, at=at)


def step_owed(event: Tournament, results: Results) -> str:
    """What the event waits for that the service itself does; nothing is the empty word."""
    last, auto = event.round, event.plan.auto
    if last is None or event.status == "ended":
        return ""
    if last.status == "asked":
        return "pair"
    if last.status == "published":
        return "open"
    if not auto:
        return ""
    if last.status == "opened":
        return "close" if is_over(last, results) else ""
    return {"proposed": "publish", "closed": "ask"}.get(last.status, "")


def step_taken(event: Tournament, results: Results, step: str) -> tuple[facts.Fact, ...]:
    """The facts of such a step; `EventRefused` when the event does not wait for it."""
    owed = step_owed(event, results)
    last = event.round
    if step != owed or last is None:
        raise EventRefused(f"the event does not wait for {step!r} but for {owed or 'nothing'!r}")
    if step == "open":
        return (rounds.opened(event, last.number),)
    if step == "publish":
        return (rounds.published(event, last.number, SERVICE),)
    if step == "close":
        return rounds.closed(event, last.number, results, (), SERVICE)
    return (rounds.asked(event, results, SERVICE),)
