"""The bots there are, by name."""

from collections.abc import Mapping
from typing import Final

from workers.bots import greedy, random
from workers.bots.kinds import BUDGET, BotKind, Choose

__all__ = ["BOTS", "BUDGET", "BotKind", "Choose"]

BOTS: Final[Mapping[str, BotKind]] = {
    "greedy": BotKind("greedy", 2, greedy.choose),
    "random": BotKind("random", 1, random.choose),
}
