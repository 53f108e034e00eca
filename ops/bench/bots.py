"""Whether searching bots still play as they should: a few rungs of the ladder, how long their choices take, and whether
anybody else feels it."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from domain.kernel.title import default_title
from domain.titles import TITLES
from ops.bench.figures import Figure, Section, milliseconds, percentile
from ops.bench.service import load_of
from ops.ladder.matches import PlayedMatch, WantedLadder, play_all
from ops.ladder.report import report_of
from ops.load.running import Plan
from ops.players import load_players
from ops.throwaway import service_in

SEATS, MATCHES, FLOOR = 2, 12, 0.6
"""The matches of a rung, and the share of victories that the quick search has against greedy at least. What breaks it
makes it even at best; as it is it has nine of ten."""
MEAN_BUDGET, SLOW_BUDGET = 100.0, 150.0
"""Milliseconds of a choice: the mean, and what 99 of 100 take at most."""

THINKERS: Final = 4
THINKER: Final = "search-strong"
CLICKS_PER_SECOND: Final = 5.0
CLICKING_SECONDS: Final = 30.0
CLICK_BUDGET: Final = 0.250


def section() -> Section:
    figures: list[Figure] = []
    for name, title in TITLES.items():
        if title.is_judged:
            figures += rung(name, SEATS, MATCHES, FLOOR)
    figures.append(beside_thinkers())
    return Section("Bots that search", tuple(figures))


def rung(title: str, seats: int, matches: int, floor: float) -> tuple[Figure, ...]:
    """The quick search against greedy bots."""
    bots, options = ("search-quick", *("greedy",) * (seats - 1)), TITLES[title].rules.options({}).chosen
    wanted = WantedLadder(title, bots, matches, options, "bench", {})
    results = play_all(wanted, range(matches), processes=os.cpu_count() or 1, find_players=load_players)
    played = [match for match in results if isinstance(match, PlayedMatch)]
    assert len(played) == matches, f"{matches - len(played)} matches could not be played"
    (search,) = (each for each in report_of(wanted, played).figures if each.bot == "search-quick")
    share, times = search.wins.share, search.times
    return (
        Figure(
            f"{title}, {seats} seats: the quick search against greedy, {len(played)} matches",
            f"{share:.2f} of the victories",
            f"≥ {floor}",
            share >= floor,
        ),
        Figure("… a choice, mean", f"{times.mean:.0f} ms", f"≤ {MEAN_BUDGET:.0f} ms", times.mean <= MEAN_BUDGET),
        Figure("… a choice, p99", f"{times.p99:.0f} ms", f"≤ {SLOW_BUDGET:.0f} ms", times.p99 <= SLOW_BUDGET),
    )


def beside_thinkers() -> Figure:
    """From a click to the board that follows it, at a table of people, while strong bots think at as many tables."""
    plan = Plan(
        title=default_title(TITLES).name,
        people=2,
        tables=1,
        seats=2,
        bot_tables=THINKERS,
        bots=(THINKER, THINKER),
        rate=CLICKS_PER_SECOND,
        seconds=CLICKING_SECONDS,
        is_whole=True,
    )
    with TemporaryDirectory() as folder, service_in(Path(folder)) as service:
        load = load_of([service.url], plan)
    slow = percentile(load.latencies, 0.95)
    what = f"click to board beside {THINKERS} tables where {THINKER} thinks, {len(load.latencies)} clicks, p95"
    return Figure(what, milliseconds(slow), f"< {1_000 * CLICK_BUDGET:.0f} ms", slow < CLICK_BUDGET)
