"""Tables on one shared device: each seat is a local guest named by the opener of the table, or a bot.

Local guests have no account, contribute no share of luck, have no key, and play at no other table.
"""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from domain.kernel.rules import Seat
from domain.matches.aggregate import Match, seats_to_act
from domain.matches.errors import NotHeld, OneDeviceRefused
from domain.matches.facts import Actor, ShareBy, Table, is_bot, is_local

PEOPLE_MIN: Final = 2
"""Minimum number of local guests; fewer would not need to pass the device."""
TOKEN_INFO: Final = re.compile(r"([0-9]{1,2})\.([0-9]{1,9})", re.ASCII)


def check_one_device(table: Table) -> None:
    """Raise `OneDeviceRefused` for a table on one device with an option that is not allowed there.

    These are rated play, an event, a clock, signatures, programs, hints, talk and a limit on leaving.
    """
    if not table.is_one_device:
        return
    settings = {
        "rated=true": table.rated,
        f"event={table.event_id}": table.event_id != "",
        f"a clock of the kind {table.clock.kind!r}": table.clock.kind != "none",
        "signed=true": table.signed is True,
        "programs=true": table.programs is True,
        "hints=true": table.hints is True,
        "talk=true": table.talk is True,
        f"leavingMax={table.leaving_max}": table.leaving_max is not UNSET,
    }
    for setting, is_set in settings.items():
        if is_set:
            raise OneDeviceRefused(f"not possible at a table on one device: {setting}")


def require_local_guests(players: Sequence[Actor]) -> None:
    """Raise `OneDeviceRefused` unless at least `PEOPLE_MIN` of the players are local guests."""
    people = sum(map(is_local, players))
    if people < PEOPLE_MIN:
        raise OneDeviceRefused(f"a table on one device needs at least {PEOPLE_MIN} people, not {people}")


def require_matching_player(table: Table, actor: Actor) -> None:
    """Raise `OneDeviceRefused` for other people at a table on one device, and for local guests at any other table.

    Bots may play at both.
    """
    if table.is_one_device and not (is_local(actor) or is_bot(actor)):
        raise OneDeviceRefused(f"the table is on one device: only its local guests and bots can play, not {actor!r}")
    if is_local(actor) and not table.is_one_device:
        raise OneDeviceRefused(f"{actor!r} is a local guest, and this table is not on one device")


def require_no_share(actor: Actor, share_by: ShareBy, *, has_keys: bool) -> None:
    """Raise `OneDeviceRefused` for a local guest with a share of luck or a key."""
    if is_local(actor) and (share_by != "service" or has_keys):
        raise OneDeviceRefused(f"the local guest {actor!r} cannot have a share of luck or a key")


def require_pausable(table: Table) -> None:
    """Raise `OneDeviceRefused` for a pause on one device, where no opponent is kept waiting."""
    if table.is_one_device:
        raise OneDeviceRefused("a table on one device needs no pauses")


def is_device_of(match: Match, person: Actor) -> bool:
    """Return whether the match is played on that person's device."""
    return match.table.is_one_device and match.opened_by == person


def find_local_seat_to_act(match: Match) -> Seat | None:
    """Return the first local guest's seat that must act, or None."""
    return next((seat for seat in seats_to_act(match) if seat >= 0 and is_local(match.seats[seat].actor)), None)


def device_token(match: Match, seat: int) -> str:
    """Return the token `SEAT.COUNT` with which requests show that a seat has the device.

    It contains the seat and the number of actions by other local guests, so it expires when another guest acts.
    """
    others = (other for other, starter in enumerate(match.starters) if other != seat and is_local(starter.actor))
    return f"{seat}.{sum(match.action_counts[other] for other in others)}"


def find_device_seat(match: Match, token: str) -> Seat | None:
    """Return the seat that has the device according to a request's token.

    None if the token is malformed, the seat is not the next to act, or another local guest has acted since.
    """
    seat = find_local_seat_to_act(match) if TOKEN_INFO.fullmatch(token) else None
    return seat if seat is not None and token == device_token(match, seat) else None


def pass_device(match: Match, seat: int) -> str:
    """Return the token with which a seat takes the device; raise `NotHeld` unless the seat is the next to act."""
    next_seat = find_local_seat_to_act(match)
    if next_seat is None:
        raise NotHeld(f"no local guest is to act in match {match.id}: the device cannot be passed")
    if seat != next_seat:
        raise NotHeld(f"seat {next_seat} is to act: the device cannot be passed to seat {seat}")
    return device_token(match, seat)
