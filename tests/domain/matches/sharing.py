"""People who bring a share of luck to the tables of the tests."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from domain.eventstore.application import Matches
from domain.matches.aggregate import Match
from domain.matches.seats.sharing import share_commitment
from tests.domain.matches.world import START


class Brought(NamedTuple):
    """What a player keeps until the table is closed (hex)."""

    share: str
    salt: str

    def committed(self, match_id: UUID, seat: int, actor: str) -> str:
        """What the player sends before."""
        return share_commitment(match_id, seat, actor, bytes.fromhex(self.salt), bytes.fromhex(self.share))


def brought(number: int) -> Brought:
    return Brought(f"{number:064x}", f"{number:032x}" * 2)


def commit(matches: Matches, match_id: UUID, seat: int, actor: str, number: int, at: datetime = START) -> Match:
    """A player who sits there commits to the share of this number."""
    committed = brought(number).committed(match_id, seat, actor)
    return matches.commit_share(match_id, seat, actor, at=at, share_commitment=committed)


def sit(matches: Matches, match_id: UUID, seat: int, actor: str, number: int, at: datetime = START) -> Match:
    """A player sits down, committed to the share of this number."""
    committed = brought(number).committed(match_id, seat, actor)
    return matches.take_seat(match_id, seat, actor, at=at, share_commitment=committed)


def show(matches: Matches, match_id: UUID, seat: int, actor: str, number: int, at: datetime = START) -> Match:
    """A player is ready, and opens the share of this number."""
    share, salt = brought(number)
    return matches.ready(match_id, seat, actor, at=at, share=share, salt=salt)
