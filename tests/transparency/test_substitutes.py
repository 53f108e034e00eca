"""Substitutes who never act: their entrant counts as absent for both verifiers, under each time-out policy."""

from functools import partial
from pathlib import Path
from uuid import UUID

import pytest

from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.matches.facts import SERVICE, Clock, Table, TimeOutPolicy
from domain.proofs.event import verify_event
from domain.standings.contest import Stage
from domain.tournaments import commands, registration, substitutes
from tests.domain.matches.match_helpers import ALL_TITLES, START, next_action, play_out
from tests.domain.proofs.tournament_proofs import (
    BOT,
    CUP,
    PLAN,
    appoint_officials,
    as_organiser,
    change_cup,
    close_cup_round,
    cup_file,
    cup_in,
    house_in,
    make_ready,
    open_next_round,
    outcomes_in,
    tables_of,
)
from tests.transparency.second import SecondVerifier
from tests.transparency.test_absent import LATE, begin_without_first

PEOPLE = ("anna", "bea", "carl", "dora", "eva", "finn")


def name_substitute(matches: Matches, match_id: UUID, actor: str) -> None:
    """Name a substitute for the first player of a table, who accepts."""
    entry = next(table for table in cup_in(matches).rounds[0].tables if table.match == match_id).entries[0]
    name = partial(substitutes.name_substitute, matches, CUP, 1, entry, actor, "olga", "Ill.", at=START)
    as_organiser(matches, name)
    substitutes.accept(matches, CUP, 1, entry, actor, at=START)


def to_the_end_without(matches: Matches, match_id: UUID, missing: str) -> None:
    """Play to the end; each time that the missing player owes an action, the time runs out."""
    match = matches.get(match_id)
    bot = BOT if match.table.time_out == "bot" else None
    while not match.is_over:
        seat, by, action = next_action(match)
        if by == missing:
            match = matches.time_out(match_id, seat, SERVICE, at=match.timestamp + LATE, bot=bot)
        else:
            match = matches.act(match_id, seat, by, action, expected_version=match.version, at=match.timestamp)


@pytest.mark.parametrize("policy", ["bot", "resign", "skip"])
def test_the_entry_of_a_substitute_who_never_acts_is_absent(
    second_verifier: SecondVerifier, tmp_path: Path, policy: TimeOutPolicy
) -> None:
    """Substitutes named before and after the start; at the third table the substitute plays, and the entry counts."""
    matches = house_in(tmp_path)
    appoint_officials(matches)
    plan = replace(
        PLAN, stages=(Stage("swiss", 1),), table=Table(public=True, clock=Clock("per_move", 600), time_out=policy)
    )
    commands.open_tournament(matches, CUP, plan, "olga", at=START)
    for person in PEOPLE:
        change_cup(matches, partial(registration.enter, by=person, actor=person))
    open_next_round(matches, 1, comes=lambda _matches, _match: None)
    before, after, played = tables_of(matches, 1)
    name_substitute(matches, before, "sue")
    begin_without_first(matches, before)
    to_the_end_without(matches, before, "sue")
    begin_without_first(matches, after)
    name_substitute(matches, after, "tom")
    to_the_end_without(matches, after, "tom")
    begin_without_first(matches, played)
    name_substitute(matches, played, "uma")
    play_out(matches, matches.get(played))
    close_cup_round(matches, 1)
    content = b"".join(cup_file(matches))
    report = verify_event(content, titles=ALL_TITLES)
    absent = {table.entries[0] for table in cup_in(matches).rounds[0].tables[:2]}

    assert [outcome.no_shows for outcome in outcomes_in(matches)] == [(0,), (0,), ()]
    assert (report.fault, second_verifier.examine(content).fault) == (None, None)
    assert {row.entry for row in report.standings if row.played == 0} == absent
    assert not any(row.points or row.wins for row in report.standings if row.entry in absent)


def test_a_late_substitute_is_not_absent_when_the_opponent_resigns(
    second_verifier: SecondVerifier, tmp_path: Path
) -> None:
    matches = house_in(tmp_path)
    appoint_officials(matches)
    plan = replace(PLAN, stages=(Stage("swiss", 1),), table=Table(public=True, clock=Clock("per_move", 600)))
    commands.open_tournament(matches, CUP, plan, "olga", at=START)
    for person in PEOPLE[:4]:
        change_cup(matches, partial(registration.enter, by=person, actor=person))
    open_next_round(matches, 1, comes=lambda _matches, _match: None)
    first, other = tables_of(matches, 1)
    match = begin_without_first(matches, first)
    name_substitute(matches, first, "sue")
    matches.resign(first, 1, match.seats[1].actor or "", at=match.timestamp)
    make_ready(matches, other)
    play_out(matches, matches.get(other))
    close_cup_round(matches, 1)
    content = b"".join(cup_file(matches))

    assert [outcome.no_shows for outcome in outcomes_in(matches)] == [(), ()]
    assert (verify_event(content, titles=ALL_TITLES).fault, second_verifier.examine(content).fault) == (None, None)
