"""All projections by name."""

from collections.abc import Mapping
from typing import Final

from projections import disputes, integrity, leagues, lessons, notifications, roles, studies, transparency
from projections.archive import following as archive
from projections.follow import AnyFollower, enrol
from projections.matches import boards, clocks, farms, forks, habits, lobby, outcomes, replay
from projections.platform.store import ReadStore
from projections.ratings import ladders, leavings
from projections.tournaments import listing

PROJECTIONS: Final[Mapping[str, AnyFollower]] = {
    roles.NAME: roles,
    archive.NAME: archive,
    boards.NAME: boards,
    clocks.NAME: clocks,
    disputes.NAME: disputes,
    forks.NAME: forks,
    studies.NAME: studies,
    farms.NAME: farms,
    habits.NAME: habits,
    integrity.NAME: integrity,
    leagues.NAME: leagues,
    lessons.NAME: lessons,
    lobby.NAME: lobby,
    outcomes.NAME: outcomes,
    ladders.NAME: ladders,
    leavings.NAME: leavings,
    notifications.NAME: notifications,
    replay.NAME: replay,
    listing.NAME: listing,
    transparency.NAME: transparency,
}


def prepare(store: ReadStore) -> None:
    """Create the missing tables, so that queries return nothing instead of failing."""
    for projection in PROJECTIONS.values():
        enrol(store, projection)
