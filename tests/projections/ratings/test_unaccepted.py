"""Accounts entered by an organiser without their consent: no match counts for them."""

from functools import partial
from pathlib import Path

import pytest

from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.matches.facts import Clock, Table
from domain.ratings.facts import begin_fair_play
from domain.ratings.leaving import LeavingHabit
from domain.roles.commands import change_role
from domain.standings.contest import Stage
from domain.tournaments import commands, registration, substitutes
from projections.catalogue import PROJECTIONS
from projections.loop import FollowerLoop
from projections.platform.store import ReadStore
from projections.ratings import early_leavers, rankings
from tests.domain.matches.match_helpers import START, play_out
from tests.domain.proofs.tournament_proofs import (
    CUP,
    PLAN,
    appoint_officials,
    change_cup,
    cup_in,
    house_in,
    make_ready,
    open_next_round,
    tables_of,
)
from tests.transparency.test_absent import never_comes

PEOPLE = ("anna", "bea", "carl", "dora")
VICTIMS = ("victor", "vera")


@pytest.fixture
def matches(tmp_path: Path) -> Matches:
    """Provide a service with the second edition of the rating rules, and an organiser of rated events."""
    matches = house_in(tmp_path)
    begin_fair_play(matches, at=START)
    appoint_officials(matches, keyed=False)
    change_role(matches, "olga", "organiser", by="opal", granted=True, at=START)
    return matches


def test_no_match_of_an_event_counts_for_accounts_that_never_accepted(matches: Matches, any_store: ReadStore) -> None:
    """The organiser enters one account, and names another as the substitute of an absent player."""
    rated = Table(rated=True, public=True, clock=Clock("per_move", 600))
    commands.open_tournament(matches, CUP, replace(PLAN, stages=(Stage("swiss", 1),), table=rated), "olga", at=START)
    for person in PEOPLE:
        change_cup(matches, partial(registration.enter, by=person, actor=person))
    change_cup(matches, partial(registration.enter, by="olga", actor="victor", as_organiser=True))
    open_next_round(matches, 1, comes=lambda _matches, _match: None)
    missed, other = tables_of(matches, 1)
    gone = next(table for table in cup_in(matches).rounds[0].tables if table.match == missed).entries[0]
    substitutes.name_substitute(matches, CUP, 1, gone, "vera", "olga", "Ill.", at=START)
    never_comes(matches, missed)
    make_ready(matches, other)
    play_out(matches, matches.get(other))
    FollowerLoop(matches, any_store, tuple(PROJECTIONS.values())).catch_up()

    rated_players = {player for result in rankings.results(any_store) for player in result.players}
    absent = next(entry.actor for entry in cup_in(matches).entries if entry.id == gone)
    assert rated_players <= {*PEOPLE}
    assert len(rated_players) == 2
    assert early_leavers.of_player(any_store, absent) == LeavingHabit(1, no_show=1)
    for victim in VICTIMS:
        assert early_leavers.of_player(any_store, victim) == LeavingHabit()
        assert rankings.ratings_of(any_store, victim) == {}
