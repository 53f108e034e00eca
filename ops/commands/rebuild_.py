"""`esporles rebuild`: read models dropped and made again from the log; what the house did not sign like that is passed
over, and said."""

from argparse import ArgumentParser, Namespace
from contextlib import closing
from uuid import UUID

from domain.matches.application import Matches
from domain.matches.errors import Tampered
from ops.console import NEGATIVE, SUCCESS, WrongUsage, answer, take_data
from ops.players import players_of
from ops.progress import Steps, progress
from ops.stores import opened_matches, read_settings
from projections.catalogue import PROJECTIONS
from projections.leaves import TreeLeaves
from projections.rebuild import Progress, rebuild
from projections.settings import Settings
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
    reached, passed_over = dict[str, int](), dict[UUID, str]()
    with opened_matches(settings, players_of(arguments).titles, to_write=False) as matches:
        reads = ReadStore(settings.reads_url)
        try:
            last = matches.recorder.max_notification_id() or 0
            for name in names:
                with progress(f"rebuilding {name}", last) as step:
                    rebuilt = rebuild(name, matches, reads, counting(step))
                reached[name] = rebuilt.position
                passed_over |= rebuilt.passed_over
            passed_over |= vanished(settings, matches)
        finally:
            reads.close()
    lines = [f"{name:<8} rebuilt from {position} events" for name, position in reached.items()]
    lines += [f"PASSED OVER: {why}" for why in passed_over.values()]
    document = {
        "rebuilt": reached,
        "passedOver": [{"stream": stream, "why": why} for stream, why in passed_over.items()],
    }
    answer(arguments.json)(document, "\n".join(lines))
    return NEGATIVE if passed_over else SUCCESS


def vanished(settings: Settings, matches: Matches) -> dict[UUID, str]:
    """The streams that the tree knows and of which nothing is left for a read model to come upon."""
    with closing(TreeLeaves(settings.tree_path)) as leaves:
        gone = [stream for stream in leaves.streams() if not matches.recorder.select_events(stream, limit=1)]
    return {stream: str(Tampered(stream, None, "nothing is left of it")) for stream in gone}
