"""Conversion of ranking lists for responses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final
from uuid import UUID

from api.accounts.display_names import Names
from api.matches.responses import show_player
from api.rankings.schemas import (
    BandShown,
    CalibrationShown,
    ChangedResultShown,
    ClosingShown,
    CountedResultShown,
    ListLineShown,
    ListListed,
    MovedPlayerShown,
    MoveReasonShown,
    RankingListShown,
    RuleShown,
    RuleVersionShown,
    StandingShown,
)
from domain.matches.facts import SERVICE, Actor
from domain.rankings.content import ListLine, ResultLine
from domain.rankings.differences import ChangedResult, Moved
from domain.rankings.duties import due_period
from domain.rankings.rule import RankingRule
from domain.rankings.standing import standing_of
from domain.rankings.state import Closing, Ranking, RuleVersion
from domain.ratings.backtest import BacktestReport
from domain.ratings.ladder import month_of
from domain.ratings.model import MILLION
from domain.ratings.models import BASE, model_of
from domain.ratings.terms import Terms
from projections.rankings import ListedRanking

Lines = Mapping[Actor, ListLine]
Clubs = Mapping[str, str]
"""Names of clubs by id."""
NO_LINES: Final[Lines] = {}


def show_rule(rule: RankingRule, clubs: Clubs) -> RuleShown:
    """Convert a rule; `clubs`: the names of clubs by id."""
    results, people = rule.results, rule.people
    return RuleShown(
        rule.name,
        rule.text,
        results.title,
        results.bots,
        results.seats,
        results.clock,
        results.since,
        results.until,
        people.club,
        people.country,
        rule.terms.minimum_matches,
        rule.terms.inactive_months,
        clubs.get(people.club, people.club),
    )


def show_entry(listed: ListedRanking, standard: frozenset[str], clubs: Clubs) -> ListListed:
    """Convert an entry among all lists; `standard` has the keys of standard lists."""
    return ListListed(
        listed.key,
        show_rule(listed.rule, clubs),
        listed.key in standard,
        listed.is_retired,
        listed.closings,
        listed.last_month,
        listed.due,
    )


def show_list(
    list_id: UUID, version: int, ranking: Ranking, names: Names, clubs: Clubs, *, is_standard: bool
) -> RankingListShown:
    """Convert a list."""
    period = due_period(ranking)
    return RankingListShown(
        list_id,
        ranking.key,
        version,
        show_rule(ranking.rule, clubs),
        is_standard,
        ranking.is_retired,
        "" if period is None else month_of(period),
        tuple(show_version(each, names, clubs) for each in ranking.rules),
        tuple(map(show_closing, ranking.closings)),
    )


def show_version(version: RuleVersion, names: Names, clubs: Clubs) -> RuleVersionShown:
    """Convert a version of a rule."""
    by = None if version.by == SERVICE else show_player(version.by, names)
    return RuleVersionShown(version.version, show_rule(version.rule, clubs), by, version.at, version.reason)


def show_closing(closing: Closing) -> ClosingShown:
    """Convert a closed month."""
    return ClosingShown(
        closing.number,
        closing.month,
        closing.at,
        closing.rule,
        closing.formula,
        closing.lines,
        closing.results,
        closing.list,
        closing.members_digest,
        closing.revised,
    )


def show_line(row: int, line: ListLine, names: Names, former: Lines = NO_LINES) -> ListLineShown:
    """Convert a line, in a row from 1; `former` are the lines of the closed month before."""
    before = former.get(line.player)
    return ListLineShown(
        row,
        line.place or None,
        show_player(line.player, names),
        line.points,
        line.mean / MILLION,
        line.deviation / MILLION,
        line.matches,
        line.wins,
        line.best,
        line.last,
        line.part,
        before.place or None if before else None,
    )


def show_standing(line: ListLine, period: int, terms: Terms) -> StandingShown:
    """Explain a line in the list of a month."""
    standing = standing_of(model_of(BASE), line, period, terms)
    return StandingShown(
        standing.missing_matches,
        standing.inactive_from,
        standing.points_after_last,
        standing.lost_points(line),
        standing.points_next_month,
    )


def show_result(line: ResultLine | None, names: Names) -> CountedResultShown | None:
    """Convert a result as it counts; None for None."""
    if line is None:
        return None
    players = tuple(show_player(player, names) for player in line.players)
    return CountedResultShown(line.match, line.ended_at, players, line.places, line.weights)


def show_change(changed: ChangedResult, names: Names) -> ChangedResultShown:
    """Convert a changed result."""
    return ChangedResultShown(changed.cause, show_result(changed.before, names), show_result(changed.after, names))


def show_moved(moved: Moved, names: Names, rows: Mapping[Actor, tuple[int, int]]) -> MovedPlayerShown:
    """Convert a player who moved; `rows` has the row of each player before and now."""
    before, now = rows[moved.player]
    return MovedPlayerShown(
        show_player(moved.player, names),
        None if moved.before is None else show_line(before, moved.before, names),
        None if moved.after is None else show_line(now, moved.after, names),
        tuple(each.line.match for each in moved.results),
        tuple(MoveReasonShown(each.line.match, each.line.ended_at, each.cause) for each in moved.results),
    )


def show_calibration(key: str, at: datetime, report: BacktestReport) -> CalibrationShown:
    """Convert the report of predictions."""
    return CalibrationShown(
        key=key,
        at=at,
        matches=report.matches,
        pairs=report.pairs,
        winner_log_loss=report.winner_log_loss,
        equal_log_loss=report.equal_log_loss,
        pair_log_loss=report.pair_log_loss,
        pair_brier=report.pair_brier,
        calibration_error=report.calibration_error,
        bands=tuple(BandShown(band.low, band.high, band.pairs, band.expected, band.observed) for band in report.bands),
    )


def people_of(changed: Iterable[ChangedResult]) -> set[Actor]:
    """Return the players of results."""
    return {player for each in changed for line in (each.before, each.after) if line for player in line.players}
