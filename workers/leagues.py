"""What a league waits for: the matches of the rounds that are open, table by table."""

import time
from typing import Final

import structlog

from workers.client import LeagueOwed, OrganisingService

logger = structlog.get_logger("leagues")

WORK_SECONDS_MAX: Final = 60.0
"""No further tables are asked for after this; the job's own limit is two minutes, and what is left is issued again."""


def league_step(service: OrganisingService, league_id: str, step: str, version: int) -> bool:
    """Opens the tables that wait for their match, while the league stands at the version the job was made for; whether
    none is left. Safe to run twice: a table that is open stays as it is."""
    deadline = time.monotonic() + WORK_SECONDS_MAX
    count = 0
    while (owed := service.read_league_duty(league_id)) is not None and (owed.step, owed.version) == (step, version):
        if time.monotonic() > deadline or not open_tables(service, owed):
            return False
        count += len(owed.tables)
    if count:
        logger.info("opened", league=league_id, tables=count)
    return count > 0 and owed is not None and owed.version == version


def open_tables(service: OrganisingService, owed: LeagueOwed) -> bool:
    """The tables the service has named; false when the league has moved on meanwhile."""
    wanted = {"expectedVersion": owed.version}
    return all(
        service.post_to_league(
            f"{owed.league_id}/groups/{at.group}/rounds/{at.round}/tables/{at.table}/match",
            wanted,
        )
        for at in owed.tables
    )
