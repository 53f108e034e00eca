"""Which outcomes are rated, and whose they are (docs/fair-play.md)."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

import pytest

from domain.kernel.values import replace
from domain.matches.outcome import Began, Outcome
from domain.ratings.counting import result_of
from domain.ratings.rules import RatingRules

AT: Final = datetime(2026, 3, 1, tzinfo=UTC)
PLAYED: Final = Outcome(
    match_id=UUID(int=1),
    line_id=UUID(int=2),
    title="toy",
    options={},
    players=("ann", "bot:random@1"),
    began=(Began("ann", "", 5, False), Began("ben", "provisional", 5, False)),
    clocked=True,
    rated=True,
    imported=False,
    forked=False,
    public=True,
    event="",
    status="ended",
    scores=(9, 4),
    ranking=(1, 2),
    penalties=(0, 0),
    resigned=(),
    started_at=AT,
    ended_at=AT + timedelta(hours=1),
    ruled=False,
)


def test_before_the_rules_of_fair_play_the_result_is_of_those_who_sit_there_last() -> None:
    found = result_of(PLAYED)

    assert found is not None
    assert (found.players, found.places, found.fair, found.provisional) == (("ann", "bot:random@1"), (1, 2), False, ())
    assert result_of(PLAYED, RatingRules(AT + timedelta(days=1))) == found


def test_by_these_rules_it_is_of_those_who_began() -> None:
    found = result_of(PLAYED, RatingRules(AT))

    assert found is not None
    assert (found.players, found.fair, found.provisional) == (("ann", "ben"), True, ("ben",))


@pytest.mark.parametrize(
    "change",
    [
        {"rated": False},
        {"imported": True},
        {"forked": True},
        {"status": "void", "ranking": None},
        {"public": False},
        {"clocked": False},
        {"began": (Began("ann", "guest", 5, False), Began("ben", "", 5, False))},
        {"began": (Began("ann", "", 1, False), Began("ben", "", 5, False))},
        {"began": (Began("ann", "", 5, False), Began("ben", "", 5, True))},
    ],
)
def test_what_is_not_rated(change: dict[str, Any]) -> None:
    assert result_of(replace(PLAYED, **change), RatingRules(AT)) is None


def test_what_was_cut_short_counts_where_an_arbiter_has_ruled() -> None:
    short = replace(PLAYED, began=(Began("ann", "", 1, False), Began("ben", "", 0, False)), ruled=True)

    assert result_of(short, RatingRules(AT)) is not None
