"""The form to fork from a replay: luck and players."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

from api.http.forms import Form
from api.http.guards import Caller
from api.http.structs import Short
from api.matches.bots import bot_actor
from api.matches.schemas import ForkMatch
from domain.matches.apply import SEATS_MAX
from domain.matches.facts import Actor

ME: Final = "me"
FREE: Final = "free"


class ForkWithSeats(ForkMatch, frozen=True):
    """`ForkMatch` with a player for every seat: `me`, `free`, or a bot's name."""

    seats: Annotated[tuple[Short, ...], msgspec.Meta(max_length=SEATS_MAX)] = ()


FORK: Final = Form("fork", ForkWithSeats)


def players_of(form: ForkWithSeats, bots: tuple[str, ...], caller: Caller) -> tuple[Actor | None, ...]:
    """Return the requested players by seat, None for a free one; raise `UnknownActor` for an unknown bot."""
    return tuple(actor_of(choice, bots, caller) for choice in form.seats)


def actor_of(choice: str, bots: tuple[str, ...], caller: Caller) -> Actor | None:
    """Return the player for a form value: None for `FREE`, the caller for `ME`, otherwise the bot with this name.

    Raises `UnknownActor` for an unknown bot.
    """
    if choice == FREE:
        return None
    return caller.actor if choice == ME else bot_actor(bots, choice)
