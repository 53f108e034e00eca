"""A clock has run out."""

from workers.client import MatchService


def expire_turns(service: MatchService, match_id: str, version: int, seat: int) -> bool:
    """Tells the match that the seat's time is over; whatever happened since `version` makes it too late to say so."""
    return service.time_out(match_id, version, seat)
