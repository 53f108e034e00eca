"""What a seat may choose in Corsairs; the last action is the service's own."""

from domain.kernel.values import Value, tagger

NAME = "corsairs"


class Tagged(Value, frozen=True, tag_field="type", tag=tagger(NAME)):
    """Base of actions and effects."""


class SendShip(Tagged, frozen=True):
    """Lay a ship of the hand face down."""

    strength: int


class DivideTreasure(Tagged, frozen=True):
    """The service gives the treasure away."""


Action = SendShip | DivideTreasure
