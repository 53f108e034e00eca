"""What a result did to the ratings of its players, as it is kept: all of it in one value, with what is the same for all
of them once."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from domain.kernel.values import Value
from domain.matches.facts import Actor
from domain.ratings.fairness import Met, all_met
from domain.ratings.ladder import Ladder, Pool, Rated, RatedResult
from domain.ratings.model import Skill


class Moved(Value, frozen=True):
    """What one match did to a player's rating, as history shows it."""

    match_id: UUID
    pool: Pool
    ended_at: datetime
    place: int
    points: int
    points_before: int
    after: Rated
    public: bool = True
    met: tuple[Met, ...] = ()
    """Everybody else at the table and how often the two had met before, where that says what the match counts."""


class Step(Value, frozen=True, array_like=True):
    """What it did to one of them; how they stood afterwards is spread out, for there is one for every seat of every
    result."""

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
    met: tuple[Met, ...]
    """Those of the others they had met before, where that says what the match counts."""

    @property
    def after(self) -> Rated:
        """How the player stood afterwards."""
        skill = Skill(self.mean, self.deviation)
        return Rated(self.player, skill, self.matches, self.wins, self.last_period, self.best)


class Told(Value, frozen=True, array_like=True):
    """What it did to all of them, each once."""

    match_id: UUID
    pool: Pool
    ended_at: datetime
    steps: tuple[Step, ...]
    public: bool = True
    fair: bool = False


RATED: Final = msgspec.json.Decoder(Rated)
TOLD: Final = msgspec.json.Decoder(Told)


def told_by(ladder: Ladder, result: RatedResult) -> Told:
    """Takes the result into the ladder; what it did."""
    points, steps = ladder.model.points, []
    for (was, now, place), met in ladder.tell(result):
        skill, before = now.skill, points(was.skill)
        stand = skill.mean, skill.deviation, now.matches, now.wins, now.last_period, now.best
        steps.append(Step(now.player, place, points(skill), before, *stand, met))
    return Told(result.match_id, result.pool, result.ended_at, tuple(steps), result.public, result.fair)


def all_moved(told: Told) -> Iterator[Moved]:
    """Of every player."""
    table = [step.player for step in told.steps]
    for step in told.steps:
        yield Moved(
            told.match_id,
            told.pool,
            told.ended_at,
            step.place,
            step.points,
            step.points_before,
            step.after,
            told.public,
            all_met(step.met, step.player, table) if told.fair else (),
        )


def moved_of(told: Told, player: Actor) -> Moved:
    """Of one of its players."""
    return next(moved for moved in all_moved(told) if moved.after.player == player)


def after_of(told: Told, player: Actor) -> Rated:
    """How one of its players stood afterwards."""
    return next(step.after for step in told.steps if step.player == player)
