"""The projections there are, by name."""

from collections.abc import Mapping
from typing import Final

from projections import (
    audit,
    boards,
    clocks,
    desk_disputes,
    desk_forks,
    desk_studies,
    farms,
    habits,
    leagues,
    lobby,
    outcomes,
    ratings,
    replay,
    tournaments,
)
from projections.follow import AnyFollower, enrol
from projections.store import ReadStore

PROJECTIONS: Final[Mapping[str, AnyFollower]] = {
    audit.NAME: audit,
    boards.NAME: boards,
    clocks.NAME: clocks,
    desk_disputes.NAME: desk_disputes,
    desk_forks.NAME: desk_forks,
    desk_studies.NAME: desk_studies,
    farms.NAME: farms,
    habits.NAME: habits,
    leagues.NAME: leagues,
    lobby.NAME: lobby,
    outcomes.NAME: outcomes,
    ratings.NAME: ratings,
    replay.NAME: replay,
    tournaments.NAME: tournaments,
}


def prepare(store: ReadStore) -> None:
    """Makes the tables that are missing, so that reading finds nothing instead of failing."""
    for projection in PROJECTIONS.values():
        enrol(store, projection)
