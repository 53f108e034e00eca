"""`esporles rebuild`: read models dropped and made again from the log."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from ops.console import SUCCESS, WrongUsage, answer
from ops.progress import Steps, progress
from ops.stores import opened_matches, settings_for
from projections.catalogue import PROJECTIONS
from projections.rebuild import Progress, rebuild
from projections.store import ReadStore


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("projection", nargs="*", metavar="PROJECTION", help="default: all of them")
    parser.add_argument("--data", type=Path, help="the data folder (ESPORLES_DATA, var)")


def counting(step: Steps) -> Progress:
    """The position reached, as steps of a bar."""
    return lambda _name, position: step(position)


def run(arguments: Namespace) -> int:
    for name in arguments.projection:
        if name not in PROJECTIONS:
            raise WrongUsage(f"there is no projection {name!r}; there are {', '.join(sorted(PROJECTIONS))}")
    names = arguments.projection or sorted(PROJECTIONS)
    settings = settings_for(arguments.data)
    reached: dict[str, int] = {}
    with opened_matches(settings, to_write=False) as matches:
        reads = ReadStore(settings.reads_url)
        try:
            last = matches.recorder.max_notification_id() or 0
            for name in names:
                with progress(f"rebuilding {name}", last) as step:
                    reached[name] = rebuild(name, matches, reads, counting(step))
        finally:
            reads.close()
    text = "\n".join(f"{name:<8} rebuilt from {position} events" for name, position in reached.items())
    answer(arguments.json)({"rebuilt": reached}, text)
    return SUCCESS
