"""`esporles rebuild`: read models dropped and made again from the log."""

from argparse import ArgumentParser, Namespace

from ops.console import SUCCESS, WrongUsage, answer, take_data
from ops.players import players_of
from ops.progress import Steps, progress
from ops.stores import opened_matches, read_settings
from projections.catalogue import PROJECTIONS
from projections.rebuild import Progress, rebuild
from projections.store import ReadStore


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("projection", nargs="*", metavar="PROJECTION", help="default: all of them")
    take_data(parser)


def counting(step: Steps) -> Progress:
    """The position reached, as steps of a bar."""
    return lambda _name, position: step(position)


def run(arguments: Namespace) -> int:
    for name in arguments.projection:
        if name not in PROJECTIONS:
            raise WrongUsage(f"there is no projection {name!r}; there are {', '.join(sorted(PROJECTIONS))}")
    names = arguments.projection or sorted(PROJECTIONS)
    settings = read_settings(arguments)
    reached: dict[str, int] = {}
    with opened_matches(settings, players_of(arguments).titles, to_write=False) as matches:
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
