"""A cup by correspondence whose players are away more often than its plan allows."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Final
from uuid import UUID

from domain.contests.holidays import HolidayRule
from domain.disputes.rulings import Ruling, rule_on
from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.matches.facts import SERVICE, Clock
from domain.matches.play.absence_commands import announce_absence
from domain.matches.play.absences import DAY
from domain.matches.rulings.measures import SeatWarned
from domain.standings.contest import Stage
from domain.tournaments import commands, registration
from tests.domain.disputes.disputing import raise_dispute
from tests.domain.matches.match_helpers import START, play_out, uuid
from tests.domain.proofs.tournament_proofs import (
    ART,
    CUP,
    PEOPLE,
    PLAN,
    appoint_officials,
    by_official,
    change_cup,
    close_cup_round,
    house_in,
    open_next_round,
    tables_of,
)

AWAY: Final = {"anna": (2, 2), "bea": (0, 2)}


def play_cup_with_holidays(folder: Path, days: int | None, away: Mapping[str, tuple[int, int]] = AWAY) -> Matches:
    """Play two rounds. In both, Anna is away for two days that differ, Bea for the same two days.

    `away`: by person, by how many days the second absence begins later, and the days of each. The service announces
    the absences, and ignores the days of the plan. Each match ends ten days later.
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
            go_away(matches, match_id, number, away)
            play_out(matches, matches.get(match_id))
        close_cup_round(matches, number)
    return matches


def warn_later(matches: Matches) -> None:
    """Warn a player of each table by a ruling 40 days after the start, long after the matches have ended."""
    at = START + timedelta(days=40)
    for number, match_id in enumerate((each for round_ in (1, 2) for each in tables_of(matches, round_)), 1):
        match, dispute = matches.get(match_id), uuid(800 + number)
        raise_dispute(matches, match.version, match.seats[0].actor or "", dispute, match_id, at=at)
        warning = Ruling(uuid(900 + number), "4.2", "So it is.", (SeatWarned(0),))
        rule = partial(rule_on, matches, dispute, warning, by="art", clocks=lambda *_: (), at=at, players=frozenset())
        by_official(matches, ART, rule)


def go_away(matches: Matches, match_id: UUID, number: int, away: Mapping[str, tuple[int, int]]) -> None:
    """Announce the absences of a table of a round, and let ten days pass without a turn of a clock."""
    for seat, info in enumerate(matches.get(match_id).seats):
        if info.actor is None or info.actor not in away:
            continue
        later, days = away[info.actor]
        first = int(START.timestamp()) + (1 + later * (number - 1)) * DAY
        announce = partial(announce_absence, seat=seat, by=SERVICE, first=first, last=first + days * DAY, at=START)
        matches.append(match_id, START, announce)
    matches.pause(match_id, SERVICE, at=START)
    matches.resume(match_id, SERVICE, at=START + timedelta(days=10))
