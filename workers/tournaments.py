"""The job for a step of a tournament: a pairing, the matches of a round, or the next automatic step."""

from collections.abc import Callable
from typing import Any

import msgspec
import structlog

from domain.kernel.loading import load
from domain.kernel.messages import Message
from domain.pairing.problem import Pairing, PairingRefused, Problem
from workers.adjudications import adjudicate
from workers.client import OrganisingService, TournamentDuty
from workers.matches.bot_turn import PLAYERS, Players
from workers.queues import ADJUDICATE

logger = structlog.get_logger("events")

Answer = Callable[[Problem, str], tuple[Pairing, tuple[tuple[Message, ...], ...]]]


def tournament_step(
    service: OrganisingService, event_id: str, step: str, version: int, players: Players = PLAYERS
) -> bool:
    """Take the step that the tournament needs at this version; return whether it was taken.

    Tables are opened or started one by one before the step; the first refusal ends it. Idempotent: a late
    request has no effect, because each names the version it applies to.
    """
    duty = service.read_tournament_duty(event_id)
    if duty is None or (duty.step, duty.version) != (step, version):
        return False
    payload = {"expectedVersion": version}
    if step == "pair":
        return pair(service, duty)
    if step == ADJUDICATE:
        return adjudicate(
            service,
            duty.with_bots,
            lambda path, body: service.post_to_tournament(f"{event_id}/{path}", body),
            players,
        )
    if step == "open":
        for table in range(1, duty.tables + 1):
            if not service.post_to_tournament(f"{event_id}/rounds/{duty.round}/tables/{table}/match", payload):
                return False
    if step == "start":
        for table in range(1, duty.tables + 1):
            if not service.post_to_tournament(f"{event_id}/rounds/{duty.round}/tables/{table}/start", payload):
                return False
    return service.post_to_tournament(f"{event_id}/steps", {"step": step, **payload})


def pair(service: OrganisingService, duty: TournamentDuty) -> bool:
    """Pair the round and post the result, or post the conflicts to the organiser; return False if it is too late."""
    # Importing the solver takes longer than a bot's turn may.
    pair_round: Answer = load("domain.pairing.methods", "pair_round")
    problem = msgspec.json.decode(duty.problem, type=Problem)
    payload: dict[str, Any] = {"round": duty.round, "expectedVersion": duty.version}
    try:
        pairing, reasons = pair_round(problem, duty.way)
    except PairingRefused as refusal:
        failure = {"why": str(refusal), "conflicts": refusal.conflicts}
        return service.post_to_tournament(f"{duty.event_id}/pairing", {**payload, **failure})
    logger.info("round paired", tournament=duty.event_id, round=duty.round, tables=len(pairing.tables))
    return service.post_to_tournament(f"{duty.event_id}/pairing", {**payload, "pairing": pairing, "reasons": reasons})
