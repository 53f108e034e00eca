"""The ratings of a pool, folded from its results."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import combinations, repeat
from typing import Annotated, Final, NamedTuple
from uuid import UUID

from msgspec import Meta

from domain.kernel.values import Value, replace
from domain.matches.facts import Actor, is_bot
from domain.ratings.fairness import (
    KNOWN_MATCHES,
    STRANGERS,
    Meetings,
    OpponentMeetings,
    add_meeting,
    known_share,
    opponents_met,
    repeat_weight,
)
from domain.ratings.model import RatingModel, Skill, millionths
from domain.ratings.terms import PROVISIONAL_MATCHES, STANDARD, Terms

Key = tuple[datetime, UUID]
Pair = tuple[Actor, Actor]
"""Two players in ascending order of ids."""


PROGRAMS: Final = "~bots"
"""The suffix of the title of a pool that includes bot accounts."""


class Pool(Value, frozen=True, order=True):
    """A group of comparable results: a title at tables of one size."""

    title: str
    seats: int


class RatedResult(Value, frozen=True, omit_defaults=True):
    """The places of a rated match; `places` begin at 1 and may be shared."""

    match_id: UUID
    title: str
    ended_at: datetime
    players: tuple[Actor, ...]
    places: tuple[int, ...]
    public: bool = True
    """Whether the match is public."""
    fair: bool = False
    """Whether it is rated by the rules of fair play, with weights."""
    provisional: tuple[Actor, ...] = ()
    """Players whose accounts were too new at the start: others gain nothing from them."""
    left: tuple[Actor, ...] = ()
    """Players who left before they had played enough. They are rated last; the others are rated without them."""
    seats: int = 0
    """Size of the table; 0: the number of players."""

    @property
    def key(self) -> Key:
        """Return the key by which results are sorted for rating, independent of when they became known."""
        return self.ended_at, self.match_id

    @property
    def pool(self) -> Pool:
        """Return the pool of the result."""
        return Pool(self.title, self.seats or len(self.players))

    @property
    def affects_only_leavers(self) -> bool:
        """Return whether all players but one have left, so that the result says nothing about that one."""
        return bool(self.left) and len({*self.players} - {*self.left}) == 1

    @property
    def affected_players(self) -> tuple[Actor, ...]:
        """Return the players whose ratings the result changes."""
        return self.left if self.affects_only_leavers else self.players


class Rated(Value, frozen=True):
    """A player of a pool after the last match."""

    player: Actor
    skill: Skill
    matches: int
    wins: int
    last_period: int
    best: int
    """The highest points since the rating was no longer provisional; the starting points before."""
    met: tuple[OpponentMeetings, ...] = ()
    """In proofs, the earlier meetings with the others at the table, sorted by id; ladders store them by pair."""

    @property
    def is_bot(self) -> bool:
        """Return whether the player is a bot."""
        return is_bot(self.player)

    def is_provisional(self, terms: Terms = STANDARD) -> bool:
        """Return whether the rating is provisional in a list with these terms."""
        return terms.is_provisional(self.matches)

    def inactive_since(self, terms: Terms = STANDARD) -> int:
        """Return the first period in which the player is inactive without a further match."""
        return terms.inactive_since(self.last_period)

    def is_inactive(self, period: int, terms: Terms = STANDARD) -> bool:
        """Return whether the player is inactive in this period."""
        return period >= self.inactive_since(terms)


class Change(Value, frozen=True):
    """The change of a player's rating by a result."""

    before: Rated
    after: Rated
    place: int
    met: tuple[OpponentMeetings, ...] = ()
    """The earlier meetings with the others at the table, sorted by id, if the result has weights."""


Step = tuple[Rated, Rated, int, float]
"""The change of a player's rating by a result: before, after, the place and the weight of the result."""


def pair_of(one: Actor, other: Actor) -> Pair:
    """Return two players in ascending order of ids."""
    return (one, other) if one < other else (other, one)


def period_of(at: datetime) -> int:
    """Return the rating period: months (UTC), counted from the year 0."""
    return at.year * 12 + at.month - 1


def month_of(period: int) -> str:
    """Return the period as `2026-11`."""
    return f"{period // 12:04}-{period % 12 + 1:02}"


def parse_month(month: str) -> int:
    """Return the period of a month such as `2026-11`."""
    year, _, number = month.partition("-")
    return int(year) * 12 + int(number) - 1


def end_of_month(period: int) -> datetime:
    """Return the first moment after a month, in UTC."""
    year, month = divmod(period + 1, 12)
    return datetime(year, month + 1, 1, tzinfo=UTC)


