"""Tables on one device: people pass it round, each seat a local guest whom the opener of the table has named.

They are nobody's account, bring neither a share of luck nor a key, and play at no other table.
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
"""With fewer local guests nothing would be passed on."""
HELD: Final = re.compile(r"([0-9]{1,2})\.([0-9]{1,9})", re.ASCII)


def check_one_device(table: Table) -> None:
    """`OneDeviceRefused` for a table that cannot be on one device, naming what it asks for beside that."""
    if not table.is_one_device:
        return
    asked = {
        "rated=true": table.rated,
        f"event={table.event_id}": table.event_id != "",
        f"a clock of the kind {table.clock.kind!r}": table.clock.kind != "none",
        "signed=true": table.signed is True,
        "programs=true": table.programs is True,
        "hints=true": table.hints is True,
        "talk=true": table.talk is True,
        f"leavingMax={table.leaving_max}": table.leaving_max is not UNSET,
    }
    for words, is_asked in asked.items():
        if is_asked:
            raise OneDeviceRefused(f"a table on one device has nothing of this: {words}")


def require_several(players: Sequence[Actor]) -> None:
    """A device is passed on, so that several people sit round it."""
    people = sum(map(is_local, players))
    if people < PEOPLE_MIN:
        raise OneDeviceRefused(f"at a table on one device {PEOPLE_MIN} people play at least, not {people}")


def require_place(table: Table, actor: Actor) -> None:
    """Only local guests and bots sit at a table on one device, and local guests nowhere else."""
    if table.is_one_device and not (is_local(actor) or is_bot(actor)):
        raise OneDeviceRefused(f"the table is on one device: its local guests and bots play there, not {actor!r}")
    if is_local(actor) and not table.is_one_device:
        raise OneDeviceRefused(f"{actor!r} is a local guest, and this table is not on one device")


def require_bare(actor: Actor, share_by: ShareBy, *, has_keys: bool) -> None:
    """A local guest brings neither a share of luck nor a key."""
    if is_local(actor) and (share_by != "service" or has_keys):
        raise OneDeviceRefused(f"the local guest {actor!r} brings no share of luck and no key")


def require_pausing(table: Table) -> None:
    """Nobody is kept waiting by a device that lies on the table."""
    if table.is_one_device:
        raise OneDeviceRefused("nobody asks for a pause at a table on one device: the match waits by itself")


def is_device_of(match: Match, person: Actor) -> bool:
    """The match is played on one device, which is that person's."""
    return match.table.is_one_device and match.opened_by == person


def asked_seat(match: Match) -> Seat | None:
    """The seat to which the device is to be passed: the first of a local guest that is asked."""
    return next((seat for seat in seats_to_act(match) if seat >= 0 and is_local(match.seats[seat].actor)), None)


def held_word(match: Match, seat: int) -> str:
    """What requests say while a seat has the device: the seat, and how often the other local guests have acted."""
    others = (other for other, starter in enumerate(match.starters) if other != seat and is_local(starter.actor))
    return f"{seat}.{sum(match.action_counts[other] for other in others)}"


def held_seat(match: Match, word: str) -> Seat | None:
    """The seat that has the device, by the word of a request; none where that is not asked first, or another local
    guest has acted since the device was passed to it."""
    seat = asked_seat(match) if HELD.fullmatch(word) else None
    return seat if seat is not None and word == held_word(match, seat) else None


def pass_to(match: Match, seat: int) -> str:
    """The word for a seat that takes the device; `NotHeld` where another is asked, or none."""
    asked = asked_seat(match)
    if asked is None:
        raise NotHeld(f"no local guest is asked in the match {match.id} now: the device is passed to nobody")
    if seat != asked:
        raise NotHeld(f"seat {asked} is asked now: the device is not passed to seat {seat}")
    return held_word(match, seat)
