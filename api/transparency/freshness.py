"""The age of the latest confirmation that a tree is the current one."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from api.transparency.store import Signed, WitnessState
from api.transparency.troubles import AHEAD, CONTRADICTIONS
from domain.matches.log.entries import microseconds

STALE_AFTER: Final = timedelta(hours=24)
"""Without a confirmation for so long, a checkpoint may not be the current one."""


class Freshness(NamedTuple):
    """The time of the latest confirmation (microseconds since 1970), or None, and whether it is too old.

    With witnesses, it is their latest cosignature; without, the latest change of the checkpoint.
    """

    confirmed: int | None
    is_stale: bool


def freshness_of(
    published: Signed | None, states: Iterable[WitnessState], witnesses: Collection[str], at: datetime
) -> Freshness:
    """Return the freshness of a published checkpoint with these witnesses, by name.

    A witness that contradicts the tree confirms nothing.
    """
    if published is None:
        return Freshness(None, is_stale=False)
    if witnesses:
        times = [
            each.at
            for each in states
            if each.name in witnesses and each.signature is not None and each.trouble not in CONTRADICTIONS
        ]
        confirmed = max(times, default=None)
    else:
        confirmed = published.at
    oldest = microseconds(at - STALE_AFTER)
    return Freshness(confirmed, (published.at if confirmed is None else confirmed) < oldest)


def find_contradiction(states: Iterable[WitnessState], witnesses: Collection[str]) -> WitnessState | None:
    """Return a witness that shows a tree which this server has signed and no longer has, or None."""
    return next((each for each in states if each.name in witnesses and each.trouble == AHEAD), None)
