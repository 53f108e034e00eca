"""Positions at the ends of stages in bot matches, with the final margins."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec

from domain.kernel.chance import SeededChance, hkdf_expand
from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.kernel.settle import position_after
from domain.matches.play.in_memory import seeded_origins, table_of_bots
from ops.players import FindPlayers
from ops.processes import WorkerDied, in_processes
from workers.bots.evaluation import load_evaluations

POINT = 100
"""Parts of an evaluation are in hundredths of a point."""


class WantedSamples(msgspec.Struct, frozen=True):
    """The matches to play: numbers of seats in turn, and the same bot on all seats."""

    title: str
    bot: str
    matches: int
    seed: str


class Sample(msgspec.Struct, frozen=True):
    """A seat at the beginning of a stage: the parts of its evaluation, and its final margin.

    The margin is in hundredths of a point over the mean of the other seats.
    """

    match: int
    seats: int
    stage: int
    parts: tuple[int, ...]
    margin: int


def play(plan: WantedSamples, find_players: FindPlayers, number: int) -> tuple[Sample, ...]:
    """Play one match and return its samples: every seat at the beginning of every stage but the first.

    The same number gives the same match.
    """
    players = find_players()
    title, kind = players.titles[plan.title], players.bots[plan.bot]
    weights, rules = load_evaluations({title.name: title})[title.name], title.rules
    counts = [count for count in title.players if count > 1]
    seats = counts[number % len(counts)]
    key = table_of_bots(title, [kind.actor] * seats, {}, seeded_origins(f"{plan.seed}/{number}".encode())).match.key
    assert key is not None, "a table of bots starts by itself"
    chance, state, parts_by_stage, choices = SeededChance(key), None, list[tuple[int, Seat, tuple[int, ...]]](), 0
    state = position_after(rules.start(rules.options({}), seats, chance), state, rules.evolve)
    while to_act := rules.seats_to_act(state):
        seat, stage = to_act[0], weights.known_outline.stage(state)
        legal, choices = rules.legal_actions(state, seat), choices + 1
        action: Any = legal[0]
        if seat != SERVICE_SEAT:
            action = kind.choose(rules, rules.view(state, seat), legal, hkdf_expand(key, b"train/%d" % choices))
        state = position_after(rules.decide(state, seat, action, chance), state, rules.evolve)
        now = weights.known_outline.stage(state)
        if now != stage and rules.seats_to_act(state):
            parts_by_stage += [(now, Seat(each), weights.parts_of(state, Seat(each))) for each in range(seats)]
    scores = rules.scores(state)
    return tuple(
        Sample(number, seats, stage, parts, (seats * scores[seat] - sum(scores)) * POINT // (seats - 1))
        for stage, seat, parts in parts_by_stage
    )


def player(plan: WantedSamples, find_players: FindPlayers) -> Callable[[int], tuple[Sample, ...]]:
    """Return the function that a process applies to match numbers."""
    return partial(play, plan, find_players)


def play_all(
    plan: WantedSamples, *, processes: int, find_players: FindPlayers
) -> Iterator[tuple[int, tuple[Sample, ...] | WorkerDied]]:
    """Yield (number, samples) of every match in order of completion; `WorkerDied` if its process died.

    One process means this one.
    """
    numbers = range(plan.matches)
    if processes == 1:
        yield from enumerate(map(player(plan, find_players), numbers))
        return
    yield from in_processes(partial(player, plan, find_players), numbers, processes)
