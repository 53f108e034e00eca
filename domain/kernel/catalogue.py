"""What a title says of its cards: every value, in words, and where it comes from."""

from domain.kernel.values import Value


class Side(Value, frozen=True):
    """A value or a use of a card. The provenance is `seed`, `found:SITE`, `recalled` or `reconstructed`."""

    name: str
    text: str
    provenance: str


class CataloguedCard(Value, frozen=True):
    """A card with all its uses; the group is the stack or deck it belongs to."""

    id: str
    name: str
    group: str
    sides: tuple[Side, ...]
    notes: tuple[str, ...] = ()
