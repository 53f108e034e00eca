"""The conditions of entry on pages: each in the reader's language, and whether the reader meets it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final, NamedTuple
from uuid import UUID

from api.contests.finding import Contest
from api.contests.service import ContestService
from api.http.countries import country_name
from api.http.errors import problem_of
from api.http.languages import join_words
from api.http.refusals import translate_problem
from domain.contests.conditions import NO_CONDITIONS, ClubSeen, ConditionKind, EntryConditions, Judgement, RatingBand
from domain.kernel.messages import N_, Message, plural
from domain.kernel.title import Titles

RATING_FROM: Final = N_("Rating in {title} of at least {least}")
RATING_TO: Final = N_("Rating in {title} of at most {most}")
RATING_BETWEEN: Final = N_("Rating in {title} from {least} to {most}")
MATCHES_ONE, MATCHES_MANY = plural(
    "At least {count} rated match of {title}", "At least {count} rated matches of {title}"
)
LEAVING: Final = N_("Left at most {most} % of the last matches early")
COUNTRY: Final = N_("Country: {countries}")
CLUB: Final = N_("Club: {clubs}")
PLAIN: Final[Mapping[ConditionKind, str]] = {
    "list": N_("On the organisers' list of names"),
    "password": N_("A password from the organisers"),
}


class ConditionLine(NamedTuple):
    """A condition; `is_met` is None if that is not known, `refusal` gives the reason if it is not met."""

    text: Message
    is_met: bool | None
    refusal: str = ""


class EntryView(NamedTuple):
    """The conditions of a contest for a reader; `needs_password`: the form of entry needs one.

    `clubs`: the clubs for which the reader can enter, the default first.
    """

    lines: tuple[ConditionLine, ...] = ()
    needs_password: bool = False
    clubs: tuple[ClubSeen, ...] = ()

    @property
    def is_refused(self) -> bool:
        """Whether the reader does not meet a condition."""
        return any(line.is_met is False for line in self.lines)


def describe_condition(
    judged: Judgement, conditions: EntryConditions, title: str, titles: Titles, clubs: Mapping[UUID, str]
) -> Message:
    """Return the sentence about a condition of a contest of that title; `clubs`: the names of its clubs."""
    if judged.band is not None:
        return describe_band(judged.band, titles)
    if judged.kind == "rated_matches":
        count = conditions.rated_matches
        args: dict[str, int | str] = {"count": count, "title": titles[title].printed_name}
        return Message(MATCHES_ONE, args, plural=MATCHES_MANY, count=count)
    if judged.kind == "leaving":
        return Message(LEAVING, {"most": conditions.leaving_max or 0})
    if judged.kind == "country":
        return Message(COUNTRY, {"countries": join_words(map(country_name, conditions.countries))})
    if judged.kind == "club":
        return Message(CLUB, {"clubs": ", ".join(clubs.get(each, str(each)) for each in conditions.clubs)})
    return Message(PLAIN[judged.kind])


def describe_band(band: RatingBand, titles: Titles) -> Message:
    """Return the sentence about a rating."""
    name = titles[band.title].printed_name if band.title in titles else band.title
    values: dict[str, int | str] = {"title": name, "least": band.least, "most": band.most}
    return Message(RATING_BETWEEN if band.least and band.most else RATING_FROM if band.least else RATING_TO, values)


async def view_conditions(contests: ContestService, contest: Contest) -> EntryView:
    """Return the conditions of a contest, and which of them the caller meets."""
    conditions, titles = contest.conditions or NO_CONDITIONS, contests.entrants.tables.titles
    judged, is_known = await contests.judge_caller(contest)
    names = await asyncio.to_thread(contests.entrants.accounts.clubs.names, conditions.clubs)
    lines = []
    for each in judged:
        is_met = each.refusal is None if is_known and each.kind != "password" else None
        refusal = translate_problem(problem_of(each.refusal)) if each.refusal is not None and is_met is False else ""
        lines.append(ConditionLine(describe_condition(each, conditions, contest.title, titles, names), is_met, refusal))
    own = await contests.entrants.own_clubs()
    choice = tuple(each for each in own if not conditions.clubs or each.id in conditions.clubs)
    return EntryView(tuple(lines), conditions.password, choice)
