"""The caller's seat at a match."""

from __future__ import annotations

from typing import Annotated, Final

from litestar.params import HeaderParameter
from msgspec.structs import replace

from api.http.guards import Caller
from domain.kernel.rules import Seat
from domain.matches.aggregate import Match, info_of, seat_of
from domain.matches.errors import NotHeld, NotSeated
from domain.matches.facts import Actor
from domain.matches.seats.one_device import find_device_seat, is_device_of

DEVICE_HEADER: Final = "Esporles-Held"
Held = Annotated[
    str | None,
    HeaderParameter(
        name=DEVICE_HEADER, description="for a table on one device: the word of the last pass (`one-device.md`)"
    ),
]


def with_device_token(caller: Caller, token: str | None) -> Caller:
    """Return the caller with the token that shows which seat has the device; unchanged without a token.

    Without it, a request has no seat at a table on one device.
    """
    return replace(caller, held=token) if token else caller


def is_own_device(match: Match, caller: Caller) -> bool:
    """Return whether the match is played on the caller's device."""
    return caller.person is not None and is_device_of(match, caller.person.id)


def seat_of_caller(match: Match, caller: Caller) -> int | None:
    """Return the caller's seat, or None.

    At a table on one device: the seat to act that the caller's device token names, None if the token is stale.
    """
    if match.table.is_one_device:
        return find_device_seat(match, caller.held) if is_own_device(match, caller) else None
    return seat_of(match, caller.person.id) if caller.person else None


def own_seat(match: Match, caller: Caller) -> Seat:
    """Return the caller's seat; raise `NotSeated` if there is none.

    Raises `NotHeld` instead if the match is on the caller's own device but the request has no valid device token.
    """
    seat = seat_of_caller(match, caller) if match.table.is_one_device else seat_of(match, caller.actor)
    if seat is not None:
        return Seat(seat)
    if is_own_device(match, caller):
        raise NotHeld(f"the request does not state which seat of match {match.id} holds the device")
    raise NotSeated(f"you do not play in match {match.id}")


def actor_at(match: Match, caller: Caller, seat: int) -> Actor:
    """Return the actor for a seat: the caller, or on one device the local guest of the seat.

    On one device, raises `NotHeld` if the device is with another seat, `NotSeated` if it is not the caller's. Elsewhere
    the seat is not checked.
    """
    if not match.table.is_one_device:
        return caller.actor
    if own_seat(match, caller) != seat:
        raise NotHeld(f"seat {seat} of match {match.id} does not hold the device")
    return info_of(match, seat).actor or ""
