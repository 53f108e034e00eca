"""The step of a match that belongs to the service itself: nobody chooses it."""

from domain.kernel.rules import HOUSE
from workers.client import MatchService


def service_turn(service: MatchService, match_id: str, version: int) -> bool:
    """Takes the service's own action if the match still stands at `version` and owes one; whether it did."""
    owed = service.read_duty(match_id)
    if owed is None or owed.seat != HOUSE or owed.version != version:
        return False
    return service.act(match_id, version, HOUSE, owed.actions[0]) is not None
