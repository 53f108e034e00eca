"""Speed of the rules: random play-outs, and whole matches of greedy bots."""

import random
import time
from typing import Any, Final

from domain.kernel.chance import SeededChance
from domain.kernel.loading import find_part
from domain.kernel.title import AnyTitle
from domain.matches.play.in_memory import play_to_end, seeded_origins, table_of_bots
from domain.titles import TITLES
from ops.dev.bench.figures import Figure, Section, milliseconds, percentile, typical_seconds
from workers.bots import BOTS

PLAYOUTS: Final = 30
ACTIONS_BUDGET: Final = 10_000
PLAYOUT_SECONDS: Final = 2.0
GREEDY_BUDGET: Final = 2.0
GREEDY_MOVE_BUDGET: Final = 0.030


def play_out(title: AnyTitle, seats: int, number: int) -> tuple[int, int]:
    """Play one random match; return the number of actions and of effects. It is the same for the same number."""
    rules, chance = title.rules, SeededChance(number.to_bytes(32, "big"))
    random_numbers, actions, effects_count = random.Random(number), 0, 0
    state: Any = None
    for effect in rules.start(rules.options({}), seats, chance):
        state = rules.evolve(state, effect)
    while to_act := rules.seats_to_act(state):
        seat = to_act[0]
        legal = rules.legal_actions(state, seat)
        effects = rules.decide(state, seat, legal[random_numbers.randrange(len(legal))], chance)
        for effect in effects:
            state = rules.evolve(state, effect)
        actions += 1
        effects_count += len(effects)
    return actions, effects_count


def playouts(title: AnyTitle) -> Figure:
    """Measure actions per second over `PLAYOUTS` matches, which have every number of seats in turn."""
    options = title.rules.options({})
    started, actions = time.perf_counter(), 0
    for number in range(PLAYOUTS):
        seats = options.seats_min + number % (options.seats_max - options.seats_min + 1)
        actions += play_out(title, seats, number)[0]
    rate = actions / (time.perf_counter() - started)
    label = f"{title.name}: random play-outs"
    return Figure(
        label,
        f"{rate:,.0f} actions/s",
        f"≥ {ACTIONS_BUDGET:,}",
        rate >= ACTIONS_BUDGET,
        f"{rate / ACTIONS_BUDGET:.2f}×",
    )


def whole_playouts(title: AnyTitle) -> Figure:
    """Measure random four-player matches per second, against the title's floor if it sets one.

    Plays `PLAYOUTS` matches, or more until `PLAYOUT_SECONDS` have passed.
    """
    started, matches, steps = time.perf_counter(), 0, 0
    while matches < PLAYOUTS or time.perf_counter() - started < PLAYOUT_SECONDS:
        steps += play_out(title, 4, matches)[0]
        matches += 1
    rate = matches / (time.perf_counter() - started)
    label = f"{title.name}: whole four-player play-outs of {steps // matches} actions"
    bounds: tuple[int, int] | None = find_part(f"ops.dev.titles.{title.name}.bench", "MATCHES_FLOOR")
    if bounds is None:
        return Figure(label, f"{rate:,.1f} a second")
    floor, target = bounds
    return Figure(label, f"{rate:,.1f} a second", f"≥ {floor}, aim {target}", rate >= floor, f"{rate / floor:.2f}×")


def greedy_match(title: AnyTitle) -> tuple[Figure, ...]:
    """Measure a whole match of four greedy bots, log included, and single choices."""
    kind, choices = BOTS["greedy"], list[float]()

    def choose(rules: Any, view: Any, legal: tuple[Any, ...], seed: bytes) -> Any:
        started = time.perf_counter()
        action = kind.choose(rules, view, legal, seed)
        choices.append(time.perf_counter() - started)
        return action

    def whole() -> None:
        play_to_end(table_of_bots(title, (kind.actor,) * 4, {}, seeded_origins(b"bench")), {kind.actor: choose})

    elapsed, p99 = typical_seconds(whole, 3), percentile(choices, 0.99)
    return (
        Figure(
            f"{title.name}: four greedy bots, a match",
            f"{elapsed:.2f} s",
            f"< {GREEDY_BUDGET:.0f} s",
            elapsed < GREEDY_BUDGET,
        ),
        Figure(
            f"{title.name}: a greedy choice, p99",
            milliseconds(p99),
            f"< {GREEDY_MOVE_BUDGET * 1000:.0f} ms",
            p99 < GREEDY_MOVE_BUDGET,
        ),
    )


def section() -> Section:
    """Measure all titles."""
    figures: list[Figure] = []
    for title in sorted(TITLES):
        figures += [playouts(TITLES[title]), whole_playouts(TITLES[title]), *greedy_match(TITLES[title])]
    return Section("Rules and bots", tuple(figures))
