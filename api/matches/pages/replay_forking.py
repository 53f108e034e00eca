"""A fork from a replay: the luck, and who sits where."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

from api.http.forms import Form
from api.http.guards import Caller
from api.http.wire import Short
from api.matches.bots import bot_actor
from api.matches.wire import ForkMatch
from domain.matches.apply import SEATS_MAX
from domain.matches.facts import Actor

ME: Final = "me"
FREE: Final = "free"


class ForkWithSeats(ForkMatch, frozen=True):
    """`ForkMatch`, and who sits on every seat: `me`, `free`, or a bot by its name."""

    seats: Annotated[tuple[Short, ...], msgspec.Meta(max_length=SEATS_MAX)] = ()


FORK: Final = Form("fork", ForkWithSeats)


def players_of(wanted: ForkWithSeats, bots: tuple[str, ...], caller: Caller) -> tuple[Actor | None, ...]:
    """The players asked for, seat by seat."""
    return tuple(actor_of(word, bots, caller) for word in wanted.seats)


def actor_of(word: str, bots: tuple[str, ...], caller: Caller) -> Actor | None:
    """Who will sit there: the reader, nobody yet, or a bot."""
    if word == FREE:
        return None
    return caller.actor if word == ME else bot_actor(bots, word)
