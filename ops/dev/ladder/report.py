"""The report of a ladder."""

import math
from collections.abc import Iterable, Sequence
from itertools import groupby

import msgspec

from ops.dev.balance.figures import CERTAINTY, Mean, mean_of, round_hundredths
from ops.dev.bench.figures import percentile
from ops.dev.ladder.matches import PlayedMatch, WantedLadder
from ops.dev.ladder.strengths import strengths


class Share(msgspec.Struct, frozen=True, rename="camel"):
    """A bot's wins per seat played, with its 95 % interval; a shared win counts in part."""

    share: float
    low: float
    high: float


class Times(msgspec.Struct, frozen=True, rename="camel"):
    """Milliseconds of processor time for a choice between at least two actions."""

    count: int
    mean: float
    p95: float
    p99: float
    longest: float


class BotFigures(msgspec.Struct, frozen=True, rename="camel"):
    """The figures of one bot. `even` is the share of wins it would have among equals."""

    bot: str
    seats: int
    wins: Share
    even: float
    score: Mean
    margin: Mean
    """Points over the mean of the other seats."""
    strength: float
    strength_within: float
    times: Times


class LadderReport(msgspec.Struct, frozen=True, rename="camel"):
    """The figures of all bots, the strongest first."""

    title: str
    bots: tuple[str, ...]
    matches: int
    deals: int
    seed: str
    options: dict[str, str]
    figures: tuple[BotFigures, ...]


def report_of(plan: WantedLadder, played: Iterable[PlayedMatch]) -> LadderReport:
    """Compute the report from complete deals only, because a partial deal would favour the bots on good seats.

    Bots are sorted by strength, the strongest first.
    """
    matches = sorted(played, key=lambda match: match.number)
    grouped = (list(deal) for _, deal in groupby(matches, key=lambda match: plan.deal_of(match.number)))
    deals = [deal for deal in grouped if len(deal) == len(plan.rotations)]
    points = strengths(deals) if deals else {}
    figures = (_figures(bot, deals, *points[bot]) for bot in points)
    return LadderReport(
        plan.title,
        plan.bots,
        sum(map(len, deals)),
        len(deals),
        plan.seed,
        dict(plan.options),
        tuple(sorted(figures, key=lambda each: (-each.strength, each.bot))),
    )


def _figures(bot: str, deals: Sequence[Sequence[PlayedMatch]], strength: float, half_width: float) -> BotFigures:
    """Return a bot's figures over all deals; shares, scores and margins are means per deal first."""
    shares, scores, margins, times, seats = [], list[float](), [], list[float](), 0
    for deal in deals:
        own_seats = [(match, seat) for match in deal for seat, name in enumerate(match.bots) if name == bot]
        seats += len(own_seats)
        shares.append(math.fsum(victory(match, seat) for match, seat in own_seats) / len(own_seats))
        scores.append(math.fsum(match.scores[seat] for match, seat in own_seats) / len(own_seats))
        margins.append(math.fsum(margin(match, seat) for match, seat in own_seats) / len(own_seats))
        times += (microseconds / 1_000 for match, seat in own_seats for microseconds in match.times[seat])
    count = len(deals[0][0].bots)
    return BotFigures(
        bot,
        seats,
        share_of(shares, seats),
        round(1 / count, 4),
        mean_of(scores),
        mean_of(margins),
        round_hundredths(strength),
        round_hundredths(half_width),
        times_of(times),
    )


def victory(match: PlayedMatch, seat: int) -> float:
    """Return 1 for a sole winner, a fraction for a shared win, 0 for others."""
    return 1 / match.places.count(1) if match.places[seat] == 1 else 0.0


def margin(match: PlayedMatch, seat: int) -> float:
    """Return the points over the mean of the others; the points alone for a solo player."""
    other_scores = [score for index, score in enumerate(match.scores) if index != seat]
    return match.scores[seat] - (math.fsum(other_scores) / len(other_scores) if other_scores else 0)


def share_of(deals: Sequence[float], seats: int) -> Share:
    """Return the mean of the deals' shares with Wilson's interval for the effective number of independent seats.

    That number follows from the variance between deals (Kish's design effect), bounded by the number of deals and the
    number of seats, so that a bot that wins every match has an interval too.
    """
    count = len(deals)
    share = math.fsum(deals) / count
    spread = math.fsum((each - share) ** 2 for each in deals) / (count * max(1, count - 1))
    effective_count = share * (1 - share) / spread if spread else float(seats)
    independent = min(float(seats), max(float(count), effective_count))
    square = CERTAINTY * CERTAINTY / independent
    centre = (share + square / 2) / (1 + square)
    half_width = CERTAINTY * math.sqrt(share * (1 - share) / independent + square / (4 * independent)) / (1 + square)
    return Share(round(share, 4), round(max(0.0, centre - half_width), 4), round(min(1.0, centre + half_width), 4))


def times_of(times: list[float]) -> Times:
    """Return the times' statistics; zeros for a bot that never had a choice."""
    if not times:
        return Times(0, 0.0, 0.0, 0.0, 0.0)
    figures = (math.fsum(times) / len(times), percentile(times, 0.95), percentile(times, 0.99), max(times))
    return Times(len(times), *(round_hundredths(figure) for figure in figures))
