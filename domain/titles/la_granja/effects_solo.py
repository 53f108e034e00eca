"""Additional effects of the solo game (LG-11); the neutral player's stalls use the effects of the village."""

from domain.kernel.values import Value, tagger


class Tagged(Value, frozen=True, tag=tagger("la_granja")):
    """An effect; its tag is its name."""


class NeutralSeated(Tagged, frozen=True):
    """The neutral player is first (1) or second (2) in the next round (LG-11.1, LG-11.10)."""

    place: int


class DieDiscarded(Tagged, frozen=True):
    """A revenue die is discarded (LG-11.5)."""

    pips: int


class CardTurnedUp(Tagged, frozen=True):
    """The top card of the draw pile is turned up for the neutral player and discarded (LG-11.7)."""

    card: int
