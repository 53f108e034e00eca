"""Ratings of one pool as they follow from its results: a pure fold, one result after the other."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import combinations, repeat
from typing import Final
from uuid import UUID

from domain.kernel.values import Value, replace
from domain.matches.facts import Actor, is_bot
from domain.ratings.fairness import KNOWN_MATCHES, STRANGERS, Met, Together, all_met, known_share, met_again, met_weight
from domain.ratings.model import RatingModel, Skill

PROVISIONAL_MATCHES: Final = 10
"""A rating of fewer matches is provisional: shown apart, without a place."""
INACTIVE_PERIODS: Final = 6
"""A player who has not played for this many whole periods has no place until the next match."""

Key = tuple[datetime, UUID]
Pair = tuple[Actor, Actor]
"""Two players in the order of their ids."""


PROGRAMS: Final = "~bots"
"""At the end of the title of a pool in which accounts of bots play too."""


class Pool(Value, frozen=True, order=True):
    """Whose results are comparable: a title at tables of one size."""

    title: str
    seats: int


class RatedResult(Value, frozen=True, omit_defaults=True):
    """Places reached in a rated match; `places` begin at 1 and may be shared."""

    match_id: UUID
    title: str
    ended_at: datetime
    players: tuple[Actor, ...]
    places: tuple[int, ...]
    public: bool = True
    """Whether everybody may know where it was played."""
    fair: bool = False
    """It began after the rules of fair play did, and they say what it counts."""
    provisional: tuple[Actor, ...] = ()
    """Those who were known too short a time when it started: they lift nobody."""
    left: tuple[Actor, ...] = ()
    """Players who left before they had played enough. They are rated last; the others are rated without them."""
    seats: int = 0
    """Size of the table; 0: the number of players."""

    @property
    def key(self) -> Key:
        """Results are rated in this order, whatever the order they became known in."""
        return self.ended_at, self.match_id

    @property
    def pool(self) -> Pool:
        return Pool(self.title, self.seats or len(self.players))

    @property
    def moves_only_left(self) -> bool:
        """Whether all players but one have left, so that the result says nothing about that one."""
        return bool(self.left) and len({*self.players} - {*self.left}) == 1

    @property
    def moved(self) -> tuple[Actor, ...]:
        """Players whose ratings the result changes."""
        return self.left if self.moves_only_left else self.players


class Rated(Value, frozen=True):
    """A player in a pool, as of the last match."""

    player: Actor
    skill: Skill
    matches: int
    wins: int
    last_period: int
    best: int
    """The highest points ever shown once the rating was no longer provisional; the start's before."""
    met: tuple[Met, ...] = ()
    """Where a match is proved: whom of its table they had met before it, in the order of ids. A ladder keeps it by
    pairs, and its ratings go without."""

    @property
    def is_bot(self) -> bool:
        return is_bot(self.player)

    @property
    def is_provisional(self) -> bool:
        return self.matches < PROVISIONAL_MATCHES

    def is_inactive(self, period: int) -> bool:
        """Whether this many whole periods have gone by before this one."""
        return period - self.last_period > INACTIVE_PERIODS


class Change(Value, frozen=True):
    """What one result did to one player."""

    before: Rated
    after: Rated
    place: int
    met: tuple[Met, ...] = ()
    """Everybody else at the table and how often the two had met before, in the order of ids; told where the rules of
    fair play say what the result counts."""


Step = tuple[Rated, Rated, int]
"""What one result did to one player: before, after and the place."""


def pair_of(one: Actor, other: Actor) -> Pair:
    return (one, other) if one < other else (other, one)


def period_of(at: datetime) -> int:
    """Rating periods are the months of the calendar (UTC), numbered from the year 0."""
    return at.year * 12 + at.month - 1


def month_of(period: int) -> str:
    """The period as `2026-11`."""
    return f"{period // 12:04}-{period % 12 + 1:02}"


