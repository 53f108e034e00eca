"""The job for steps of a match that belong to the service, without any choice."""

from domain.kernel.rules import SERVICE_SEAT
from workers.client import MatchService


def service_turn(service: MatchService, match_id: str, version: int) -> bool:
    """Take the service's first action if the match is at `version` and has one; return whether it was taken.

    False also for an action that is too late.
    """
    duty = service.read_duty(match_id)
    if duty is None or duty.seat != SERVICE_SEAT or duty.version != version:
        return False
    return service.act(match_id, version, SERVICE_SEAT, duty.actions[0]) is not None
