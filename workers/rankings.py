"""The job for a step of a ranking list: freezing a month that is over."""

from workers.client import RankingSteps


def ranking_step(service: RankingSteps, list_id: str, step: str, version: int) -> bool:
    """Take the step that a list needs at this version; return whether it was taken.

    Idempotent: a late request has no effect, because each names the version it applies to. While results are being
    rated the step is refused, and the job is issued again.
    """
    return service.take_ranking_step(list_id, {"step": step, "expectedVersion": version})
