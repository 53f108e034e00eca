"""`esporles bench`: measure the budgets of the design, or run the laws."""

import os
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from typing import Final

from ops.computing.spread import add_workers_option, spread_of
from ops.console import NEGATIVE, SUCCESS, WrongUsage, result_writer
from ops.dev.bench import (
    analyses,
    archive,
    bodies,
    bots,
    commands,
    crowding,
    load,
    logs,
    notifications,
    openings,
    positions,
    rankings,
    ratings,
    rebuilding,
    rules,
    startup,
    streams,
    studies,
    talk,
    tournaments,
    transparency,
    verifying,
    writer,
)
from ops.dev.bench.figures import Section, machine, text
from ops.dev.computing import check_spread
from ops.dev.law_runs import LawRun, LawsWanted, run_laws, sum_up
from ops.players import find_players_of, players_of
from ops.progress import progress

SECTIONS: Final[Mapping[str, Callable[[], Section]]] = {
    "rules": rules.section,
    "bots": bots.section,
    "analysis": analyses.section,
    "logs": logs.section,
    "verify": verifying.section,
    "positions": positions.section,
    "service": load.section,
    "bodies": bodies.section,
    "streams": streams.section,
    "writer": writer.section,
    "commands": commands.section,
    "crowding": crowding.section,
    "tournaments": tournaments.section,
    "openings": openings.section,
    "ratings": ratings.section,
    "rankings": rankings.section,
    "archive": archive.section,
    "studies": studies.section,
    "notifications": notifications.section,
    "talk": talk.section,
    "transparency": transparency.section,
    "rebuild": rebuilding.section,
    "startup": startup.section,
}
MATCHES: Final = 2_000
"""Default number of matches of a law run."""
JOBS_MAX: Final = 64


def arguments(parser: ArgumentParser) -> None:
    """Add SECTIONs (all by default), `--postgres`, `--laws`, `--matches`, `--workers`, `--jobs` and laws' options."""
    parser.add_argument(
        "section", nargs="*", metavar="SECTION", help=f"sections to run (default: all): {', '.join(SECTIONS)}"
    )
    parser.add_argument(
        "--postgres",
        metavar="ADDRESS",
        default="",
        help="an empty PostgreSQL database: `commands` measures there too, and `service` creates and drops another"
        " database on the same server",
    )
    parser.add_argument("--laws", action="store_true", help="run the long property tests instead")
    parser.add_argument(
        "--matches", type=int, help="number of matches in the property tests, or in the log of the section `rebuild`"
    )
    parser.add_argument(
        "--all-laws-every",
        type=int,
        default=1,
        metavar="N",
        help="with --laws: check the expensive properties in one of N matches",
    )
    parser.add_argument(
        "--title", choices=sorted(players_of(parser).titles), help="with --laws: only this game (default: all)"
    )
    parser.add_argument("--seed", default="laws", help="with --laws: seed of the run")
    add_workers_option(parser, "with --laws: ")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="with --laws: number of processes")


def run(arguments: Namespace) -> int:
    """Measure the sections, or run the laws with `--laws`, and print the report; return 1 if a budget is missed.

    Raises `WrongUsage` for an unknown section, or options that do not fit.
    """
    if arguments.matches is not None and arguments.matches < 1:
        raise WrongUsage(f"invalid --matches {arguments.matches}: expected a number of at least 1")
    if arguments.workers and not arguments.laws:
        raise WrongUsage("--workers requires --laws")
    if arguments.laws:
        return report_laws(arguments)
    for name in arguments.section:
        if name not in SECTIONS:
            raise WrongUsage(f"unknown section {name!r}; choose from {', '.join(SECTIONS)}")
    names = arguments.section or list(SECTIONS)
    sections: list[Section] = []
    with progress("benchmarks", len(names)) as step:
        for count, name in enumerate(names, start=1):
            sections.append(measure_section(name, arguments))
            step(count)
    machine_text = machine()
    result_writer(arguments.json)({"machine": machine_text, "sections": sections}, text(machine_text, sections))
    missed_figures = [figure for section in sections for figure in section.figures if figure.is_met is False]
    return NEGATIVE if missed_figures else SUCCESS


def measure_section(name: str, arguments: Namespace) -> Section:
    """Measure a section, with the database or the number of matches if it takes them."""
    if name == "commands":
        return commands.section(arguments.postgres)
    if name == "service":
        return load.section(arguments.postgres)
    if name == "rebuild" and arguments.matches:
        return rebuilding.section(arguments.matches)
    return SECTIONS[name]()


def report_laws(arguments: Namespace) -> int:
    """Run the laws of one title or of all, and print a report; return `NEGATIVE` if a law is broken.

    Raises `WrongUsage` for numbers out of bounds.
    """
    matches = arguments.matches or MATCHES
    if not 1 <= arguments.jobs <= JOBS_MAX:
        raise WrongUsage(f"invalid --jobs {arguments.jobs}: expected a number from 1 to {JOBS_MAX}")
    if arguments.all_laws_every < 1:
        raise WrongUsage(f"invalid --all-laws-every {arguments.all_laws_every}: expected a number of at least 1")
    runs, spread = list[LawRun](), spread_of(is_wanted=arguments.workers)
    started = time.perf_counter()
    for title in [arguments.title] if arguments.title else sorted(players_of(arguments).titles):
        with progress(f"laws of {title}: matches", matches) as step:
            if spread is not None:
                plan = LawsWanted(title, arguments.seed, arguments.all_laws_every)
                runs.append(sum_up(plan, matches, check_spread(spread, plan, matches), step))
                continue
            runs.append(
                run_laws(
                    title,
                    matches,
                    processes=arguments.jobs,
                    seed=arguments.seed,
                    all_laws_every=arguments.all_laws_every,
                    on_match=step,
                    find_players=find_players_of(arguments),
                )
            )
    elapsed = time.perf_counter() - started
    lines = []
    for run in runs:
        lines.append(
            f"{run.title}: {run.matches:,} random matches, {run.nodes:,} nodes, "
            f"all laws in {run.thorough:,} matches, {run.entries_audited:,} entries audited, {len(run.broken)} broken"
        )
        lines += [f"  {sentence}" for sentence in run.broken]
    lines.append(f"{elapsed:,.0f} s on {machine()}")
    result_writer(arguments.json)({"runs": runs, "seconds": elapsed}, "\n".join(lines))
    return NEGATIVE if any(run.broken for run in runs) else SUCCESS
