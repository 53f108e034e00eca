"""The job for a step of a league: the matches of its open rounds, table by table, or the next automatic step."""

import time
from typing import Final

import structlog

from workers.adjudications import adjudicate
from workers.client import LeagueDuty, OrganisingService
from workers.matches.bot_turn import PLAYERS, Players
from workers.queues import ADJUDICATE

logger = structlog.get_logger("leagues")

WORK_SECONDS_MAX: Final = 60.0
"""Seconds after which no further tables are opened; the job's timeout is two minutes, and the rest is issued again."""


def league_step(
    service: OrganisingService, league_id: str, step: str, version: int, players: Players = PLAYERS
) -> bool:
    """Take the step that the league needs at this version; return whether it was taken.

    Idempotent: a late request has no effect, because each names the version it applies to.
    """
    if step == "open":
        return open_waiting_tables(service, league_id, version)
    if step == ADJUDICATE:
        duty = service.read_league_duty(league_id)
        if duty is None or (duty.step, duty.version) != (step, version):
            return False
        return adjudicate(
            service, duty.with_bots, lambda path, body: service.post_to_league(f"{league_id}/{path}", body), players
        )
    return service.post_to_league(f"{league_id}/steps", {"step": step, "expectedVersion": version})


def open_waiting_tables(service: OrganisingService, league_id: str, version: int) -> bool:
    """Open waiting tables while the league is at this version; return True if this opened all.

    Idempotent: open tables are unchanged. Return False if nothing was to be opened, the league has changed, or
    after `WORK_SECONDS_MAX`.
    """
    deadline = time.monotonic() + WORK_SECONDS_MAX
    count = 0
    while (duty := service.read_league_duty(league_id)) is not None and (duty.step, duty.version) == ("open", version):
        if time.monotonic() > deadline or not open_tables(service, duty):
            return False
        count += len(duty.tables)
    if count:
        logger.info("round opened", league=league_id, tables=count)
    return count > 0 and duty is not None and duty.version == version


def open_tables(service: OrganisingService, duty: LeagueDuty) -> bool:
    """Open the tables of a duty in order; return False at the first one refused because the league has changed."""
    payload = {"expectedVersion": duty.version}
    return all(
        service.post_to_league(
            f"{duty.league_id}/groups/{table.group}/rounds/{table.round}/tables/{table.table}/match",
            payload,
        )
        for table in duty.tables
    )
