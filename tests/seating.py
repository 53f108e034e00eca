"""People at the tables of tournaments and leagues, where nobody sits down by themselves."""

from datetime import datetime
from uuid import UUID

from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.matches.facts import Actor
from domain.matches.seats.event_tables import sit_down


def seat_entrants(matches: Matches, match_id: UUID, *actors: Actor, at: datetime) -> None:
    """These sit at the seats of a match in their order, as a tournament or league seats them."""

    def sit(batch: Batch) -> None:
        for seat, actor in enumerate(actors):
            sit_down(batch, batch.match(match_id), seat, actor, "")

    matches.transact(sit, at=at)
