"""Tables with hints have one person, playing against bots; they are unrated and in no event."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.values import replace
from domain.matches.aggregate import Match
from domain.matches.errors import HintsRefused
from domain.matches.facts import SERVICE, Clock, Table
from domain.matches.play.commands import replace_seat
from domain.matches.play.hint_tables import check_hints
from tests.domain.matches.match_helpers import ALL_TITLES, BOT, LAST_BOT, START, act_once, start_match, uuid
from tests.seeding import entropy

HINTS: Final = Table(hints=True)
M, F = uuid(1), uuid(2)


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    matches = open_store(store_env(tmp_path / "log.db"), titles=ALL_TITLES, entropy=entropy())
    yield matches
    matches.close()


def test_a_table_with_hints_is_never_rated_and_in_no_event(matches: Matches) -> None:
    rated = replace(HINTS, rated=True, clock=Clock("per_move", 60))

    with pytest.raises(
        HintsRefused, match="a match with hints cannot be rated: rated=true and hints=true cannot be combined"
    ):
        matches.open(M, title="toy", seats=2, by="anna", at=START, table=rated)
    with pytest.raises(HintsRefused, match="tables of the event cup have no hints"):
        check_hints(replace(HINTS, event="cup"))
    for table in (HINTS, Table(), replace(rated, hints=False)):
        check_hints(table)


def test_a_second_person_does_not_sit_down(matches: Matches) -> None:
    matches.open(M, title="toy", seats=3, by="anna", at=START, table=HINTS)
    matches.take_seat(M, 0, "anna", at=START)
    matches.take_seat(M, 1, BOT, at=START)

    with pytest.raises(HintsRefused, match="created with hints by 'anna': 'bela' cannot take seat 2"):
        matches.take_seat(M, 2, "bela", at=START)


def test_before_the_start_the_table_is_its_openers(matches: Matches) -> None:
    matches.open(M, title="toy", seats=3, by="anna", at=START, table=HINTS)

    with pytest.raises(HintsRefused, match="created with hints by 'anna': 'bela' cannot take seat 0"):
        matches.take_seat(M, 0, "bela", at=START)
    assert matches.take_seat(M, 0, "anna", at=START).seats[0].actor == "anna"


def running(matches: Matches) -> Match:
    return start_match(matches, M, ("anna", BOT, LAST_BOT), table=HINTS)


def test_nobody_else_takes_over_a_seat_later(matches: Matches) -> None:
    match = running(matches)

    with pytest.raises(HintsRefused, match="'anna' plays with hints, against bots only: 'bela' cannot take seat 1"):
        replace_seat(match, 1, SERVICE, "bela")
    assert replace_seat(match, 0, "anna", BOT).actor == BOT
    assert replace_seat(match, 0, SERVICE, "bela").actor == "bela", "who takes the one person's place is alone too"


def test_a_fork_has_hints_too_and_one_person(matches: Matches) -> None:
    match = act_once(matches, running(matches))

    with pytest.raises(HintsRefused, match="a table with hints has one person and bots, not 2 people"):
        fork_match(
            matches,
            M,
            at_version=match.version,
            new_id=F,
            luck="fresh",
            by="anna",
            at=START,
            seats=("anna", "bela", BOT),
        )
    fork = fork_match(matches, M, at_version=match.version, new_id=F, luck="fresh", by="anna", at=START)
    assert fork.table.has_hints
