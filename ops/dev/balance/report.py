"""The balance report of a title: scores, sources of points, and the value of each component."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from ops.dev.balance.figures import Mean, Spread, difference, mean_of, round_hundredths, spread_of
from ops.dev.balance.ledgers import load_ledger
from ops.dev.balance.matches import MatchResult, SeatResult, WantedMatches

IN_LINE: Final = 6
"""Greatest difference in points from the table's mean that is not remarked on."""


class Scores(msgspec.Struct, frozen=True, rename="camel"):
    """The scores of a seat at tables of one size; `seat` is None for all seats together."""

    players: int
    seat: int | None
    scores: Spread
    wins: float
    """The share of matches won; a shared win counts in part."""
    margin: Mean
    """Points over the mean of the table."""


class Source(msgspec.Struct, frozen=True, rename="camel"):
    """Mean points per seat from a source, and its share of all points."""

    players: int
    source: str
    points: float
    share: float


class Component(msgspec.Struct, frozen=True, rename="camel"):
    """A helper, roof tile, building or card: its rate of use, and results with and without it."""

    kind: str
    id: str
    name: str
    seats: int
    """Number of seats that took it."""
    rate: float
    """Share of all seats."""
    uses: float
    """Further uses per taking."""
    with_it: Mean
    without_it: Mean
    difference: Mean
    remarks: tuple[str, ...]


class Bot(msgspec.Struct, frozen=True, rename="camel"):
    """The results of one bot in a run with several."""

    bot: str
    wins: float
    margin: Mean


class BalanceReport(msgspec.Struct, frozen=True, rename="camel"):
    """A whole report; equal parameters give an equal report."""

    title: str
    matches: int
    players: tuple[int, ...]
    bots: tuple[str, ...]
    options: Mapping[str, str]
    seed: str
    taking: str
    scores: tuple[Scores, ...]
    sources: tuple[Source, ...]
    components: tuple[Component, ...]
    by_bot: tuple[Bot, ...]


class SeatFigures(msgspec.Struct, frozen=True):
    """A seat's result within its match."""

    seat: int
    result: SeatResult
    margin: float
    win: float


def seats_of(match: MatchResult) -> tuple[SeatFigures, ...]:
    """Return each seat's figures: its points over the mean of the table, and its share of the win if that is shared."""
    mean = sum(seat.score for seat in match.seats) / len(match.seats)
    winners = sum(seat.place == 1 for seat in match.seats)
    return tuple(
        SeatFigures(number, seat, seat.score - mean, (seat.place == 1) / winners)
        for number, seat in enumerate(match.seats)
    )


def report_of(plan: WantedMatches, matches: Sequence[MatchResult]) -> BalanceReport:
    """Compute the report. Margins and components leave out solo matches, unless there are no others.

    Bots are compared only if there are several.
    """
    tables: dict[int, list[SeatFigures]] = {players: [] for players in sorted(set(plan.players))}
    for match in matches:
        tables[len(match.seats)] += seats_of(match)
    tables = {players: seats for players, seats in tables.items() if seats}
    rivals = [seat for players, seats in tables.items() if players > 1 for seat in seats]
    return BalanceReport(
        plan.title,
        len(matches),
        tuple(tables),
        plan.bots,
        plan.options,
        plan.seed,
        plan.taking,
        tuple(scores for players, seats in tables.items() for scores in _scores(players, seats)),
        tuple(source for players, seats in tables.items() for source in _sources(plan.title, players, seats)),
        tuple(_components(plan, rivals or [seat for seats in tables.values() for seat in seats])),
        tuple(_bots(rivals)) if len(set(plan.bots)) > 1 else (),
    )


def _scores(players: int, seats: Sequence[SeatFigures]) -> Iterable[Scores]:
    """Yield the scores of all seats together and then, except for solo matches, of each seat."""

    def line(seat: int | None, chosen: Sequence[SeatFigures]) -> Scores:
        wins = round_hundredths(sum(each.win for each in chosen) / len(chosen))
        margin = mean_of(each.margin for each in chosen)
        return Scores(players, seat, spread_of(each.result.score for each in chosen), wins, margin)

    yield line(None, seats)
    if players > 1:
        for seat in range(players):
            yield line(seat, [each for each in seats if each.seat == seat])


def _sources(title: str, players: int, seats: Sequence[SeatFigures]) -> Iterable[Source]:
    """Yield points per seat and share of the total for every source of the title, used or not.

    Points paid reduce the total, so that the shares sum to 1; all are 0 if the total is 0.
    """
    totals = Counter[str]()
    for each in seats:
        totals.update(each.result.sources)
    total = sum(totals.values())
    for source in load_ledger(title).sources:
        share = totals[source] / total if total else 0.0
        yield Source(players, source, round_hundredths(totals[source] / len(seats)), round(share, 4))


def _components(plan: WantedMatches, seats: Sequence[SeatFigures]) -> Iterable[Component]:
    for kind, names in load_ledger(plan.title).names(plan.options).items():
        for name, display_name in names.items():
            yield _component(kind, name, display_name, seats)


def _component(kind: str, id: str, name: str, seats: Sequence[SeatFigures]) -> Component:
    """Return the use of a component and the margins of the seats with and without it, with remarks."""
    key = f"{kind} {id}"
    seats_with = [each for each in seats if key in each.result.taken]
    with_it = mean_of(each.margin for each in seats_with)
    without_it = mean_of(each.margin for each in seats if key not in each.result.taken)
    taken_count = sum(each.result.taken[key] for each in seats_with)
    used_count = sum(each.result.used.get(key, 0) for each in seats_with)
    gap = difference(with_it, without_it)
    return Component(
        kind,
        id,
        name,
        len(seats_with),
        round(len(seats_with) / len(seats), 4),
        round_hundredths(used_count / taken_count) if taken_count else 0.0,
        with_it,
        without_it,
        gap,
        tuple(remark for remark, holds in REMARKS.items() if holds(with_it, gap)),
    )


REMARKS: Final[Mapping[str, Callable[[Mean, Mean], bool]]] = {
    "never taken": lambda with_it, _: not with_it.count,
    f"more than {IN_LINE} above the mean": lambda with_it, _: (
        with_it.within is not None and with_it.mean - with_it.within > IN_LINE
    ),
    f"more than {IN_LINE} below the mean": lambda with_it, _: (
        with_it.within is not None and with_it.mean + with_it.within < -IN_LINE
    ),
    "worse with it": lambda _, apart: apart.within is not None and apart.mean + apart.within < 0,
}
"""Conditions that call for a closer inspection of a component, beyond chance."""


def _bots(seats: Sequence[SeatFigures]) -> Iterable[Bot]:
    """Yield the share of wins and the margin of each bot, by name."""
    for bot in sorted({each.result.bot for each in seats}):
        bot_seats = [each for each in seats if each.result.bot == bot]
        yield Bot(
            bot,
            round_hundredths(sum(each.win for each in bot_seats) / len(bot_seats)),
            mean_of(each.margin for each in bot_seats),
        )
