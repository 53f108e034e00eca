"""A title's description of its cards: every value in words, with its provenance."""

from domain.kernel.values import Value


class Side(Value, frozen=True):
    """A value or use of a card. The provenance is `seed`, `found:SITE`, `recalled` or `reconstructed`."""

    name: str
    text: str
    provenance: str


class CataloguedCard(Value, frozen=True):
    """A card with all its uses; the group is its stack or deck."""

    id: str
    name: str
    group: str
    sides: tuple[Side, ...]
    notes: tuple[str, ...] = ()
