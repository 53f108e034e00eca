"""Announcements and penalties of a tournament."""

from datetime import datetime

from domain.kernel.values import Value, replace
from domain.matches.facts import Actor


class TournamentNotice(Value, frozen=True, omit_defaults=True):
    """An announcement; visible to organisers only while `since` is set."""

    at: datetime
    by: Actor
    text: str
    since: datetime | None = None


class Penalty(Value, frozen=True):
    """A penalty in the standings."""

    at: datetime
    by: Actor
    entry: str
    sixtieths: int
    reason: str


def show_notice(notices: tuple[TournamentNotice, ...], index: int, at: datetime) -> tuple[TournamentNotice, ...]:
    """Return the announcements after a scheduled one became public: that time becomes its date."""
    shown = replace(notices[index], at=at, since=None)
    return (*notices[:index], shown, *notices[index + 1 :])
