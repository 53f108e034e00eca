"""A process that acts in many matches at once until it is killed, and says what was acknowledged, a line each."""

import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from api.http.bells import Bells
from api.http.guards import Caller
from api.http.writer import OneWriter
from api.matches.commands import act
from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.matches.aggregate import legal_actions, seats_to_act
from projections.platform.store import ReadStore
from tests.domain.matches.world import ALL_TITLES, BOT, started

SERVICE = Caller(is_service=True)
CALLERS = 16


async def play(writer: OneWriter, matches: Matches, round_: int, caller: int) -> None:
    """Match after match."""
    number = round_ * 1_000_000 + caller * 1_000
    while True:
        number += 1
        match = await writer.execute(started, UUID(int=number), (BOT, BOT))
        while not match.is_over:
            seat = seats_to_act(match)[0]
            action = legal_actions(match, seat)[0]
            expected, at = match.version, datetime.now(UTC)
            match = await writer.execute(act, match.id, SERVICE, seat, action, expected_version=expected, at=at)
            sys.stdout.write(f"{match.id} {expected + 1} {matches.at(match.id, expected + 1).head}\n")
            sys.stdout.flush()


async def hammer(folder: Path, round_: int) -> None:
    matches, reads = open_store(store_env(folder / "log.db"), titles=ALL_TITLES), ReadStore(folder / "reads.db")
    writer = OneWriter(matches, reads, Bells(asyncio.get_running_loop()))
    await asyncio.gather(*(play(writer, matches, round_, caller) for caller in range(CALLERS)))


if __name__ == "__main__":
    asyncio.run(hammer(Path(sys.argv[1]), int(sys.argv[2])))
