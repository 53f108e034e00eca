"""The projections there are, by name."""

from collections.abc import Mapping
from typing import Final

from projections import boards, clocks, farms, lobby, replay
from projections.follow import Follower, enrol
from projections.store import ReadStore

PROJECTIONS: Final[Mapping[str, Follower]] = {
    boards.NAME: boards,
    clocks.NAME: clocks,
    farms.NAME: farms,
    lobby.NAME: lobby,
    replay.NAME: replay,
}


def prepare(store: ReadStore) -> None:
    """Makes the tables that are missing, so that reading finds nothing instead of failing."""
    for projection in PROJECTIONS.values():
        enrol(store, projection)
