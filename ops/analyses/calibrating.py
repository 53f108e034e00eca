"""Calibration of the relation between values, margins and winning chances from matches of bots.

`python -m ops.analyses.calibrating TITLE` writes `workers/analyses/TITLE_chances.json`; the result is reproducible.
"""

import math
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec

from domain.kernel.chance import SeededChance, hkdf_expand
from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.kernel.settle import position_after
from domain.matches.play.in_memory import seeded_origins, table_of_bots
from domain.titles import TITLES
from ops.processes import WorkerDied, in_processes
from workers.analyses import chances
from workers.analyses.chances import THOUSAND, Scale, Scales, margins_of
from workers.bots import BOTS
from workers.bots.evaluation import load_evaluations

MATCHES: Final = 6
"""Matches per number of seats; all together determine the certainty of a lead by stage."""
BOT: Final = "greedy"
SPREADS: Final = tuple(range(100, 8_001, 50))
NEAR: Final = 1
PROCESSES: Final = 2


class Stage(msgspec.Struct, frozen=True):
    """The start of a stage in a match: values of all seats, and the final result."""

    seats: int
    stage: int
    worths: tuple[int, ...]
    scores: tuple[int, ...]
    ranking: tuple[int, ...]


def play(name: str, job: tuple[int, int]) -> tuple[Stage, ...]:
    """Play a match of equal bots and return its stages, in order; `job` is (number of seats, the match's number).

    Each has the seats' values when it begins, and the match's final scores and ranking. The first stage and one at the
    match's end are left out. The match is reproducible.
    """
    seats, number = job
    title, kind = TITLES[name], BOTS[BOT]
    weights, rules = load_evaluations({name: title})[name], title.rules
    seed = f"chances/{number}".encode()
    key = table_of_bots(title, [kind.actor] * seats, {}, seeded_origins(seed)).match.key
    assert key is not None, "a table of bots starts by itself"
    chance, worths_by_stage, choices = SeededChance(key), list[tuple[int, tuple[int, ...]]](), 0
    state: Any = position_after(rules.start(rules.options({}), seats, chance), None, rules.evolve)
    while to_act := rules.seats_to_act(state):
        seat, stage, choices = to_act[0], weights.known_outline.stage(state), choices + 1
        legal = rules.legal_actions(state, seat)
        action = legal[0]
        if seat != SERVICE_SEAT:
            action = kind.choose(rules, rules.view(state, seat), legal, hkdf_expand(key, b"chances/%d" % choices))
        state = position_after(rules.decide(state, seat, action, chance), state, rules.evolve)
        now = weights.known_outline.stage(state)
        if now != stage and rules.seats_to_act(state):
            worths_by_stage.append((now, tuple(weights.worth(state, Seat(each)) for each in range(seats))))
    ranking = rules.ranking(state)
    assert ranking is not None, "the match is over"
    return tuple(Stage(seats, now, worths, rules.scores(state), ranking) for now, worths in worths_by_stage)


def player(name: str) -> Callable[[tuple[int, int]], tuple[Stage, ...]]:
    """Return the function that a process runs."""
    return partial(play, name)


def fit(stages: Sequence[Stage]) -> Scale:
    """Fit a slope by least squares and a spread, one of `SPREADS`, by maximum likelihood.

    The slope, in thousandths, leads from margins of values to final margins in hundredths of a point.
    """
    square = product = 0
    for each in stages:
        final = margins_of([100 * score for score in each.scores])
        for estimate, margin in zip(margins_of(each.worths), final, strict=True):
            square, product = square + estimate * estimate, product + estimate * margin
    return Scale(THOUSAND * product // max(1, square), max(SPREADS, key=lambda spread: likelihood(stages, spread)))


def around(stages: Sequence[Stage], stage: int) -> list[Stage]:
    """Return the stages near `stage` for any number of seats, because a few matches alone are too noisy."""
    return [each for each in stages if abs(each.stage - stage) <= NEAR]


def likelihood(stages: Sequence[Stage], spread: int) -> float:
    """Return the log-likelihood of the winners if chances are a softmax of values over `spread`.

    Shared wins count in part.
    """
    total = 0.0
    for each in stages:
        highest = max(each.worths)
        total_weight = sum(math.exp((estimate - highest) / spread) for estimate in each.worths)
        winner_count = each.ranking.count(1)
        for estimate, rank in zip(each.worths, each.ranking, strict=True):
            if rank == 1:
                total += ((estimate - highest) / spread - math.log(total_weight)) / winner_count
    return total


def main(name: str) -> None:
    """Calibrate a title by matches in `PROCESSES` processes, and write its file; exit without one if a process dies.

    Matches have two seats or more. The scale of a stage is fitted again for each number of seats and stage.
    """
    counts = [count for count in TITLES[name].players if count > 1]
    jobs = [(seats, number) for seats in counts for number in range(MATCHES)]
    all_stages = list[Stage]()
    for _, stages in in_processes(partial(player, name), jobs, PROCESSES):
        if isinstance(stages, WorkerDied):
            sys.exit(str(stages))
        all_stages += stages
    fitted_scales = {stage: fit(around(all_stages, stage)) for stage in sorted({each.stage for each in all_stages})}
    scales = {f"{seats}/{stage}": scale for seats in counts for stage, scale in fitted_scales.items()}
    provenance = {
        "command": f"python -m ops.analyses.calibrating {name}",
        "bot": BOTS[BOT].actor,
        "rules": str(TITLES[name].rules.RULES_VERSION),
        "matches for each number of seats": str(MATCHES),
    }
    file = Path(chances.__file__).with_name(f"{name}_chances.json")
    file.write_bytes(msgspec.json.format(msgspec.json.encode(Scales(name, scales, provenance)), indent=1) + b"\n")


if __name__ == "__main__":
    main(sys.argv[1])
