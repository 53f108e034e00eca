"""The bots there are, by name."""

from collections.abc import Mapping
from typing import Final

from domain.kernel.title import Titles
from domain.matches.bots import SEARCHING
from domain.titles import TITLES
from workers.bots import random
from workers.bots.evaluation import Evaluations, load_evaluations
from workers.bots.gentle import Gentle
from workers.bots.greedy import Greedy
from workers.bots.kinds import BUDGET, BotKind, Choose
from workers.bots.search import LEVELS, Search

__all__ = ["BOTS", "BUDGET", "BotKind", "Choose", "build_bots"]

Bots = Mapping[str, BotKind]


def build_bots(titles: Titles, evaluations: Evaluations | None = None) -> Bots:
    """The bots for these titles; evaluations are those of the titles' own modules unless others are given."""
    known = load_evaluations(titles) if evaluations is None else evaluations
    outlined = frozenset(name for name, weights in known.items() if weights.outline is not None)
    return {
        "greedy": BotKind("greedy", 2, Greedy(known), frozenset(known)),
        "gentle": BotKind("gentle", 1, Gentle(known), frozenset(known)),
        "random": BotKind("random", 1, random.choose),
        **{name: BotKind(name, 2, Search(known, level), outlined, SEARCHING[name]) for name, level in LEVELS.items()},
    }


BOTS: Final[Bots] = build_bots(TITLES)
"""The bots for the one list of titles."""
