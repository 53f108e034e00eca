"""The facts of a ranking list: its rule in versions, and the months that were closed."""

from typing import Annotated, Final

import msgspec

from domain.kernel.bounds import TEXT_MAX
from domain.kernel.values import Value, tagger
from domain.matches.facts import Actor
from domain.rankings.rule import Key, RankingRule
from domain.ratings.filters import MonthText

FORMULA: Final = 1
"""The version of the formula of ratings; it is raised when the same results give other ratings."""
Digest = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?$")]
"""A SHA-256 digest in hex; empty: nothing."""
Reason = Annotated[str, msgspec.Meta(max_length=TEXT_MAX)]


class RankingFact(Value, frozen=True, tag_field="type", tag=tagger("ranking"), omit_defaults=True):
    """Base of the facts of a list; fields at their defaults are not written."""


class ListDefined(RankingFact, frozen=True):
    """A list was defined; its rule is version 1."""

    by: Actor
    key: Key
    rule: RankingRule


class RuleChanged(RankingFact, frozen=True):
    """The list has another rule from the next closed month on; closed months keep the rule they were counted by."""

    by: Actor
    rule: RankingRule
    reason: Reason


class ListRetired(RankingFact, frozen=True):
    """No further month is closed; the closed ones stay."""

    by: Actor
    reason: Reason


class ListResumed(RankingFact, frozen=True):
    """Months are closed again, from the month of this fact on."""

    by: Actor
    reason: Reason


class MonthResults(Value, frozen=True, omit_defaults=True):
    """The results that ended in a month: their number, and the digest of their lines in rating order."""

    month: MonthText
    count: int = 0
    digest: Digest = ""


class MonthClosed(RankingFact, frozen=True, kw_only=True):
    """The list of a month, as it stays for ever. It names the rule and everything that it was counted from."""

    by: Actor
    number: int
    """The number of the closed month within the list, from 1."""
    month: MonthText
    rule: int
    """The version of the rule."""
    formula: int = FORMULA
    members: int = 0
    """The version of the stream of members, if the rule does not list all players."""
    members_digest: Digest = ""
    """The digest of the members, in order of their ids."""
    results: tuple[MonthResults, ...] = ()
    """The months whose results differ from the closing before: usually the closed one.

    After a ruling also the month of its match, and months in which the weights of later matches changed. All months
    together are the results from the beginning.
    """
    lines: int = 0
    """The number of players in the list."""
    list: Digest = ""
    """The digest of the lines of the list, in order."""


Fact = ListDefined | RuleChanged | ListRetired | ListResumed | MonthClosed
