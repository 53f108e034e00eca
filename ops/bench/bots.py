"""Whether searching bots still play as they should: a few rungs of the ladder, and how long their choices take."""

import os

from domain.titles import TITLES
from ops.bench.figures import Figure, Section
from ops.ladder.matches import PlayedMatch, WantedLadder, play_all
from ops.ladder.report import report_of
from ops.players import load_players

SEATS, MATCHES, FLOOR = 2, 12, 0.6
"""The matches of a rung, and the share of victories that the quick search has against greedy at least. What breaks it
makes it even at best; as it is it has nine of ten."""
MEAN_BUDGET, SLOW_BUDGET = 100.0, 150.0
"""Milliseconds of a choice: the mean, and what 99 of 100 take at most."""


def section() -> Section:
    figures: list[Figure] = []
    for name, title in TITLES.items():
        if title.is_judged:
            figures += rung(name, SEATS, MATCHES, FLOOR)
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