class Ladder:
    """The ratings of a pool by player; unknown players have the model's starting skill."""

    def __init__(
        self, model: RatingModel, ratings: Iterable[Rated] = (), together: Mapping[Pair, Meetings] | None = None
    ) -> None:
        self.model = model
        self.rated: dict[Actor, Rated] = {}
        self.together = dict(together or {})
        """Meetings of pairs since the rules of fair play took effect."""
        for rated in ratings:
            self.rated[rated.player] = replace(rated, met=()) if rated.met else rated
            self.together |= {pair_of(rated.player, opponent.player): opponent.meetings for opponent in rated.met}

    def rating_of(self, player: Actor, period: int) -> Rated:
        """Return the player as of this period; the deviation grows with every whole period without a match.

        An unknown player gets the model's initial rating, which is not stored.
        """
        stored = self.rated.get(player)
        if stored is None:
            start = self.model.start()
            return Rated(player, start, 0, 0, period, self.model.points(start))
        return rest(self.model, stored, period)

    def rate_result(self, result: RatedResult) -> tuple[Change, ...]:
        """Rate the result, store the ratings and return the changes, one per player even with several seats.

        Earlier meetings of opponents are given under fair play only.
        """
        return tuple(
            Change(before, after, place, opponents_met(meetings, after.player, result.players) if result.fair else ())
            for (before, after, place, _), meetings in self.rate_with_meetings(result)
        )

    def rate_with_meetings(self, result: RatedResult) -> Iterator[tuple[Step, tuple[OpponentMeetings, ...]]]:
        """Rate the result and return steps, with meetings only of players who have met before."""
        meetings: dict[Actor, list[OpponentMeetings]] = {player: [] for player in result.players}
        return ((step, tuple(meetings[step[1].player])) for step in self._rate(result, meetings))

    def apply_result(self, result: RatedResult) -> None:
        """Rate the result without reporting changes."""
        self._rate(result, None)

    def _rate(self, result: RatedResult, meetings: Mapping[Actor, list[OpponentMeetings]] | None) -> Iterator[Step]:
        """Rate a result, store the ratings, and return (before, after, place, weight) per player.

        If the result affects only leavers, other players get no step. `meetings`, if given, receives earlier meetings.
        """
        period, places = period_of(result.ended_at), result.places
        before = [self.rating_of(player, period) for player in result.players]
        skills = [rated.skill for rated in before]
        after = self.model.rate(skills, places)
        if result.left and not result.affects_only_leavers:
            after = self._rate_leavers(skills, after, result)
        if len(set(result.players)) < len(before):
            before, after, places = once_each(before, after, places)
            skills = [rated.skill for rated in before]
        weights = [1.0] * len(before)
        if result.fair:
            weights = self._record_meetings(before, result, meetings)
            after = tuple(map(weighted_skill, skills, after, weights))
        now = [*map(self._after, before, after, places, repeat(period))]
        if result.affects_only_leavers:
            steps = [step for step in zip(before, now, places, weights, strict=True) if step[0].player in result.left]
            self.rated |= {after.player: after for _, after, _, _ in steps}
            return iter(steps)
        for rated in now:
            self.rated[rated.player] = rated
        return zip(before, now, places, weights, strict=True)

    def _rate_leavers(self, skills: Sequence[Skill], after: Sequence[Skill], result: RatedResult) -> tuple[Skill, ...]:
        """Return the skills after a match that some players left; the others gain nothing from those players."""
        count = len(result.players) - len(result.left)
        return (*self.model.rate(skills[:count], result.places[:count]), *after[count:])

    def _record_meetings(
        self, before: Sequence[Rated], result: RatedResult, meetings: Mapping[Actor, list[OpponentMeetings]] | None
    ) -> list[float]:
        """Return the weight of a result for each player, in the order of `before`, and record the meetings.

        It is the mean over the opponents of familiarity times repetition weight; provisional opponents count 0. If
        given, `meetings` receives earlier meetings.
        """
        at, provisional, together = result.ended_at, result.provisional, self.together
        matches = {rated.player: rated.matches for rated in before}
        totals, met_once = dict.fromkeys(matches, 0.0), add_meeting(STRANGERS, at)
        for pair in combinations(sorted(matches), 2):
            one, other = pair
            earlier, weight = together.get(pair), 1.0
            if earlier is None:
                earlier, together[pair] = STRANGERS, met_once
            else:
                weight, together[pair] = repeat_weight(earlier, at), add_meeting(earlier, at)
            # Most weights are 1, and a call for each would take a tenth of a recount.
            enough = earlier.matches + KNOWN_MATCHES
            if other not in provisional:
                totals[one] += weight if matches[other] >= enough else known_share(matches[other], earlier) * weight
            if one not in provisional:
                totals[other] += weight if matches[one] >= enough else known_share(matches[one], earlier) * weight
            if meetings is not None and earlier.matches:
                meetings[one].append(OpponentMeetings(other, earlier.matches, earlier.recent))
                meetings[other].append(OpponentMeetings(one, earlier.matches, earlier.recent))
        count = len(matches) - 1
        return [total / count for total in totals.values()]

    def _after(self, before: Rated, skill: Skill, place: int, period: int) -> Rated:
        """Return the rating after a match, with its counts; a provisional player's best is always the current one."""
        matches, points = before.matches + 1, self.model.points(skill)
        is_first = matches <= PROVISIONAL_MATCHES
        best = points if is_first else max(before.best, points)
        return Rated(before.player, skill, matches, before.wins + (place == 1), period, best)


