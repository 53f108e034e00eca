"""A match with a dispute about it, and the people of the desk."""

from uuid import UUID

from domain.disputes import commands
from domain.disputes.commands import Ruling
from domain.disputes.state import Dispute
from domain.matches.aggregate import Match
from domain.matches.application import Matches
from domain.matches.facts import SERVICE, Clock, Table
from domain.matches.measures import Measure
from domain.matches.records import Stream
from domain.roles.commands import change_role
from domain.roles.state import Role
from tests.domain.matches.world import START, act_once, played_out, started, uuid

M, R, S, D, E, W = (uuid(number) for number in (1, 2, 3, 50, 51, 60))
PEOPLE = ("anna", "bea", "carl")
HOLDING = Table(pause_on_dispute=True, clock=Clock("per_move", 60), rated=True)
PLAIN = Table(rated=True)
CLOCKS = (30_000, 40_000, 50_000)


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


def ended(matches: Matches) -> Match:
    return played_out(matches, running(matches))


def raises(matches: Matches, entry: int, by: str = "anna", id: UUID = D, line: UUID = M) -> Stream[Dispute]:
    return commands.raise_(matches, id, line, entry=entry, by=by, reason="That was wrong.", at=START)


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
    return commands.rule_on(matches, id, wanted, by=by, clocks=lambda _line, _entry: CLOCKS, at=START)


def appeals(matches: Matches, by: str = "bea", id: UUID = D) -> Stream[Dispute]:
    return commands.appeal_(matches, id, by=by, reason="No.", at=START)
