"""A short match that was played once for all tests, and a small budget."""

from functools import cache
from typing import Final

from domain.analyses.report import Budget
from domain.matches.play.in_memory import MatchLog, play_on, seed_luck, table_of_bots
from domain.titles import TITLES
from workers.bots import BOTS
from workers.bots.evaluation import load_evaluations

EVALUATIONS: Final = load_evaluations(TITLES)
QUICK: Final = Budget(tries=200, width=3, draws=2)


@cache
def log_of(title: str = "el_grande", seats: int = 2) -> MatchLog:
    """A match of a greedy bot against random ones."""
    names = ["greedy", *["random"] * (seats - 1)]
    play = table_of_bots(TITLES[title], [BOTS[name].actor for name in names], {}, seed_luck(b"played"))
    return play_on(play, {BOTS[name].actor: BOTS[name].choose for name in names})