def weights_of(steps: Iterable[Step]) -> dict[Actor, int]:
    """Return the weight of a result for each player whose rating it changes, in millionths."""
    return {after.player: millionths(weight) for _, after, _, weight in steps}


def once_each(
    before: Sequence[Rated], after: Sequence[Skill], places: Sequence[int]
) -> tuple[list[Rated], tuple[Skill, ...], tuple[int, ...]]:
    """Return (before, after, places) with one seat per player, in order of their first seats.

    Each player gets the best place and the mean of the skills.
    """
    seats_of = dict[Actor, list[int]]()
    for seat, rated in enumerate(before):
        seats_of.setdefault(rated.player, []).append(seat)
    return (
        [before[seats[0]] for seats in seats_of.values()],
        tuple(mean_of([after[seat] for seat in seats]) for seats in seats_of.values()),
        tuple(min(places[seat] for seat in seats) for seats in seats_of.values()),
    )


def weighted_skill(before: Skill, after: Skill, weight: float) -> Skill:
    """Return the skill after a result with partial weight: mean and deviation move by this share of their change."""
    return Skill(
        before.mean + weight * (after.mean - before.mean),
        before.deviation + weight * (after.deviation - before.deviation),
    )


def mean_of(skills: Sequence[Skill]) -> Skill:
    """Return the mean of the skills of a player in several seats."""
    if len(skills) == 1:
        return skills[0]
    count = len(skills)
    return Skill(sum(s.mean for s in skills) / count, sum(s.deviation for s in skills) / count)


def is_rateable(result: RatedResult) -> bool:
    """Return whether at least two different players took seats; copies of a bot are not rated."""
    return len(set(result.players)) > 1


class RankingLine(Value, frozen=True):
    """A line of a ranking list; provisional and inactive players have no place."""

    place: int | None
    rated: Rated
    points: int


Bounded = Annotated[int, Meta(ge=-(2**31), le=2**31)]


class Order(NamedTuple):
    """The position of a line in a ranking list: the part of the list, and the order in that part."""

    part: Annotated[int, Meta(ge=0, le=2)]
    before: Bounded
    below: Bounded
    player: Actor


PLACED: Final = 0
"""The part of the players with a place. They are ordered by points, then by id."""
PROVISIONAL: Final = 1
"""The part of active players with a provisional rating, ordered in the same way."""
INACTIVE: Final = 2
"""The part of inactive players, ordered by the beginning of their inactivity, and then by their points at that time."""


def part_of(rated: Rated, period: int, terms: Terms = STANDARD) -> int:
    """Return the part of a player in the ranking list of a period."""
    if rated.is_inactive(period, terms):
        return INACTIVE
    return PROVISIONAL if rated.is_provisional(terms) else PLACED


def order_of(model: RatingModel, rated: Rated, period: int, terms: Terms = STANDARD) -> Order:
    """Return the position of a player in the ranking list of a period."""
    part = part_of(rated, period, terms)
    if part == INACTIVE:
        since = rated.inactive_since(terms)
        return Order(INACTIVE, -since, -points_in(model, rated, since), rated.player)
    return Order(part, 0, -points_in(model, rated, period), rated.player)


def ranking(
    model: RatingModel, rated: Iterable[Rated], period: int, terms: Terms = STANDARD
) -> tuple[RankingLine, ...]:
    """Return the ranking list of a period by points; ties share a place; provisional and inactive players follow.

    These have no place. Provisional players are sorted by points too, inactive ones by their last match (`INACTIVE`).
    """
    lines: list[RankingLine] = []
    for (part, _, below, _), each in sorted((order_of(model, each, period, terms), each) for each in rated):
        line = RankingLine(None, each, points_in(model, each, period) if part == INACTIVE else -below)
        if part == PLACED:
            is_shared = bool(lines) and lines[-1].points == line.points
            line = replace(line, place=lines[-1].place if is_shared else len(lines) + 1)
        lines.append(line)
    return tuple(lines)


def rest(model: RatingModel, rated: Rated, period: int) -> Rated:
    """Return the player as of a later period."""
    idle_periods = period - rated.last_period - 1
    return replace(rated, skill=model.rest(rated.skill, idle_periods)) if idle_periods > 0 else rated


def points_in(model: RatingModel, rated: Rated, period: int) -> int:
    """Return the points of the player in the list of a later period."""
    return model.points(rest(model, rated, period).skill)
