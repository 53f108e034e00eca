"""The job for an expired clock."""

from workers.client import MatchService


def expire_turns(service: MatchService, match_id: str, version: int, seat: int) -> bool:
    """Report the expired clock of the seat; return False if the match has changed since `version`."""
    return service.time_out(match_id, version, seat)
