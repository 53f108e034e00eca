"""The rating models by name."""

from collections.abc import Mapping
from typing import Final

from domain.ratings.elo import ELO
from domain.ratings.model import RatingModel
from domain.ratings.null import NULL
from domain.ratings.plackett_luce import PLACKETT_LUCE


class UnknownModel(ValueError):
    """The name of a rating model is unknown."""


MODELS: Final[Mapping[str, RatingModel]] = {"plackett-luce": PLACKETT_LUCE, "elo": ELO, "null": NULL}

BASE: Final = "plackett-luce"
"""The model of the ranking lists."""


def model_of(name: str) -> RatingModel:
    """Return the model of this name; raise `UnknownModel` if there is none."""
    if name not in MODELS:
        raise UnknownModel(f"unknown rating model {name!r}; known: {', '.join(MODELS)}")
    return MODELS[name]
