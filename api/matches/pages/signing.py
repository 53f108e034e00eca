"""Signing by the reader's browser: the keys of the seat, and the act signed by each form."""

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
    """The reader's seat, its keys (hex), and the acts to sign by form name.

    The browser adds the share of luck where it commits to one or opens one.
    """

    seat: int
    actor: Actor
    keys: tuple[str, ...]
    has_stopped: bool
    """The reader chose to continue unsigned, so the browser must not add its key automatically."""
    acts: Mapping[str, str]

    def act(self, form: str) -> str:
        """Return the act that a form signs, or "" if the seat is unsigned."""
        return self.acts.get(form, "")


def own_signing_of(match: Match, seat: int | None, bot: Actor, take_back_to: int | None) -> OwnSigning | None:
    """Return the signing data for the reader's seat, with the encoded acts to sign by name; `bot` is the replacement.

    A seat without keys gets no acts. None without a seat, when the match is over or retired, in practice matches and on
    one device.
    """
    if seat is None or match.is_over or match.is_retired or match.practice or match.table.is_one_device:
        return None
    info = match.seats[seat]
    actor, keys = info.actor or "", tuple(named_key.key for named_key in info.keys)
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
    """Return for each seat whether it signs."""
    return tuple(bool(info.keys) for info in match.seats)
