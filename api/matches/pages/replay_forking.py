"""A fork from a replay: the luck, and who sits where."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from uuid import UUID

from api.matches import commands
from api.matches.wire import ForkMatch, Short
from api.web.forms import Form
from api.web.guards import Caller
from domain.matches.aggregate import Match
from domain.matches.application import Matches
from domain.matches.facts import Actor

ME: Final = "me"
FREE: Final = "free"


class ForkWithSeats(ForkMatch, frozen=True):
    """`ForkMatch`, and who sits on every seat: `me`, `free`, or a bot by its name."""

    seats: tuple[Short, ...] = ()


FORK: Final = Form("fork", ForkWithSeats)


def fork(
    matches: Matches,
    parent_id: UUID,
    wanted: ForkWithSeats,
    new_id: UUID,
    bots: tuple[str, ...],
    caller: Caller,
    *,
    at: datetime,
) -> Match:
    """A new match from an entry of another, with the players asked for."""
    seats = tuple(actor_of(word, bots, caller) for word in wanted.seats)
    return commands.fork(matches, parent_id, ForkMatch(wanted.at, wanted.luck), new_id, caller, seats=seats, at=at)


def actor_of(word: str, bots: tuple[str, ...], caller: Caller) -> Actor | None:
    """Who will sit there: the reader, nobody yet, or a bot."""
    if word == FREE:
        return None
    return caller.actor if word == ME else commands.bot_actor(bots, word)
