"""Short descriptions of a table's options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from msgspec import UNSET, UnsetType

from api.http.languages import _, format_day, ngettext, say
from api.matches.schemas import SeatHoliday
from api.titles.offers import Offer, chosen_words
from domain.kernel.title import AnyTitle, Titles
from domain.matches.facts import Clock, Table
from domain.matches.play.absences import DAYS_MAX
from projections.platform.clock import now

MINUTE: Final = 60
HOUR: Final = 3600
DAY: Final = 24 * HOUR


def describe_duration(seconds: int) -> str:
    """Return a duration as translated text in days, minutes or seconds: the largest of them that divides it."""
    if seconds % DAY == 0 and seconds:
        return ngettext("{count} day", "{count} days", seconds // DAY)
    if seconds % MINUTE == 0 and seconds:
        return ngettext("{count} minute", "{count} minutes", seconds // MINUTE)
    return ngettext("{count} second", "{count} seconds", seconds)


def describe_time_left(ends: datetime, at: datetime) -> str:
    """Return the time left in full days, hours or minutes: the largest of them of which at least two are left."""
    seconds = max(0, int((ends - at).total_seconds()))
    if seconds >= 2 * DAY:
        return ngettext("{count} day left", "{count} days left", seconds // DAY)
    if seconds >= 2 * HOUR:
        return ngettext("{count} hour left", "{count} hours left", seconds // HOUR)
    return ngettext("{count} minute left", "{count} minutes left", seconds // MINUTE)


CLOCKS: Final[Mapping[str, Callable[[Clock], str]]] = {
    "none": lambda _clock: _("no clock"),
    "per_move": lambda clock: _("{time} per move", time=describe_duration(clock.seconds)),
    "increment": lambda clock: _(
        "{time} each + {more} per turn",
        time=describe_duration(clock.seconds),
        more=describe_duration(clock.increment),
    ),
    "correspondence": lambda clock: _("{time} per turn", time=describe_duration(clock.seconds)),
}


def describe_clock(clock: Clock) -> str:
    """Return a description of the time control."""
    return CLOCKS[clock.kind](clock)


def terms_of(title: AnyTitle | None, options: Mapping[str, str], table: Table) -> tuple[str, ...]:
    """Return translated descriptions: edition and variants, clock, take-backs, visibility and others.

    Only deviations from the defaults are listed after the take-backs. Without a title, its options are left out.
    """
    terms = [say(word) for word in chosen_words(title, options)] if title else []
    # A clock is not expected on one device.
    terms.append(_("on one device") if table.is_one_device else describe_clock(table.clock))
    if table.clock.kind != "none":
        terms.append(TIME_OUTS[table.time_out]())
    terms.append(
        ngettext("{count} take-back per turn", "{count} take-backs per turn", table.take_backs)
        if table.take_backs
        else _("no take-backs")
    )
    terms += [describe_pauses(table.pauses)] * (table.pauses is not UNSET)
    if table.pause_seconds is not UNSET and table.pauses != 0:
        terms.append(_("longest pause: {time}", time=describe_duration(table.pause_seconds)))
    if table.absence_days is not UNSET:
        terms.append(describe_holidays(table.absence_days))
    terms += [LEAVING["bot"]()] * (table.resigning is False)
    if not table.public:
        terms.append(_("private until the start") if table.public_once_started is True else _("private"))
    terms += [_("rated")] * table.rated
    terms += [_("signatures required")] * (table.signed is True)
    terms += [_("no chat")] * (table.is_silent and not table.is_one_device)
    terms += [_("bot accounts allowed")] * (table.programs is True)
    terms += [_("with hints")] * table.has_hints
    terms += [describe_leaving_limit(table.leaving_max)] * (table.leaving_max is not UNSET)
    return tuple(terms)


def values_for_templates(titles: Titles, offers: Mapping[str, Offer]) -> dict[str, Any]:
    """Return the functions for templates by name: terms of a table, bots of a title, and its default bot."""

    def terms(title: str, options: Mapping[str, str], table: Table) -> tuple[str, ...]:
        return terms_of(titles.get(title), options, table)

    return {
        "terms_of": terms,
        "bots_of": lambda title: offers[title].bots,
        "holiday_of": describe_holiday,
        "time_left": describe_time_left,
        "usual_bot_of": lambda title: offers[title].usual_bot,
    }


def describe_holiday(holiday: SeatHoliday | None) -> str:
    """Return the days of a holiday that is not over, or ""."""
    if holiday is None or holiday.ends <= now():
        return ""
    first, last = format_day(holiday.begins), format_day(holiday.ends - timedelta(microseconds=1))
    return _("on holiday {days}", days=first if first == last else f"{first} – {last}")


def describe_leaving_limit(percent_max: int | UnsetType | None) -> str:
    """Return a description of the limit in percent on abandoned matches; unset or None: no limit."""
    if percent_max is UNSET or percent_max is None:
        return _("anyone, including players who often leave")
    return _("players who leave at most {share} % of their matches", share=percent_max)


def describe_pauses(pauses: int | UnsetType) -> str:
    """Return a description of the number of pauses; unset: the default for the clock; 0: no pauses."""
    if pauses is UNSET:
        return _("default: three with a clock, else unlimited")
    return ngettext("{count} pause", "{count} pauses", pauses) if pauses else _("no pauses")


def describe_holidays(days: int | UnsetType) -> str:
    """Return a description of the days of holiday of each player at a correspondence table; unset: the maximum."""
    allowed = DAYS_MAX if days is UNSET else days
    if not allowed:
        return _("no holidays")
    return ngettext(
        "up to {count} day of holiday for each player", "up to {count} days of holiday for each player", allowed
    )


LEAVING: Final[Mapping[str, Callable[[], str]]] = {
    "any": lambda: _("resign, or let a bot take over"),
    "bot": lambda: _("no resigning: a bot takes over"),
}
"""Ways to leave a match early."""

LATE: Final[Mapping[str, Callable[[], str]]] = {
    "bot": lambda: _("a bot takes over"),
    "resign": lambda: _("the match is lost"),
    "skip": lambda: _("the server makes the simplest legal move"),
}
"""Time-out policies, for use where the time-out itself was mentioned."""

TIME_OUTS: Final[Mapping[str, Callable[[], str]]] = {
    "bot": lambda: _("if time runs out, a bot takes over"),
    "resign": lambda: _("if time runs out, the match is lost"),
    "skip": lambda: _("if time runs out, the server makes the simplest legal move"),
}
