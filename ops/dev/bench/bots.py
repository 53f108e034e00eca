"""Check that searching bots keep their strength and speed, and that they do not slow down people's tables."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from domain.kernel.title import AnyRules, default_title
from domain.matches.play.in_memory import play_to_end, seeded_origins, table_of_bots
from domain.titles import TITLES
from ops.dev.bench.figures import Figure, Section, milliseconds, percentile, seconds
from ops.dev.bench.service import load_of
from ops.dev.ladder.matches import PlayedMatch, WantedLadder, play_all
from ops.dev.ladder.report import BotFigures, report_of
from ops.dev.load.running import Plan
from ops.players import load_players
from ops.temporary_service import service_in
from workers.bots import ASSISTANTS, BOTS, BotKind, shared_bots
from workers.bots.evaluation import load_evaluations
from workers.bots.sharing import Assistants

Asked = tuple[AnyRules, Any, tuple[Any, ...], bytes]
"""The arguments of a bot's choice: rules, view, legal actions, seed."""

SEATS, MATCHES, FLOOR = 2, 24, 0.7
"""Matches of one comparison, and the least share of victories of the quick search against greedy.

A broken search is at best even with greedy, and an even bot reaches this share by luck in 3 of 100 runs. The share
measured is 0.9.
"""
PLAYOFF_MATCHES: Final = 12
PLAYOFF_FLOOR: Final = 28.0
"""Least mean margin, in points, of the strong search over greedy in titles where it plays out a playoff.

The margin was 22 points without a playoff and is 40 with one (`docs/develop/bots.md`).
"""
MEAN_BUDGET, SLOW_BUDGET = 100.0, 150.0
"""Milliseconds of one choice: the mean, and the 99th percentile."""

CHOICES, LEGAL_MIN = 12, 5
"""Approximate number of choices timed in one and in several processes, and the least number of legal actions of each.
"""

THINKERS: Final = 4
THINKER: Final = "search-strong"
CLICKS_PER_SECOND: Final = 5.0
CLICKING_SECONDS: Final = 30.0
CLICK_BUDGET: Final = 0.250


def section() -> Section:
    """Measure strength and speed for every title that has a search, and clicks while bots think."""
    figures: list[Figure] = []
    for name, title in TITLES.items():
        if title.is_judged:
            figures += compare_with_greedy(name)
            figures += playoffs(name)
            figures.append(measure_division(name))
    figures.append(beside_thinkers())
    return Section("Search bots", tuple(figures))


def compare_with_greedy(title: str) -> tuple[Figure, ...]:
    """Return three figures of the quick search against greedy: share of wins, mean and 99th percentile of a choice."""
    search = figures_of(title, ("search-quick", "greedy"), MATCHES)
    share, times = search.wins.share, search.times
    return (
        Figure(
            f"{title}, {SEATS} seats: quick search against greedy, {MATCHES} matches",
            f"{share:.2f} of the wins",
            f"≥ {FLOOR}",
            share >= FLOOR,
        ),
        Figure("… per decision, mean", f"{times.mean:.0f} ms", f"≤ {MEAN_BUDGET:.0f} ms", times.mean <= MEAN_BUDGET),
        Figure("… per decision, p99", f"{times.p99:.0f} ms", f"≤ {SLOW_BUDGET:.0f} ms", times.p99 <= SLOW_BUDGET),
    )


def playoffs(title: str) -> Iterator[Figure]:
    """Compare the strong search with greedy by its mean margin; yield nothing if the title has no playoff."""
    if load_evaluations(TITLES)[title].known_outline.has_playoff:
        margin = figures_of(title, (THINKER, "greedy"), PLAYOFF_MATCHES).margin.mean
        label = f"{title}, {SEATS} seats: strong search against greedy, {PLAYOFF_MATCHES} matches"
        yield Figure(label, f"{margin:+.0f} points", f"≥ {PLAYOFF_FLOOR:+.0f}", margin >= PLAYOFF_FLOOR)


def figures_of(title: str, bots: tuple[str, str], matches: int) -> BotFigures:
    """Play two bots against each other at tables of two and return the first one's figures.

    Raises `AssertionError` if a match could not be played.
    """
    plan = WantedLadder(title, bots, matches, TITLES[title].rules.options({}).chosen, "bench", {})
    results = play_all(plan, range(matches), processes=os.cpu_count() or 1, find_players=load_players)
    played_matches = [match for match in results if isinstance(match, PlayedMatch)]
    assert len(played_matches) == matches, f"{matches - len(played_matches)} matches could not be played"
    (bot_figures,) = (each for each in report_of(plan, played_matches).figures if each.bot == bots[0])
    return bot_figures


def measure_division(title: str) -> Figure:
    """Measure a choice whose roll-outs are divided over several processes, relative to one process."""
    positions, bot = choices_of(title), BOTS[THINKER]
    with TemporaryDirectory() as folder:
        assistants = Assistants(Path(folder), ASSISTANTS)
        assistants.start()
        shared_bot = shared_bots({THINKER: bot}, assistants.play)[THINKER]
        single, several = (seconds(partial(choose_all, kind, positions)) / len(positions) for kind in (bot, shared_bot))
        assistants.close()
    return Figure(
        f"{title}, {SEATS} seats: a decision of {THINKER} in {1 + ASSISTANTS} processes, mean of {len(positions)}",
        milliseconds(several),
        ratio=f"{several / single:.2f} of one process, {milliseconds(single)}",
    )


def choose_all(kind: BotKind, positions: list[Asked]) -> None:
    """Make all these choices."""
    for each in positions:
        kind.choose(*each)


def choices_of(title: str) -> list[Asked]:
    """Return about `CHOICES` decisions with `LEGAL_MIN` or more legal actions, spread over a match of greedy bots."""
    decisions, greedy = list[Asked](), BOTS["greedy"]

    def choose(rules: AnyRules, view: object, legal: tuple[Any, ...], seed: bytes) -> Any:
        if len(legal) >= LEGAL_MIN:
            decisions.append((rules, view, legal, seed))
        return greedy.choose(rules, view, legal, seed)

    play_to_end(
        table_of_bots(TITLES[title], [greedy.actor] * SEATS, {}, seeded_origins(b"bench")), {greedy.actor: choose}
    )
    return decisions[:: max(1, len(decisions) // CHOICES)]


def beside_thinkers() -> Figure:
    """Measure the time from a click to the updated board at a table of people while strong bots think elsewhere."""
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
    slow_seconds = percentile(load.latencies, 0.95)
    label = f"click to board while {THINKER} thinks at {THINKERS} tables, {len(load.latencies)} clicks, p95"
    return Figure(label, milliseconds(slow_seconds), f"< {1_000 * CLICK_BUDGET:.0f} ms", slow_seconds < CLICK_BUDGET)
