"""What requests and answers about the prizes of a tournament look like on the wire."""

from __future__ import annotations

from uuid import UUID

from api.http.wire import Asked, Wire
from api.tournaments.wire import Reason
from domain.tournaments.prizes import Prizes


class SetPrizes(Asked, frozen=True):
    """Other prizes; once a round is public, with the reason."""

    prizes: Prizes
    reason: Reason = ""


class AwardShown(Wire, frozen=True):
    """What somebody gets: an amount in the smallest unit of the currency, and in words what is no money."""

    entry: str
    name: str
    rank: int
    amount: int
    prize: str


class AwardsShown(Wire, frozen=True):
    """Who gets what by the standings as they are; `is_final`: the event is over."""

    event_id: UUID
    prizes: Prizes
    is_final: bool
    awards: tuple[AwardShown, ...]
