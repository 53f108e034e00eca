"""`esporles rebuild`: rebuild read models from the log, reporting tampered streams, which are skipped."""

import os
from argparse import ArgumentParser, Namespace
from contextlib import closing
from uuid import UUID

from domain.eventstore.application import Matches
from domain.matches.errors import Tampered
from ops.console import NEGATIVE, SUCCESS, Finding, WrongUsage, add_data_option, result_writer
from ops.players import find_players_of
from ops.processes import processes_asked
from ops.progress import progress
from ops.rebuilding import fold_with
from ops.stores import open_matches, read_settings
from projections.catalogue import PROJECTIONS
from projections.leaves import TreeLeaves
from projections.platform.settings import Settings
from projections.platform.store import ReadStore
from projections.rebuild import RebuildSuperseded, rebuild


def arguments(parser: ArgumentParser) -> None:
    """Add any number of PROJECTIONs, `--jobs` (one per core by default) and `--data`."""
    parser.add_argument("projection", nargs="*", metavar="PROJECTION", help="a projection to rebuild (default: all)")
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        help="number of processes that replay the log (default: one per core)",
    )
    add_data_option(parser)


def run(arguments: Namespace) -> int:
    """Rebuild the named projections, by default all, from the log and print their positions and streams passed over.

    Returns `NEGATIVE` if streams were passed over or have vanished. Raises `WrongUsage` for an unknown projection,
    `Finding` without a log or if another rebuild begins.
    """
    for name in arguments.projection:
        if name not in PROJECTIONS:
            raise WrongUsage(f"unknown projection {name!r}; choose from {', '.join(sorted(PROJECTIONS))}")
    names, jobs = arguments.projection or sorted(PROJECTIONS), processes_asked(arguments.jobs)
    settings, find_players = read_settings(arguments), find_players_of(arguments)
    with open_matches(settings, find_players().titles, to_write=False) as matches:
        read_store = ReadStore(settings.reads_url)
        try:
            last = matches.last_position()
            fold_all = fold_with(getattr(arguments, "data", None), find_players, jobs, last)
            with progress("rebuilding: entries", last) as step:
                rebuilt = rebuild(names, matches, read_store, step, fold_all=fold_all, folder=settings.data)
            skipped = {**rebuilt.passed_over, **find_vanished_streams(settings, matches)}
        except RebuildSuperseded as superseded:
            raise Finding(str(superseded)) from superseded
        finally:
            read_store.close()
    lines = [f"{name:<8} rebuilt from {rebuilt.position} events" for name in names]
    lines += [f"SKIPPED  {why}" for why in skipped.values()]
    document = {
        "rebuilt": dict.fromkeys(names, rebuilt.position),
        "passedOver": [{"stream": stream, "why": why} for stream, why in skipped.items()],
    }
    result_writer(arguments.json)(document, "\n".join(lines))
    return NEGATIVE if skipped else SUCCESS


def find_vanished_streams(settings: Settings, matches: Matches) -> dict[UUID, str]:
    """Return the streams in the transparency tree without any entry in the log, each with the fault in words."""
    with closing(TreeLeaves(settings.tree_place)) as leaves:
        vanished = [stream for stream in leaves.streams() if not matches.log.recorder.select_events(stream, limit=1)]
    return {stream: str(Tampered(stream, None, "its entries are missing")) for stream in vanished}
