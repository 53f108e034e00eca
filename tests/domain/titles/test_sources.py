"""The sources of points add up to the final scores over whole matches of both titles."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from domain.kernel.rules import Seat
from domain.kernel.title import Gain
from domain.matches.apply import fold
from domain.matches.facts import ActionTaken, MatchStarted
from domain.matches.log.log_files import read_log
from domain.matches.titles import read_fact
from domain.titles import TITLES
from domain.titles.el_grande import sources as el_grande
from domain.titles.el_grande.effects import AreaScored, StepBegun
from domain.titles.la_granja import point_sources as la_granja
from domain.titles.la_granja.effects import GoodGained, GoodPaid, SilverExchanged, TurnOrderSet

GOLDEN: Final = Path(__file__).parents[2] / "golden"
LOGS: Final = [path for path in sorted(GOLDEN.glob("*.jsonl")) if "retired" not in path.stem]


def effects_of(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield the effects of a recorded match with their versions, and finally the last state."""
    match = None
    for entry in read_log(path).entries:
        match = fold(TITLES, [entry], match)
        assert match is not None
        fact = read_fact(match.definition, entry)
        if isinstance(fact, ActionTaken | MatchStarted):
            yield from ((entry.version, effect) for effect in fact.effects)
    yield 0, match


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_the_sources_add_up_to_the_final_score(path: Path) -> None:
    *effects, (_, match) = effects_of(path)
    if match.state is None:
        return
    sources = match.definition.sources
    assert sources is not None
    came = Counter[int]()

    for gain in sources.gains(effects):
        came[gain.seat] += gain.points
        assert gain.source in {*sources.headings} - {"other"}
        assert sources.place is None or sources.place(gain.place)

    scores = match.definition.rules.scores(match.state)
    assert tuple(came[seat] for seat in range(len(scores))) == scores


def test_points_of_la_granja_by_their_sources() -> None:
    effects: list[tuple[int, Any]] = [
        (1, GoodGained(Seat(0), "vp", 3, "", "setup")),
        (2, TurnOrderSet((Seat(0), Seat(1)))),
        (2, GoodGained(Seat(1), "vp", 4, "", "barrow")),
        (3, GoodPaid(Seat(0), "vp", 1, "", "helper")),
        (3, GoodGained(Seat(0), "olive", 1, "store", "growth")),
        (8, GoodGained(Seat(0), "vp", 1, "", "a rule of other times")),
        (9, SilverExchanged(Seat(1), 10, 2)),
    ]

    assert list(la_granja.gains(effects)) == [
        Gain(1, 0, "setup", 3),
        Gain(2, 1, "barrows", 4),
        Gain(3, 0, "helpers", -1),
        Gain(8, 0, "other", 1),
        Gain(9, 1, "sale", 2),
    ]


def test_points_of_el_grande_by_scoring_and_region() -> None:
    effects: list[tuple[int, Any]] = [
        (4, StepBegun("carry_out", (0,))),
        (4, AreaScored("granada", (4, 0))),
        (8, StepBegun("scoring")),
        (9, StepBegun("regions")),
        (9, AreaScored("toledo", (6, 3))),
        (20, StepBegun("scoring")),
        (20, AreaScored("castillo", (0, 5))),
    ]

    assert list(el_grande.gains(effects)) == [
        Gain(4, 0, "cards", 4, "granada"),
        Gain(9, 0, "scoring_1", 6, "toledo"),
        Gain(9, 1, "scoring_1", 3, "toledo"),
        Gain(20, 1, "scoring_2", 5, "castillo"),
    ]
