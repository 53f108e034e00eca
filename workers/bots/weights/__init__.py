"""The greedy bot's weights, by title."""

from collections.abc import Mapping
from typing import Final

from workers.bots.weights import el_grande, la_granja
from workers.bots.weights.kinds import Weights

WEIGHTS: Final[Mapping[str, Weights]] = {"el_grande": el_grande.WEIGHTS, "la_granja": la_granja.WEIGHTS}
