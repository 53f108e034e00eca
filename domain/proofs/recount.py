"""Recomputation of the standings and ratings that the service claims for a tournament."""

from collections.abc import Iterable, Sequence
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
from domain.standings.ranking import Standing, standings
from domain.standings.results import Results
from domain.tournaments.state import Tournament

STANDINGS: Final = "standings"
RATINGS: Final = "ratings"
CLOSE: Final = 1e-9
"""Relative tolerance for ratings, because machines round roots and powers differently."""


def check_standings(event: Tournament, results: Results, said: Sequence[Standing]) -> None:
    """Raise `LogFault` unless the claimed standings, in order, are equal to those computed from the results."""
    due = standings(event, results)
    if len(due) != len(said):
        raise LogFault(None, STANDINGS, f"the standings have {len(due)} players, not {len(said)}")
    for row, told in zip(due, said, strict=True):
        if row != told:
            name = next(name for name in row.__struct_fields__ if getattr(row, name) != getattr(told, name))
            why = f"{name} of {row.entry} should be {getattr(row, name)}, but is {getattr(told, name)}"
            raise LogFault(None, STANDINGS, why if name != "entry" else f"expected {row.entry}, not {told.entry}")


def rated_results(outcomes: Iterable[Outcome], rules: RatingRules) -> list[RatedResult]:
    """Return the rated matches, in the order of rating."""
    found = (result_of(outcome, rules) for outcome in outcomes)
    return sorted((each for each in found if each is not None), key=lambda result: result.key)


def check_ratings(outcomes: Iterable[Outcome], rules: RatingRules, said: Sequence[RatingsMoved]) -> int:
    """Return the number of ratings verified; raise `LogFault` if any does not follow from its match.

    Also raise it unless exactly the rated matches are listed, in order.
    """
    results = rated_results(outcomes, rules)
    if [result.match_id for result in results] != [moved.match for moved in said]:
        raise LogFault(None, RATINGS, f"{len(results)} matches are rated, but the stated ratings are for other matches")
    model, known = model_of(BASE), dict[tuple[Pool, Actor], Rated]()
    for result, moved in zip(results, said, strict=True):
        check_before(result, moved, known)
        changes = Ladder(model, moved.before).rate_result(result)
        due = tuple(change.after for change in changes)
        if len(due) != len(moved.after) or not all(map(is_same, due, moved.after)):
            raise LogFault(None, RATINGS, f"the ratings after match {result.match_id} do not match its result")
        known |= {(result.pool, rated.player): rated for rated in moved.after}
    return sum(len(moved.after) for moved in said)


def check_before(result: RatedResult, moved: RatingsMoved, known: dict[tuple[Pool, Actor], Rated]) -> None:
    """Raise `LogFault` if a rating differs from the one after the previous match in the file.

    It may differ only if the player has played elsewhere since. Also raise it if others than the players are
    rated.
    """
    before = {rated.player: rated for rated in moved.before}
    if len(before) < len(moved.before) or not before.keys() <= set(result.players):
        raise LogFault(None, RATINGS, f"the ratings before match {result.match_id} are not those of its players")
    for player in dict.fromkeys(result.players):
        last, now = known.get((result.pool, player)), before.get(player)
        if last is None:
            continue
        if now is None or now.matches < last.matches or (now.matches == last.matches and not is_same(last, now)):
            why = f"the rating of {player!r} before match {result.match_id} differs from the previous match"
            raise LogFault(None, RATINGS, why)


def is_same(due: Rated, told: Rated) -> bool:
    """Return whether two ratings are equal up to rounding, ignoring past opponents, which only `before` holds."""
    mean = isclose(due.skill.mean, told.skill.mean, rel_tol=CLOSE, abs_tol=CLOSE)
    deviation = isclose(due.skill.deviation, told.skill.deviation, rel_tol=CLOSE, abs_tol=CLOSE)
    counted = replace(due, skill=told.skill, best=told.best, met=told.met)
    return mean and deviation and abs(due.best - told.best) <= 1 and counted == told
