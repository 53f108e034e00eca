"""The available bots by name."""

from collections.abc import Mapping
from typing import Final

import msgspec

from domain.kernel.title import Titles
from domain.matches.seats.bots import SEARCHING
from domain.titles import TITLES
from workers.bots import random
from workers.bots.evaluation import Evaluations, load_evaluations
from workers.bots.gentle import Gentle
from workers.bots.greedy import Greedy
from workers.bots.kinds import BUDGET, BotKind, Choose
from workers.bots.rounds import Play
from workers.bots.search import LEVELS, Search

__all__ = ["ASSISTANTS", "BOTS", "BUDGET", "BotKind", "Choose", "build_bots", "shared_bots"]

ASSISTANTS: Final = max(level.processes for level in LEVELS.values()) - 1
"""Number of assistant processes a worker can use besides itself."""

Bots = Mapping[str, BotKind]


def build_bots(titles: Titles, evaluations: Evaluations | None = None) -> Bots:
    """Build all bots by name for these titles, with the evaluations of the titles' modules by default.

    Searching bots play only titles with an outline.
    """
    loaded = load_evaluations(titles) if evaluations is None else evaluations
    outlined = frozenset(name for name, weights in loaded.items() if weights.outline is not None)
    return {
        "greedy": BotKind("greedy", 2, Greedy(loaded), frozenset(loaded)),
        "gentle": BotKind("gentle", 1, Gentle(loaded), frozenset(loaded)),
        "random": BotKind("random", 1, random.choose),
        **{
            name: BotKind(name, level.version, Search(loaded, level), outlined, SEARCHING[name])
            for name, level in LEVELS.items()
        },
    }


def shared_bots(bots: Bots, play: Play) -> Bots:
    """Return the bots with `play` as the way to run rollouts for levels that use several processes."""
    return {name: shared_bot(kind, play) for name, kind in bots.items()}


def shared_bot(kind: BotKind, play: Play) -> BotKind:
    """Return the bot with shared rollouts if its level uses several processes, else unchanged."""
    if isinstance(kind.choose, Search) and kind.choose.processes > 1:
        return msgspec.structs.replace(kind, choose=kind.choose.with_play(play))
    return kind


BOTS: Final[Bots] = build_bots(TITLES)
"""The bots for all titles."""
