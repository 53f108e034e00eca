"""The step that belongs to the service: La Granja's final sale (LG-8)."""

from domain.kernel.rules import HOUSE
from workers.client import Service


def final_sale(service: Service, match_id: str, version: int) -> bool:
    """Takes the house's action if the match still stands at `version` and the house owes it; whether it did."""
    owed = service.owed(match_id)
    if owed is None or owed.seat != HOUSE or owed.version != version:
        return False
    return service.act(match_id, version, HOUSE, owed.actions[0]) is not None
