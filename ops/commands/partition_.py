"""`esporles partition`: partition the log in PostgreSQL by hash of the match."""

from argparse import ArgumentParser, Namespace

from domain.eventstore.postgres_recorder import FailFastPostgresRecorder
from ops.console import SUCCESS, Finding, WrongUsage, add_data_option, result_writer
from ops.players import players_of
from ops.service_client import find_address
from ops.stores import open_matches, read_settings
from projections.platform.setting_values import PARTITIONS_MAX


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("number", type=int, metavar="NUMBER", help=f"number of partitions, 1 to {PARTITIONS_MAX}")
    add_data_option(parser)


def run(arguments: Namespace) -> int:
    """Divide the log in PostgreSQL into NUMBER parts, print the parts before and after, and return `SUCCESS`.

    Raises `WrongUsage` for a number out of bounds or a log in a file, `Finding` while the service runs.
    """
    settings, number = read_settings(arguments), arguments.number
    if not 1 <= number <= PARTITIONS_MAX:
        raise WrongUsage(f"invalid NUMBER {number}: expected 1 to {PARTITIONS_MAX}")
    if settings.log_file is not None:
        raise WrongUsage(f"the log is in the file {settings.log_file}; only a log in PostgreSQL can be partitioned")
    if find_address(settings.data) is not None:
        raise Finding("the service is running; stop it on all hosts first")
    with open_matches(settings, players_of(arguments).titles, to_write=True) as matches:
        assert isinstance(matches.log.recorder, FailFastPostgresRecorder)
        old_count = matches.log.recorder.partitions()
        result = matches.log.recorder.repartition(number)
    text = f"log: {result.rows:,} rows in {result.partitions:,} partitions, identical to the {old_count:,} before"
    result_writer(arguments.json)({"partitions": result.partitions, "before": old_count, "rows": result.rows}, text)
    return SUCCESS
