"""A fork from a replay: the luck, and who sits where."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final, Literal, get_args
from uuid import UUID

import msgspec
from litestar.exceptions import ClientException

from api.matches import commands
from api.matches.wire import ForkMatch
from api.web.guards import Caller
from domain.matches.aggregate import Match
from domain.matches.application import Matches
from domain.matches.facts import Actor, Luck

ME: Final = "me"
FREE: Final = "free"


class ForkAsked(msgspec.Struct, frozen=True):
    """What somebody chose in the form: `seats` holds for every seat `me`, `free`, or the name of a bot."""

    at: int
    luck: Luck
    seats: tuple[str, ...]


def asked(fields: Mapping[str, str]) -> ForkAsked:
    """The form's fields; refused where they make no sense."""
    at, luck = fields.get("at", ""), fields.get("luck", "fresh")
    if not at.isdecimal() or len(at) > len(str(2**31)):
        raise ClientException(f"at={at!r} is no entry of a match")
    if luck not in get_args(Luck):
        raise ClientException(f"luck={luck!r} is not one of: {', '.join(get_args(Luck))}")
    seats = list[str]()
    while (name := f"seat-{len(seats)}") in fields:
        seats.append(fields[name])
    chosen: Literal["same", "fresh"] = "same" if luck == "same" else "fresh"
    return ForkAsked(int(at), chosen, tuple(seats))


def fork(
    matches: Matches,
    parent_id: UUID,
    wanted: ForkAsked,
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
