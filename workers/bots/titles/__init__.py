"""The greedy bot's weights, by title."""

from collections.abc import Mapping
from typing import Final

from workers.bots.evaluation import Weights
from workers.bots.titles import el_grande, la_granja

WEIGHTS: Final[Mapping[str, Weights]] = {"el_grande": el_grande.WEIGHTS, "la_granja": la_granja.WEIGHTS}
