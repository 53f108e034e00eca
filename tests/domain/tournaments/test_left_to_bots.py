"""Records about tables that are left to bots: which of them the service may make."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

import pytest

from domain.contests.adjudication import BOTS_TIME
from domain.contests.deadlines import BY_BOTS, BY_LOT, BY_SCORE, LEFT_TO_BOTS
from domain.kernel.values import replace
from domain.matches.facts import SERVICE
from domain.tournaments import facts
from domain.tournaments.acts import act_kind
from domain.tournaments.deadline_facts import TableLeftToBots
from domain.tournaments.orders import is_order
from tests.domain.tournaments.building import Story
from tests.domain.tournaments.test_derivation import LATER, derives, late_round

UNTIL: Final = LATER + BOTS_TIME
LEFT: Final = TableLeftToBots(SERVICE, 1, 1, UNTIL, LEFT_TO_BOTS)
LINES: Final = ((5, 1), (2, 2), (9, 3), (1, 4), (3, 8))
RULED: Final = facts.ResultRuled(SERVICE, 1, 1, (1, 1), (3, 3), BY_BOTS, bot="bot:x@1", lines=LINES)


def at_deadline(consequence: Any = "bots", **plan: Any) -> Story:
    told = late_round(consequence, **plan)
    told.at = LATER
    return told


def test_the_calendar_leaves_a_table_to_bots_once_after_the_deadline() -> None:
    told = late_round("bots")
    assert "from 2026-01-01T01:00:00" in derives(told, LEFT)
    told.at = LATER
    assert derives(told, LEFT) == ""
    assert "until then" in derives(told, replace(LEFT, until=UNTIL + timedelta(1)))
    assert "no deadline" in derives(told.take(LEFT), LEFT)
    assert "until then" in derives(at_deadline("score"), LEFT)
    assert "until then" in derives(at_deadline(face_to_face=True), LEFT)
    assert is_order(told.state, LEFT)
    assert act_kind(told.state, LEFT) == "left_to_bots"


def test_lines_decide_a_table_that_was_left_to_bots() -> None:
    assert "consequence" in derives(at_deadline(), RULED)
    assert derives(at_deadline().take(LEFT, facts.DeadlinePassed(1, LATER)), RULED) == ""


@pytest.mark.parametrize(
    "values",
    [
        {"places": (1, 2)},
        {"scores": (4, 3), "places": (1, 2)},
        {"drawn": True},
        {"overdue": (1,)},
        {"lines": LINES[:3]},
        {"lines": ((3,),) * 5, "scores": (3,), "places": (1,)},
    ],
)
def test_other_results_than_the_medians_are_refused(values: dict[str, Any]) -> None:
    assert "left to bots" in derives(at_deadline().take(LEFT), replace(RULED, **values))


def test_scores_decide_when_the_time_of_the_bots_is_over() -> None:
    told = at_deadline()
    ruled = facts.ResultRuled(SERVICE, 1, 1, (2, 1), (3, 7), BY_SCORE)
    assert "consequence" in derives(told, ruled)
    told.take(LEFT)
    assert "from 2026-01-01T04:00:00" in derives(told, ruled)
    told.at = UNTIL
    assert derives(told, ruled) == ""
    for values in ({"places": (1, 2)}, {"lines": LINES}, {"overdue": (0,)}, {"drawn": True}):
        assert "left to bots" in derives(told, replace(ruled, **values))


def test_lots_decide_a_match_that_has_not_begun() -> None:
    drawn = facts.ResultRuled(SERVICE, 1, 1, (2, 1), (0, 0), BY_LOT, drawn=True)
    told = at_deadline()
    assert derives(told, drawn) == "", "the match in the file shows that it has not begun"
    assert "left to bots" in derives(told.take(LEFT), replace(drawn, lines=LINES, bot="bot:x@1"))
