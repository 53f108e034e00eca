"""All projections by name."""

from collections.abc import Mapping
from typing import Final

from projections import (
    circuits,
    clubs,
    disputes,
    integrity,
    leagues,
    lessons,
    notifications,
    rankings,
    roles,
    studies,
    transparency,
)
from projections.archive import projection as archive
from projections.follow import AnyFollower, ensure_tables
from projections.matches import absences, boards, clocks, forks, habits, lobby, outcomes, replay, seat_views
from projections.platform.store import Announce, ReadStore, announce_nothing
from projections.ratings import early_leavers, ladders
from projections.tournaments import listing

PROJECTIONS: Final[Mapping[str, AnyFollower]] = {
    roles.NAME: roles,
    absences.NAME: absences,
    archive.NAME: archive,
    boards.NAME: boards,
    circuits.NAME: circuits,
    clocks.NAME: clocks,
    clubs.NAME: clubs,
    disputes.NAME: disputes,
    forks.NAME: forks,
    studies.NAME: studies,
    seat_views.NAME: seat_views,
    habits.NAME: habits,
    integrity.NAME: integrity,
    leagues.NAME: leagues,
    lessons.NAME: lessons,
    lobby.NAME: lobby,
    outcomes.NAME: outcomes,
    ladders.NAME: ladders,
    early_leavers.NAME: early_leavers,
    notifications.NAME: notifications,
    rankings.NAME: rankings,
    replay.NAME: replay,
    listing.NAME: listing,
    transparency.NAME: transparency,
}


def prepare(store: ReadStore, announce: Announce = announce_nothing) -> None:
    """Create the missing tables, so that queries return nothing instead of failing.

    `announce` is called before existing tables change.
    """
    for projection in PROJECTIONS.values():
        ensure_tables(store, projection, announce)
