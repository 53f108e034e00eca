"""Recomputation of the standings and ratings that the service claims for a tournament."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from math import isclose
from typing import Final

from domain.kernel.values import replace
from domain.matches.errors import LogFault
from domain.matches.facts import Actor
from domain.matches.rulings.outcome import Outcome
from domain.proofs.event_file import RatingsMoved
from domain.ratings.counting import result_of
from domain.ratings.ladder import Ladder, Pool, Rated, RatedResult
from domain.ratings.models import BASE, model_of
from domain.ratings.rules import RatingRules
from domain.standings.errors import WrongResult
from domain.standings.ranking import Standing, standings
from domain.standings.results import Results, check_result
from domain.tournaments.state import Tournament

STANDINGS: Final = "standings"
RATINGS: Final = "ratings"
CLOSE: Final = 1e-9
"""Relative tolerance for ratings, because machines round roots and powers differently."""
MEAN_MAX: Final = 1_000.0
DEVIATION_MAX: Final = 100.0
"""Bounds of claimed ratings; far beyond them the formula overflows."""
NUMBER_MAX: Final = 2**53 - 1
"""The largest number in a file (docs/specifications/facts.md)."""


def check_standings(event: Tournament, results: Results, claimed: Sequence[Standing]) -> None:
    """Raise `LogFault` unless the claimed standings, in order, are equal to those computed from the results.

    Also raise it if they cannot be computed.
    """
    require_countable(event)
    expected = standings(event, results)
    if len(expected) != len(claimed):
        raise LogFault(None, STANDINGS, f"the standings have {len(expected)} players, not {len(claimed)}")
    for row, claimed_row in zip(expected, claimed, strict=True):
        if row != claimed_row:
            name = next(name for name in row.__struct_fields__ if getattr(row, name) != getattr(claimed_row, name))
            why = f"{name} of {row.entry} should be {getattr(row, name)}, but is {getattr(claimed_row, name)}"
            raise LogFault(
                None, STANDINGS, why if name != "entry" else f"expected {row.entry}, not {claimed_row.entry}"
            )


def require_countable(event: Tournament) -> None:
    """Raise `LogFault` if a result by hand does not fit its table."""
    for last in event.played_rounds:
        for number, table in enumerate(last.tables, start=1):
            if table.given is not None:
                try:
                    check_result(len(table.entries), table.given.scores, table.given.places)
                except WrongResult as error:
                    raise LogFault(None, STANDINGS, f"round {last.number} table {number}: {error}") from error


def rated_results(outcomes: Iterable[Outcome], rules: RatingRules) -> list[RatedResult]:
    """Return the rated matches, in the order of rating."""
    results = (result_of(outcome, rules) for outcome in outcomes)
    return sorted((each for each in results if each is not None), key=lambda result: result.key)


def check_ratings(outcomes: Iterable[Outcome], rules: RatingRules, claimed: Sequence[RatingsMoved]) -> int:
    """Return the number of ratings verified; raise `LogFault` if any does not follow from its match.

    Also raise it unless exactly the rated matches are listed, in order, with possible values.
    """
    check_values(rules, claimed)
    results = rated_results(outcomes, rules)
    if [result.match_id for result in results] != [movement.match for movement in claimed]:
        raise LogFault(None, RATINGS, f"{len(results)} matches are rated, but the stated ratings are for other matches")
    model, latest = model_of(BASE), dict[tuple[Pool, Actor], Rated]()
    for result, movement in zip(results, claimed, strict=True):
        check_before(result, movement, latest)
        changes = Ladder(model, movement.before).rate_result(result)
        expected = tuple(change.after for change in changes)
        if len(expected) != len(movement.after) or not all(map(is_same, expected, movement.after)):
            raise LogFault(None, RATINGS, f"the ratings after match {result.match_id} do not match its result")
        latest |= {(result.pool, rated.player): rated for rated in movement.after}
    return sum(len(movement.after) for movement in claimed)


def check_values(rules: RatingRules, claimed: Sequence[RatingsMoved]) -> None:
    """Raise `LogFault` for a time that is not in UTC, or a rating out of bounds."""
    rated = [each for movement in claimed for each in (*movement.before, *movement.after)]
    times = (rules.fair_since, rules.revised_since, *(at for each in rated for met in each.met for at in met.recent))
    for at in times:
        if at is not None and at.utcoffset() != timedelta(0):
            raise LogFault(None, RATINGS, f"the time {at.isoformat()} is not in UTC")
    for each in rated:
        if not (abs(each.skill.mean) <= MEAN_MAX and 0 <= each.skill.deviation <= DEVIATION_MAX):
            raise LogFault(None, RATINGS, f"{each.player!r} cannot have the rating {each.skill}")
        if any(not 0 <= number <= NUMBER_MAX for number in counts_of(each)) or abs(each.best) > NUMBER_MAX:
            raise LogFault(None, RATINGS, f"a number in the rating of {each.player!r} is out of bounds")


def counts_of(rated: Rated) -> Iterator[int]:
    """Yield the counts in a claimed rating, which are not negative."""
    yield from (rated.matches, rated.wins, rated.last_period)
    yield from (met.matches for met in rated.met)


def check_before(result: RatedResult, movement: RatingsMoved, latest: dict[tuple[Pool, Actor], Rated]) -> None:
    """Raise `LogFault` if a rating differs from the one after the previous match in the file.

    It may differ only if the player has played elsewhere since. Also raise it if others than the players are
    rated.
    """
    before = {rated.player: rated for rated in movement.before}
    if len(before) < len(movement.before) or not before.keys() <= set(result.players):
        raise LogFault(None, RATINGS, f"the ratings before match {result.match_id} are not those of its players")
    for player in dict.fromkeys(result.players):
        last, now = latest.get((result.pool, player)), before.get(player)
        if last is None:
            continue
        if now is None or now.matches < last.matches or (now.matches == last.matches and not is_same(last, now)):
            why = f"the rating of {player!r} before match {result.match_id} differs from the previous match"
            raise LogFault(None, RATINGS, why)


def is_same(expected: Rated, claimed: Rated) -> bool:
    """Return whether two ratings are equal up to rounding, ignoring past opponents, which only `before` holds."""
    mean = isclose(expected.skill.mean, claimed.skill.mean, rel_tol=CLOSE, abs_tol=CLOSE)
    deviation = isclose(expected.skill.deviation, claimed.skill.deviation, rel_tol=CLOSE, abs_tol=CLOSE)
    adjusted = replace(expected, skill=claimed.skill, best=claimed.best, met=claimed.met)
    return mean and deviation and abs(expected.best - claimed.best) <= 1 and adjusted == claimed
