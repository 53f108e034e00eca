"""The stored effect of a result on the ratings of its players, in one compact value."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from domain.kernel.values import Value
from domain.matches.facts import Actor
from domain.ratings.fairness import OpponentMeetings, opponents_met
from domain.ratings.ladder import Ladder, Pool, Rated, RatedResult, weights_of
from domain.ratings.model import MILLION, Skill


class RatingChange(Value, frozen=True):
    """The effect of a match on a player's rating, for the history."""

    match_id: UUID
    pool: Pool
    ended_at: datetime
    place: int
    points: int
    points_before: int
    after: Rated
    public: bool = True
    met: tuple[OpponentMeetings, ...] = ()
    """The other players with the number of previous meetings, if that affects the weight of the match."""


class PlayerEffect(Value, frozen=True, array_like=True):
    """The effect on one player; the rating afterwards is stored in flat fields to save space."""

    player: Actor
    place: int
    points: int
    points_before: int
    mean: float
    deviation: float
    matches: int
    wins: int
    last_period: int
    best: int
    met: tuple[OpponentMeetings, ...]
    """Players met before, if that affects the weight of the match."""

    @property
    def after(self) -> Rated:
        """The player's rating afterwards."""
        skill = Skill(self.mean, self.deviation)
        return Rated(self.player, skill, self.matches, self.wins, self.last_period, self.best)


class ResultEffect(Value, frozen=True, array_like=True):
    """The effect on all players of a match."""

    match_id: UUID
    pool: Pool
    ended_at: datetime
    steps: tuple[PlayerEffect, ...]
    public: bool = True
    fair: bool = False
    weights: tuple[int, ...] = ()
    """The weight for each of `steps` in millionths; empty if all are 1."""

    @property
    def weight_by_player(self) -> dict[Actor, int]:
        """The weight for each player whose rating the result changes, in millionths."""
        weights = self.weights or (MILLION,) * len(self.steps)
        return dict(zip((step.player for step in self.steps), weights, strict=True))


RATED: Final = msgspec.json.Decoder(Rated)
RESULT_EFFECT: Final = msgspec.json.Decoder(ResultEffect)


def rate_result(ladder: Ladder, result: RatedResult) -> ResultEffect:
    """Rate a result in the ladder, which stores the new ratings, and return its effect on each player."""
    points, steps, rated = ladder.model.points, [], tuple(ladder.rate_with_meetings(result))
    for (was, now, place, _), met in rated:
        skill, before = now.skill, points(was.skill)
        standing = skill.mean, skill.deviation, now.matches, now.wins, now.last_period, now.best
        steps.append(PlayerEffect(now.player, place, points(skill), before, *standing, met))
    weights = tuple(weights_of(step for step, _ in rated).values())
    shown_weights = () if all(weight == MILLION for weight in weights) else weights
    return ResultEffect(
        result.match_id, result.pool, result.ended_at, tuple(steps), result.public, result.fair, shown_weights
    )


def list_rating_changes(effect: ResultEffect) -> Iterator[RatingChange]:
    """Yield the rating change of every player; opponents met only under fair play."""
    table = [step.player for step in effect.steps]
    for step in effect.steps:
        yield RatingChange(
            effect.match_id,
            effect.pool,
            effect.ended_at,
            step.place,
            step.points,
            step.points_before,
            step.after,
            effect.public,
            opponents_met(step.met, step.player, table) if effect.fair else (),
        )


def rating_change_of(effect: ResultEffect, player: Actor) -> RatingChange:
    """Return the rating change of a player."""
    return next(change for change in list_rating_changes(effect) if change.after.player == player)


def rating_after(effect: ResultEffect, player: Actor) -> Rated:
    """Return the rating of a player afterwards."""
    return next(step.after for step in effect.steps if step.player == player)
