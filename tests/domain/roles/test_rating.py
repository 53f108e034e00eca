"""Rated events: the tables of an event count only if an organiser of the service opened it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.matches.facts import SERVICE, Clock, Table
from domain.roles.commands import change_role, roles_of
from domain.roles.errors import RatedWithoutOrganiser
from domain.roles.rating import may_rate, require_rater, table_for_opener
from domain.roles.state import NOBODY, Role
from domain.tournaments import commands
from tests.domain.tournaments.building import AT, BY, EVENT
from tests.domain.tournaments.test_commands import start_event

RATED = Table(rated=True, clock=Clock("per_move", 60))


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    matches = open_store(store_env(tmp_path / "log.db"))
    yield matches
    matches.close()


@pytest.mark.parametrize(
    ("role", "scope", "may"),
    [
        ("organiser", "", True),
        ("operator", "", True),
        ("organiser", str(EVENT), False),
        ("head_arbiter", "", False),
        (None, "", False),
    ],
)
def test_the_opener_of_a_rated_event_organises_for_the_whole_service(
    matches: Matches, role: Role | None, scope: str, *, may: bool
) -> None:
    if role is not None:
        change_role(matches, BY, role, by=SERVICE, granted=True, at=AT, scope=scope)

    assert may_rate(roles_of(matches), BY) is may


def test_a_rated_plan_is_refused_by_name_and_an_unrated_one_is_not() -> None:
    with pytest.raises(RatedWithoutOrganiser, match="'olga' is not an organiser of this service"):
        require_rater(NOBODY, RATED, "olga")
    require_rater(NOBODY, Table(), "olga")
    require_rater(NOBODY, RATED, SERVICE)


@pytest.mark.parametrize("is_organiser", [True, False])
def test_a_table_of_a_tournament_is_rated_if_its_opener_may_rate_when_it_opens(
    matches: Matches, *, is_organiser: bool
) -> None:
    change_role(matches, BY, "organiser", by=SERVICE, granted=True, at=AT)
    start_event(matches, "ann", "ben", table=RATED)
    change_role(matches, BY, "organiser", by=SERVICE, granted=is_organiser, at=AT)
    match = commands.open_table(matches, EVENT, 1, 1, at=AT)

    assert match is not None
    assert match.table.rated is is_organiser
    assert table_for_opener(Table(), NOBODY, BY) == Table()
