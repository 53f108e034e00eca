"""The greedy bot's weights, by title."""

from collections.abc import Mapping
from typing import Final

from workers.bots.weights import la_granja
from workers.bots.weights.kinds import Weights

WEIGHTS: Final[Mapping[str, Weights]] = {"la_granja": la_granja.WEIGHTS}