class Ladder:
    """The players of a pool by name. Those who have not been seen are at the model's start."""

    def __init__(
        self, model: RatingModel, known: Iterable[Rated] = (), together: Mapping[Pair, Together] | None = None
    ) -> None:
        self.model = model
        self.rated: dict[Actor, Rated] = {}
        self.together = dict(together or {})
        """How often two have met since the rules of fair play hold."""
        for rated in known:
            self.rated[rated.player] = replace(rated, met=()) if rated.met else rated
            self.together |= {pair_of(rated.player, met.player): met.together for met in rated.met}

    def of(self, player: Actor, period: int) -> Rated:
        """The player as of this period: doubt has grown with every whole one between."""
        known = self.rated.get(player)
        if known is None:
            start = self.model.start()
            return Rated(player, start, 0, 0, period, self.model.points(start))
        return rest(self.model, known, period)

    def play(self, result: RatedResult) -> tuple[Change, ...]:
        """Takes the result in; what it changed, a player of several seats (a bot can be one) once."""
        return tuple(
            Change(was, now, place, all_met(met, now.player, result.players) if result.fair else ())
            for (was, now, place), met in self.tell(result)
        )

    def tell(self, result: RatedResult) -> Iterator[tuple[Step, tuple[Met, ...]]]:
        """The same step by step, with those of the table alone whom they had met."""
        met: dict[Actor, list[Met]] = {player: [] for player in result.players}
        return ((step, tuple(met[step[1].player])) for step in self._take(result, met))

    def take(self, result: RatedResult) -> None:
        """The same without telling what it changed, and whom each had met."""
        self._take(result, None)

    def _take(self, result: RatedResult, met: Mapping[Actor, list[Met]] | None) -> Iterator[Step]:
        period, places = period_of(result.ended_at), result.places
        before = [self.of(player, period) for player in result.players]
        skills = [rated.skill for rated in before]
        after = self.model.rate(skills, places)
        if result.left and not result.moves_only_left:
            after = self._without_left(skills, after, result)
        if len(set(result.players)) < len(before):
            before, after, places = once_each(before, after, places)
            skills = [rated.skill for rated in before]
        if result.fair:
            after = tuple(map(part_of_the_way, skills, after, self._meet(before, result, met)))
        now = [*map(self._after, before, after, places, repeat(period))]
        if result.moves_only_left:
            steps = [step for step in zip(before, now, places, strict=True) if step[0].player in result.left]
            self.rated |= {after.player: after for _, after, _ in steps}
            return iter(steps)
        for rated in now:
            self.rated[rated.player] = rated
        return zip(before, now, places, strict=True)

    def _without_left(self, skills: Sequence[Skill], after: Sequence[Skill], result: RatedResult) -> tuple[Skill, ...]:
        """Return the skills after a match that some players left; the others gain nothing from those players."""
        count = len(result.players) - len(result.left)
        return (*self.model.rate(skills[:count], result.places[:count]), *after[count:])

    def _meet(self, before: Sequence[Rated], result: RatedResult, met: Mapping[Actor, list[Met]] | None) -> list[float]:
        """What a result counts for each of its players, the mean over the others, each by how far they are known and by
        how often the two have met of late; and they have met once more. `met`: where to tell how often they had."""
        at, provisional, together = result.ended_at, result.provisional, self.together
        matches = {rated.player: rated.matches for rated in before}
        totals, met_once = dict.fromkeys(matches, 0.0), met_again(STRANGERS, at)
        for pair in combinations(sorted(matches), 2):
            one, other = pair
            known, weight = together.get(pair), 1.0
            if known is None:
                known, together[pair] = STRANGERS, met_once
            else:
                weight, together[pair] = met_weight(known, at), met_again(known, at)
            # Most are known in full, and a call for each would take a tenth of a recount.
            enough = known.matches + KNOWN_MATCHES
            if other not in provisional:
                totals[one] += weight if matches[other] >= enough else known_share(matches[other], known) * weight
            if one not in provisional:
                totals[other] += weight if matches[one] >= enough else known_share(matches[one], known) * weight
            if met is not None and known.matches:
                met[one].append(Met(other, known.matches, known.recent))
                met[other].append(Met(one, known.matches, known.recent))
        count = len(matches) - 1
        return [total / count for total in totals.values()]

    def _after(self, before: Rated, skill: Skill, place: int, period: int) -> Rated:
        matches, points = before.matches + 1, self.model.points(skill)
        is_first = matches <= PROVISIONAL_MATCHES
        best = points if is_first else max(before.best, points)
        return Rated(before.player, skill, matches, before.wins + (place == 1), period, best)


def once_each(
    before: Sequence[Rated], after: Sequence[Skill], places: Sequence[int]
) -> tuple[list[Rated], tuple[Skill, ...], tuple[int, ...]]:
    """The same with everybody once: a player of several seats at the best of their places, with what these came to on
    average."""
    seats_of = dict[Actor, list[int]]()
    for seat, rated in enumerate(before):
        seats_of.setdefault(rated.player, []).append(seat)
    return (
        [before[seats[0]] for seats in seats_of.values()],
        tuple(mean_of([after[seat] for seat in seats]) for seats in seats_of.values()),
        tuple(min(places[seat] for seat in seats) for seats in seats_of.values()),
    )


def part_of_the_way(before: Skill, after: Skill, weight: float) -> Skill:
    """The skill after a result that counts only so much."""
    return Skill(
        before.mean + weight * (after.mean - before.mean),
        before.deviation + weight * (after.deviation - before.deviation),
    )


def mean_of(skills: Sequence[Skill]) -> Skill:
    """One skill for a player who sat in several seats: what they came to on average."""
    if len(skills) == 1:
        return skills[0]
    count = len(skills)
    return Skill(sum(s.mean for s in skills) / count, sum(s.deviation for s in skills) / count)


def is_rateable(result: RatedResult) -> bool:
    """At least two different players; a match of copies of one bot says nothing."""
    return len(set(result.players)) > 1


class RankingLine(Value, frozen=True):
    """A line of a ranking list; without a place who is provisional or inactive."""

    place: int | None
    rated: Rated
    points: int


def ranking(model: RatingModel, rated: Iterable[Rated], period: int) -> tuple[RankingLine, ...]:
    """A list as of a period: by points; equal points share a place; the provisional and the inactive come after."""
    current = [RankingLine(None, one, model.points(rest(model, one, period).skill)) for one in rated]
    current.sort(key=lambda line: (-line.points, line.rated.player))
    placed = [line for line in current if not line.rated.is_provisional and not line.rated.is_inactive(period)]
    others = [line for line in current if line.rated.is_provisional or line.rated.is_inactive(period)]
    numbered: list[RankingLine] = []
    for index, line in enumerate(placed):
        is_shared = index > 0 and placed[index - 1].points == line.points
        numbered.append(replace(line, place=numbered[-1].place if is_shared else index + 1))
    return (*numbered, *others)


def rest(model: RatingModel, rated: Rated, period: int) -> Rated:
    """The player as of a later period."""
    resting = period - rated.last_period - 1
    return replace(rated, skill=model.rest(rated.skill, resting)) if resting > 0 else rated
