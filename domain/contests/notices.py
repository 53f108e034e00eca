"""Announcements of a contest, at once or at a later time."""

from collections.abc import Sequence
from datetime import datetime

from domain.kernel.values import Value, replace
from domain.matches.facts import Actor


class Notice(Value, frozen=True, omit_defaults=True):
    """An announcement; visible to organisers only while `since` is set."""

    at: datetime
    by: Actor
    text: str
    since: datetime | None = None


def show_notice(notices: tuple[Notice, ...], index: int, at: datetime) -> tuple[Notice, ...]:
    """Return the announcements after a scheduled one became public: that time becomes its date."""
    shown = replace(notices[index], at=at, since=None)
    return (*notices[:index], shown, *notices[index + 1 :])


def next_notice(notices: Sequence[Notice]) -> int | None:
    """Return the index of the scheduled announcement that is due first, or None."""
    scheduled = [(notice.since, at) for at, notice in enumerate(notices) if notice.since is not None]
    return min(scheduled)[1] if scheduled else None
