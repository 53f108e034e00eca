"""A match with a dispute about it, and the people of the desk."""

from datetime import datetime
from typing import Any
from uuid import UUID

from domain.disputes import commands
from domain.disputes.rulings import Ruling, rule_on
from domain.disputes.state import Dispute
from domain.eventstore.application import Matches
from domain.matches.aggregate import Match
from domain.matches.facts import SERVICE, Clock, Table
from domain.matches.log.records import Stream
from domain.matches.rulings.measures import Measure
from domain.matches.seats.event_tables import seat_match
from domain.roles.commands import change_role
from domain.roles.state import Role
from tests.domain.matches.world import START, TOY, act_once, played_out, started, uuid

M, R, S, D, E, W = (uuid(number) for number in (1, 2, 3, 50, 51, 60))
PEOPLE = ("anna", "bea", "carl")
HOLDING = Table(pause_on_dispute=True, clock=Clock("per_move", 60), rated=True)
PLAIN = Table(rated=True)
CLOCKS = (30_000, 40_000, 50_000)
CUP = str(uuid(700))
"""The event of a table."""


def staffed(matches: Matches) -> None:
    """Two arbiters and a head arbiter."""
    staff: tuple[tuple[str, Role], ...] = (("art", "arbiter"), ("ada", "arbiter"), ("hella", "head_arbiter"))
    for person, role in staff:
        change_role(matches, person, role, by=SERVICE, granted=True, at=START)


def running(matches: Matches, table: Table = PLAIN, actions: int = 6) -> Match:
    staffed(matches)
    match = started(matches, M, PEOPLE, table=table)
    for _ in range(actions):
        match = act_once(matches, match)
    return match


def at_table_of_cup(matches: Matches) -> Match:
    """A table of an event, at which something has been played."""
    staffed(matches)
    terms: dict[str, Any] = {"table": Table(rated=True), "options": {}, "seed": bytes(32)}
    terms |= {"players": PEOPLE, "entrants": PEOPLE}
    matches.transact(lambda batch: seat_match(batch, TOY, M, of=uuid(700), **terms), at=START)
    for seat, player in enumerate(PEOPLE):
        matches.ready(M, seat, player, at=START)
    return act_once(matches, act_once(matches, matches.get(M)))


def ended(matches: Matches) -> Match:
    return played_out(matches, running(matches))


def raises(
    matches: Matches, entry: int, by: str = "anna", id: UUID = D, line: UUID = M, at: datetime = START
) -> Stream[Dispute]:
    return commands.raise_(matches, id, line, entry=entry, by=by, reason="That was wrong.", at=at, players=frozenset())


def rules(
    matches: Matches,
    number: int,
    *measures: Measure,
    by: str = "art",
    id: UUID = D,
    upheld: bool = False,
    line: UUID | None = None,
) -> Stream[Dispute]:
    wanted = Ruling(uuid(number), "4.2", "So it is.", measures, upheld, line)
    return rule_on(matches, id, wanted, by=by, clocks=lambda _line, _entry: CLOCKS, at=START, players=frozenset())


def appeals(matches: Matches, by: str = "bea", id: UUID = D) -> Stream[Dispute]:
    return commands.appeal_(matches, id, by=by, reason="No.", at=START)
