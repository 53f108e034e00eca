"""Names and descriptions of ranking lists in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from api.http.countries import country_name
from api.http.languages import _
from api.rankings.schemas import RuleShown
from domain.kernel.messages import N_
from domain.kernel.title import Titles
from domain.rankings.facts import ListDefined
from domain.ratings.clock_classes import ClockClass
from domain.ratings.ladder import end_of_month, parse_month

CLOCK_WORDS: Final[Mapping[ClockClass, str]] = {
    "": N_("every clock"),
    "fast": N_("fast clocks"),
    "standard": N_("longer clocks in one sitting"),
    "correspondence": N_("correspondence"),
}
PART_WORDS: Final[Mapping[str, str]] = {
    "": N_("all players"),
    "placed": N_("with a place"),
    "provisional": N_("provisional"),
    "inactive": N_("inactive"),
}
CAUSE_WORDS: Final[Mapping[str, str]] = {
    "added": N_("now counts"),
    "removed": N_("no longer counts"),
    "changed": N_("has another result"),
    "reweighted": N_("has other weights"),
}


def title_names(titles: Titles) -> dict[str, str]:
    """Return the printed names of titles in the reader's language."""
    return {name: _(title.printed_name) for name, title in titles.items()}


def name_of_list(key: str, rule: RuleShown, standard: Mapping[str, ListDefined], titles: Mapping[str, str]) -> str:
    """Return the name of a list; the names of standard lists are translated, unless someone changed them."""
    fact = standard.get(key)
    if fact is None or fact.rule.name != rule.name:
        return rule.name
    title = titles.get(rule.title, rule.title)
    if not rule.seats:
        return _("{title}, all table sizes", title=title)
    return _("{title}, {seats}-player tables", title=title, seats=rule.seats)


def describe_people(rule: RuleShown) -> str:
    """Return the people whom a list names."""
    if rule.club:
        return _("members of {club}", club=rule.club_name)
    return country_name(rule.country) if rule.country else _("everyone")


def is_over(month: str, at: datetime) -> bool:
    """Return whether a month that is to be frozen has ended; false without one."""
    return bool(month) and end_of_month(parse_month(month)) <= at


def describe_months(rule: RuleShown) -> str:
    """Return the months whose matches count."""
    if rule.since and rule.until:
        return _("{first} to {last}", first=rule.since, last=rule.until)
    if rule.since:
        return _("from {month} on", month=rule.since)
    return _("until {month}", month=rule.until) if rule.until else _("all months")
