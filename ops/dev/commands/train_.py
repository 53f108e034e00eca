"""`esporles train`: learn the weights of an evaluation from bot matches."""

import os
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

import msgspec

from ops.console import SUCCESS, Finding, WrongUsage, result_writer
from ops.dev.training.fitting import fit
from ops.dev.training.samples import Sample, WantedSamples, play_all
from ops.matches import actor_of, writable, writing
from ops.players import find_players_of, players_of
from ops.processes import WorkerDied, processes_asked
from ops.progress import progress
from workers.bots.evaluation import Judgement, load_evaluations

MATCHES: Final = 600


def arguments(parser: ArgumentParser) -> None:
    """Add `--title`, required and with an evaluation, `--matches`, `--bot`, `--seed`, `--jobs` and `--out`."""
    titles = load_evaluations(players_of(parser).titles)
    trainable = sorted(name for name, weights in titles.items() if weights.outline is not None)
    parser.add_argument("--title", required=True, choices=trainable, help="the game")
    parser.add_argument(
        "--matches", type=int, default=MATCHES, help=f"number of matches to learn from (default: {MATCHES})"
    )
    parser.add_argument("--bot", default="greedy", help="the bot that plays them (default: greedy)")
    parser.add_argument("--seed", default="train", help="any word; the same seed gives the same weights")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="number of processes (default: one per core)"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="the file to write the weights to")


def run(arguments: Namespace) -> int:
    """Play matches, fit the weights, print the evaluation's provenance and write it to `--out` if given.

    Returns `SUCCESS`; raises `WrongUsage` for parameters that do not fit, `Finding` if a process dies.
    """
    plan, processes, out = parse_parameters(arguments), processes_asked(arguments.jobs), writable(arguments.out)
    started, samples = time.monotonic(), list[Sample]()
    with progress(f"training of {plan.title}: matches", plan.matches) as step:
        results = play_all(plan, processes=processes, find_players=find_players_of(arguments))
        for count, (number, match_samples) in enumerate(results, start=1):
            if isinstance(match_samples, WorkerDied):
                raise Finding(f"cannot play match {number}: {match_samples}")
            samples += match_samples
            step(count)
    players, fitted = players_of(arguments), fit(samples)
    weights = load_evaluations(players.titles)[plan.title]
    provenance = {
        "command": f"esporles train --title {plan.title} --matches {plan.matches} --bot {plan.bot} --seed {plan.seed}",
        "bot": players.bots[plan.bot].actor,
        "rules": str(players.titles[plan.title].rules.RULES_VERSION),
        "samples": str(len(samples)),
        "error before": f"{fitted.before:.2f} points",
        "error after": f"{fitted.after:.2f} points",
    }
    judgement = Judgement(plan.title, weights.names, fitted.weights, provenance)
    if out is not None:
        with writing(out):
            out.write_bytes(msgspec.json.format(msgspec.json.encode(judgement), indent=1) + b"\n")
    lines = [f"{name:<13} {value}" for name, value in provenance.items()]
    result_writer(arguments.json)(
        judgement, "\n".join([*lines, f"{'minutes':<13} {(time.monotonic() - started) / 60:.1f}"])
    )
    return SUCCESS


def parse_parameters(arguments: Namespace) -> WantedSamples:
    """Return the parameters; raise `WrongUsage` for an unknown or unfit bot or fewer than two matches."""
    players = players_of(arguments)
    actor_of(players.bots, arguments.bot)
    if not players.bots[arguments.bot].can_play(arguments.title):
        raise WrongUsage(f"the bot {arguments.bot!r} cannot play {arguments.title}")
    if arguments.matches < 2:
        raise WrongUsage(f"invalid --matches {arguments.matches}: expected a number of at least 2")
    return WantedSamples(arguments.title, arguments.bot, arguments.matches, arguments.seed)
