"""The job for a step of a tournament: a pairing, the matches of a round, or the next automatic step."""

from collections.abc import Callable
from typing import Any

import msgspec
import structlog

from domain.kernel.loading import load
from domain.kernel.messages import Message
from domain.pairing.problem import Pairing, PairingRefused, Problem
from workers.client import OrganisingService, TournamentDuty

logger = structlog.get_logger("events")

Answer = Callable[[Problem, str], tuple[Pairing, tuple[tuple[Message, ...], ...]]]


def tournament_step(service: OrganisingService, event_id: str, step: str, version: int) -> bool:
    """Take the step that the tournament needs at this version; return whether it was taken.

    Tables are opened or started one by one before the step; the first refusal ends it. Idempotent: a late
    request has no effect, because each names the version it applies to.
    """
    owed = service.read_tournament_duty(event_id)
    if owed is None or (owed.step, owed.version) != (step, version):
        return False
    wanted = {"expectedVersion": version}
    if step == "pair":
        return pair(service, owed)
    if step == "open":
        for table in range(1, owed.tables + 1):
            if not service.post_to_tournament(f"{event_id}/rounds/{owed.round}/tables/{table}/match", wanted):
                return False
    if step == "start":
        for table in range(1, owed.tables + 1):
            if not service.post_to_tournament(f"{event_id}/rounds/{owed.round}/tables/{table}/start", wanted):
                return False
    return service.post_to_tournament(f"{event_id}/steps", {"step": step, **wanted})


def pair(service: OrganisingService, owed: TournamentDuty) -> bool:
    """Pair the round and post the result, or post the conflicts to the organiser; return False if it is too late."""
    # Importing the solver takes longer than a bot's turn may.
    answer: Answer = load("domain.pairing.methods", "pair_round")
    problem = msgspec.json.decode(owed.problem, type=Problem)
    wanted: dict[str, Any] = {"round": owed.round, "expectedVersion": owed.version}
    try:
        pairing, reasons = answer(problem, owed.way)
    except PairingRefused as refusal:
        told = {"why": str(refusal), "conflicts": refusal.conflicts}
        return service.post_to_tournament(f"{owed.event_id}/pairing", {**wanted, **told})
    logger.info("round paired", tournament=owed.event_id, round=owed.round, tables=len(pairing.tables))
    return service.post_to_tournament(f"{owed.event_id}/pairing", {**wanted, "pairing": pairing, "reasons": reasons})
