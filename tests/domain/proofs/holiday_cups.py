"""A cup by correspondence whose players are away more often than its plan allows."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from pathlib import Path
from uuid import UUID

from domain.contests.holidays import HolidayRule
from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.matches.facts import SERVICE, Clock
from domain.matches.play.absence_commands import announce_absence
from domain.matches.play.absences import DAY
from domain.standings.contest import Stage
from domain.tournaments import commands, registration
from tests.domain.matches.match_helpers import START, play_out
from tests.domain.proofs.tournament_proofs import (
    CUP,
    PEOPLE,
    PLAN,
    appoint_officials,
    change_cup,
    close_cup_round,
    house_in,
    open_next_round,
    tables_of,
)


def play_cup_with_holidays(folder: Path, days: int | None) -> Matches:
    """Play two rounds. In both, Anna is away for two days that differ, Bea for the same two days.

    The service announces the absences, and ignores the days of the plan. Each match ends ten days later.
    """
    matches = house_in(folder)
    appoint_officials(matches)
    by_post = replace(PLAN.table, clock=Clock("correspondence", 3 * DAY))
    rule = None if days is None else HolidayRule(days)
    plan = replace(PLAN, table=by_post, stages=(Stage("swiss", 2),), holidays=rule)
    commands.open_tournament(matches, CUP, plan, "olga", at=START)
    for person in PEOPLE:
        change_cup(matches, partial(registration.enter, by=person, actor=person))
    for number in (1, 2):
        open_next_round(matches, number)
        for match_id in tables_of(matches, number):
            go_away(matches, match_id, number)
            play_out(matches, matches.get(match_id))
        close_cup_round(matches, number)
    return matches


def go_away(matches: Matches, match_id: UUID, number: int) -> None:
    """Announce the absences of a table of a round, and let ten days pass without a turn of a clock."""
    for seat, info in enumerate(matches.get(match_id).seats):
        offset = {"anna": 2 * number, "bea": 1}.get(info.actor or "")
        if offset is None:
            continue
        first = int(START.timestamp()) + offset * DAY
        announce = partial(announce_absence, seat=seat, by=SERVICE, first=first, last=first + 2 * DAY, at=START)
        matches.append(match_id, START, announce)
    matches.pause(match_id, SERVICE, at=START)
    matches.resume(match_id, SERVICE, at=START + timedelta(days=10))
