"""The job for a match whose waiting time is over: getting ready, or a pause."""

from workers.client import MatchService


def pass_deadline(service: MatchService, match_id: str, version: int) -> bool:
    """Report the deadline to the match; return False if the match has changed since `version`."""
    return service.pass_deadline(match_id, version)
