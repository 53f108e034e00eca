"""What a tournament waits for: a pairing, the matches of a round, or, where it runs by itself, its next step."""

from collections.abc import Callable
from typing import Any

import msgspec
import structlog

from domain.kernel.loading import load
from domain.kernel.messages import Message
from domain.pairing.problem import Pairing, PairingRefused, Problem
from workers.client import OrganisingService, TournamentOwed

logger = structlog.get_logger("events")

Answer = Callable[[Problem, str], tuple[Pairing, tuple[tuple[Message, ...], ...]]]


def tournament_step(service: OrganisingService, event_id: str, step: str, version: int) -> bool:
    """Does what the event waits for at the version the job was made for; whether it did. Safe to run twice: what comes
    too late does nothing, here or in the service, which is told the version with every request."""
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


def pair(service: OrganisingService, owed: TournamentOwed) -> bool:
    """Solves the round; what cannot be paired is said to the organiser."""
    # The solver takes longer to import than a bot's turn may.
    answer: Answer = load("domain.pairing.ways", "answer_problem")
    problem = msgspec.json.decode(owed.problem, type=Problem)
    wanted: dict[str, Any] = {"round": owed.round, "expectedVersion": owed.version}
    try:
        pairing, reasons = answer(problem, owed.way)
    except PairingRefused as refusal:
        told = {"why": str(refusal), "conflicts": refusal.conflicts}
        return service.post_to_tournament(f"{owed.event_id}/pairing", {**wanted, **told})
    logger.info("paired", tournament=owed.event_id, round=owed.round, tables=len(pairing.tables))
    return service.post_to_tournament(f"{owed.event_id}/pairing", {**wanted, "pairing": pairing, "reasons": reasons})
