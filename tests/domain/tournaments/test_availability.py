"""The last round that an absence of a tournament can name."""

import pytest

from domain.kernel.values import replace
from domain.standings.contest import Stage
from domain.tournaments.availability import last_round
from tests.domain.tournaments.event_clock import PLAN


@pytest.mark.parametrize(
    ("stages", "last"),
    [
        ((Stage("swiss", 5),), 5),
        ((Stage("swiss", 3), Stage("final")), 4),
        ((Stage("round_robin", 2), Stage("heats", 2)), 4),
        ((Stage("round_robin"),), 0),
        ((Stage("swiss", 3), Stage("elimination")), 0),
    ],
)
def test_the_plan_fixes_the_number_of_rounds_unless_a_stage_decides_it(stages: tuple[Stage, ...], last: int) -> None:
    assert last_round(replace(PLAN, stages=stages)) == last
