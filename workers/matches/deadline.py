"""A match has waited long enough: for players to get ready, or in a pause."""

from workers.client import MatchService


def pass_deadline(service: MatchService, match_id: str, version: int) -> bool:
    """Tells the match that its time to wait is over; whatever happened since `version` makes it too late to say so."""
    return service.pass_deadline(match_id, version)
