"""The cost of a choice is computed as in an analysis."""

from typing import Final

import msgspec
import pytest

from domain.analyses.report import Choice
from domain.hints import Advice, Marked
from domain.kernel.messages import Message


def choice(action: str, chance: int, count: int = 40) -> Choice:
    return Choice(msgspec.Raw(f'"{action}"'.encode()), Message(action), 0, chance, count)


BEST: Final = choice("best", 6_000)


@pytest.mark.parametrize(
    ("played", "error", "loss", "grade"),
    [
        (None, 0, 0, "best"),
        (BEST, 0, 0, "best"),
        (choice("other", 5_700), 150, 0, "best"),
        (choice("other", 5_700), 149, 300, "inaccuracy"),
        (choice("other", 4_000), 100, 2_000, "blunder"),
        (choice("other", 4_500, 2), 120, 0, "best"),
        (choice("other", 4_500, 4), 120, 1_500, "blunder"),
    ],
)
def test_a_loss_within_chance_counts_for_nothing(played: Choice | None, error: int, loss: int, grade: str) -> None:
    advice = Advice((Marked(BEST, ()),), played, error)

    assert (advice.loss, advice.grade, advice.is_blunder) == (loss, grade, grade == "blunder")
