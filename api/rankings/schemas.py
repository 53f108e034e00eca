"""Requests and responses about ranking lists."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec

from api.http.structs import Listing, RequestStruct, ResponseStruct, Version
from api.matches.schemas import PlayerShown
from domain.kernel.bounds import TEXT_MAX
from domain.rankings.content import Part
from domain.rankings.differences import Cause
from domain.rankings.rule import Key, RankingRule
from domain.ratings.clock_classes import ClockClass

ReasonOfAdministrator = Annotated[str, msgspec.Meta(max_length=TEXT_MAX)]


class DefineList(RequestStruct, frozen=True):
    """A new list; `key` is its name in addresses."""

    key: Key
    rule: RankingRule


class ChangeRule(RequestStruct, frozen=True):
    """A new version of the rule, from the next month that is closed on."""

    rule: RankingRule
    reason: ReasonOfAdministrator
    expected_version: Version | None = None


class RetireList(RequestStruct, frozen=True):
    """`retired`: close no further months; false: close them again."""

    retired: bool
    reason: ReasonOfAdministrator


class TakeRankingStep(RequestStruct, frozen=True):
    """A step of the service for a list at a version."""

    step: str
    expected_version: Version


class RuleShown(ResponseStruct, frozen=True):
    """A rule: the results that count, the people who are listed, and the terms for a place."""

    name: str
    text: str
    title: str
    bots: bool
    seats: int
    """Size of the tables; 0: every size."""
    clock: ClockClass
    since: str
    until: str
    club: str
    """The id of a club."""
    country: str
    minimum_matches: int
    inactive_months: int
    club_name: str


class ListListed(ResponseStruct, frozen=True):
    """A list among all lists; `standard`: it exists without an administrator."""

    key: str
    rule: RuleShown
    standard: bool
    retired: bool
    months: int
    """The number of closed months."""
    last_month: str
    due: str
    """The month that is closed next; empty: none."""


class ListsShown(ResponseStruct, frozen=True):
    """All lists, by key."""

    lists: tuple[ListListed, ...]


class RuleVersionShown(ResponseStruct, frozen=True):
    """A version of the rule, with its author and reason; no author: the service."""

    version: int
    rule: RuleShown
    by: PlayerShown | None
    at: datetime
    reason: str


class ClosingShown(ResponseStruct, frozen=True):
    """A closed month: `number` counts from 1, `rule` is the version of the rule, digests are SHA-256 in hex.

    `revised`: earlier months whose results have changed since the closing before, after rulings.
    """

    number: int
    month: str
    at: datetime
    rule: int
    formula: int
    lines: int
    results: int
    list_digest: str
    members_digest: str
    revised: tuple[str, ...]


class RankingListShown(ResponseStruct, frozen=True):
    """A list with all versions of its rule and all closed months, both from the first on."""

    list_id: UUID
    key: str
    version: int
    rule: RuleShown
    standard: bool
    retired: bool
    due: str
    """The month that is closed next; empty: none."""
    rules: tuple[RuleVersionShown, ...]
    months: tuple[ClosingShown, ...]


class ListLineShown(ResponseStruct, frozen=True):
    """A line of a list.

    `mean` and `deviation` are those after the last match, in `last`. `place_before` is the place in the closed month
    before; null: none.
    """

    row: int
    place: int | None
    player: PlayerShown
    points: int
    mean: float
    deviation: float
    matches: int
    wins: int
    best: int
    last: str
    part: Part
    place_before: int | None


class LinesShown(Listing, frozen=True):
    """A page of a list; `before` of the next page is the last row of this one.

    `month` is empty for the live list, which was counted `at` this time; `pending` results are not rated yet.
    """

    key: str
    month: str
    at: datetime
    total: int
    pending: int
    lines: tuple[ListLineShown, ...]


class StandingShown(ResponseStruct, frozen=True):
    """What a line means: matches missing for a place, the beginning of inactivity, and points lost by waiting."""

    missing_matches: int
    inactive_from: str
    points_after_last: int
    lost_points: int
    points_next_month: int


class MonthOfPlayerShown(ResponseStruct, frozen=True):
    """The line of a player in a closed month."""

    number: int
    month: str
    line: ListLineShown


class ListHistoryShown(ResponseStruct, frozen=True):
    """A player in a list: the live line, explained, and the line of each closed month."""

    key: str
    player: PlayerShown
    now: ListLineShown | None
    standing: StandingShown | None
    months: tuple[MonthOfPlayerShown, ...]


class CountedResultShown(ResponseStruct, frozen=True):
    """A result as it counts; `weights` are in millionths. `match`: the id, or `private:` and its digest."""

    match: str
    ended_at: datetime
    players: tuple[PlayerShown, ...]
    places: tuple[int, ...]
    weights: tuple[int, ...]


class ChangedResultShown(ResponseStruct, frozen=True):
    """A result that counts differently now than in the closed month; null: it did not or does not count."""

    cause: Cause
    before: CountedResultShown | None
    now: CountedResultShown | None


class MoveReasonShown(ResponseStruct, frozen=True):
    """A changed result of a player who moved. `match`: the id, or `private:` and its digest."""

    match: str
    ended_at: datetime
    cause: Cause


class MovedPlayerShown(ResponseStruct, frozen=True):
    """A player whose line would differ today; `matches` and `reasons` are the changed results of this player.

    Without any, the ratings of opponents have changed, or only the places of others.
    """

    player: PlayerShown
    before: ListLineShown | None
    now: ListLineShown | None
    matches: tuple[str, ...]
    reasons: tuple[MoveReasonShown, ...]


class RecountShown(Listing, frozen=True):
    """A closed month, counted again from the results of today: it stays as it is, and this shows the difference.

    `moved` is a page; `before` of the next page is the number of players so far. `results` are at most 100.
    """

    key: str
    month: str
    at: datetime
    result_count: int
    moved_count: int
    results: tuple[ChangedResultShown, ...]
    moved: tuple[MovedPlayerShown, ...]


class BandShown(ResponseStruct, frozen=True):
    """Pairs whose favourite had a probability in this band: the mean probability, and the share that won."""

    low: float
    high: float
    pairs: int
    expected: float
    observed: float


class CalibrationShown(ResponseStruct, frozen=True):
    """How well the ratings before a match predict its result, over the latest `matches` results of a list.

    Losses are means of -ln(probability); `equal_log_loss` is the loss of equal chances for all.
    """

    key: str
    at: datetime
    matches: int
    pairs: int
    winner_log_loss: float
    equal_log_loss: float
    pair_log_loss: float
    pair_brier: float
    calibration_error: float
    bands: tuple[BandShown, ...]
