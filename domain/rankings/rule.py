"""The rule of a ranking list: the results that count, the people who are listed, and the terms for a place."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final
from uuid import NAMESPACE_URL, UUID, uuid5

import msgspec

from domain.contests.countries import CODES
from domain.kernel.bounds import NAME_MAX, TEXT_MAX
from domain.kernel.texts import ONE_LINE
from domain.kernel.values import Value
from domain.matches.facts import Actor
from domain.rankings.errors import RankingRefused
from domain.ratings.filters import ResultFilter
from domain.ratings.terms import Terms

KEY_MAX: Final = 60
SPACE: Final = uuid5(NAMESPACE_URL, "esporles.ranking")

Key = Annotated[str, msgspec.Meta(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", max_length=KEY_MAX)]
"""The name of a list in addresses: lower-case letters and digits, in words joined by hyphens."""


Sizes = Mapping[str, Sequence[int]]
"""The table sizes of each title."""


class PeopleFilter(Value, frozen=True, omit_defaults=True):
    """The people who are listed; by default all. Bots are listed only without a filter."""

    club: Annotated[str, msgspec.Meta(max_length=36, pattern="^([0-9a-f-]{36})?$")] = ""
    """The id of a club, whose members are listed."""
    country: Annotated[str, msgspec.Meta(pattern="^([A-Z]{2})?$", max_length=2)] = ""
    """The code of a country (ISO 3166-1), for people whose account states it."""

    @property
    def has_everyone(self) -> bool:
        """Whether all players are listed."""
        return not (self.club or self.country)

    def lists(self, player: Actor, members: frozenset[Actor]) -> bool:
        """Return whether a player is listed; `members` are the members of the list."""
        return self.has_everyone or player in members


class RankingRule(Value, frozen=True, omit_defaults=True):
    """The rule of a list."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_MAX, pattern=ONE_LINE)]
    results: ResultFilter
    people: PeopleFilter = PeopleFilter()
    terms: Terms = Terms()
    text: Annotated[str, msgspec.Meta(max_length=TEXT_MAX)] = ""
    """A description for readers."""


def ranking_id(key: str) -> UUID:
    """Return the id of the stream of the list with this key."""
    return uuid5(SPACE, key)


def standard_key(results: ResultFilter) -> str:
    """Return the key of the list by title and table size, or of the title as a whole."""
    words = [results.title.replace("_", "-"), *(("bots",) if results.bots else ())]
    return "-".join([*words, str(results.seats)] if results.seats else words)


def check_rule(rule: RankingRule, sizes: Sizes) -> None:
    """Raise `RankingRefused` for a rule that contradicts itself."""
    results, people = rule.results, rule.people
    if not rule.name.strip():
        raise RankingRefused("the list has no name")
    if results.title not in sizes:
        raise RankingRefused(f"there is no title {results.title!r}; known: {', '.join(sorted(sizes))}")
    if results.seats and results.seats not in sizes[results.title]:
        known = ", ".join(map(str, sizes[results.title]))
        raise RankingRefused(f"{results.title!r} has no tables with {results.seats} seats; known: {known}")
    if results.until and results.until < results.since:
        raise RankingRefused(f"the last month, {results.until}, is before the first, {results.since}")
    if rule.terms.minimum_matches < 1:
        raise RankingRefused(f"a place needs at least 1 match, not {rule.terms.minimum_matches}")
    if rule.terms.inactive_months < 1:
        raise RankingRefused(f"players become inactive after at least 1 month, not {rule.terms.inactive_months}")
    if people.club and not is_id(people.club):
        raise RankingRefused(f"{people.club!r} is not the id of a club")
    if people.country and people.country not in CODES:
        raise RankingRefused(f"there is no country {people.country!r}")
    if people.club and people.country:
        raise RankingRefused("a list is of a club or of a country, not of both")


def is_id(text: str) -> bool:
    """Return whether a text is the id of a stream."""
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
