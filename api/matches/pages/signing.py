"""What the reader's browser signs at a table: the keys of the own seat, and of what act each button of the page is."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from domain.matches.aggregate import Match
from domain.matches.facts import (
    Actor,
    Fact,
    PauseAsked,
    Resigned,
    Resumed,
    SeatReady,
    SeatReplaced,
    TakenBack,
)
from domain.matches.signatures.signing import act_of


class OwnSigning(msgspec.Struct, frozen=True):
    """The reader's seat, its keys (hex), and by the names of the forms what is signed; a browser adds the share of luck
    where one is committed to or shown."""

    seat: int
    actor: Actor
    keys: tuple[str, ...]
    has_stopped: bool
    """The reader has said to go on unsigned: the browser does not bring its key by itself."""
    acts: Mapping[str, str]

    def act(self, form: str) -> str:
        """What a form is an act of; nothing where the seat is unsigned."""
        return self.acts.get(form, "")


def own_signing_of(match: Match, seat: int | None, bot: Actor, take_back_to: int | None) -> OwnSigning | None:
    """What the browser of a reader has to know who sits here; `bot` is the one that plays on for those who leave.
    In practice and on one device nothing is signed."""
    if seat is None or match.is_over or match.is_retired or match.practice or match.table.is_one_device:
        return None
    info = match.seats[seat]
    actor, keys = info.actor or "", tuple(named.key for named in info.keys)
    if not keys:
        return OwnSigning(seat, actor, (), info.stopped_signing, {})
    acts: dict[str, Fact] = {
        "ready": SeatReady(seat, actor),
        "pause": PauseAsked(seat, actor),
        "withdraw_pause": Resumed(actor, withdrawn=seat),
        "resume": Resumed(actor),
        "resign": Resigned(seat, actor),
        "hand_over": SeatReplaced(seat, actor, bot),
    }
    if take_back_to is not None:
        acts["take_back"] = TakenBack(seat, actor, take_back_to)
    return OwnSigning(seat, actor, keys, False, {name: act_of(fact).decode() for name, fact in acts.items()})


def signs(match: Match) -> tuple[bool, ...]:
    """By seat: whether it signs what it does."""
    return tuple(bool(info.keys) for info in match.seats)
