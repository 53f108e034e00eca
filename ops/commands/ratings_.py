"""`esporles ratings`: print ranking lists, recompute ratings from results, and back-test rating models."""

from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from api.accounts.people import People
from domain.kernel.values import replace
from domain.matches.facts import is_bot
from domain.ratings.backtest import BacktestReport, backtest, without_rules
from domain.ratings.ladder import Pool, RankingLine, Rated, RatedResult, month_of, period_of
from domain.ratings.models import BASE, MODELS, model_of
from domain.ratings.recount import ladders_of
from ops.accounts import open_people
from ops.console import NEGATIVE, SUCCESS, Finding, WrongUsage, add_data_option, result_writer, table
from ops.players import players_of
from ops.progress import progress
from ops.ratings import results_in
from ops.stores import read_settings
from projections.catalogue import prepare
from projections.platform.store import ReadStore
from projections.ratings import ladders as rating_ladders
from projections.ratings import rankings

SEATS_MIN: Final = 2
SEATS_MAX: Final = 5
NAMED_MAX: Final = 10
"""Largest number of players listed if stored ratings differ."""


def arguments(parser: ArgumentParser) -> None:
    """Add `--data` and the subcommands `list`, `recompute` and `backtest` with their options, each with `--json`."""
    add_data_option(parser)
    commands = parser.add_subparsers(dest="does", required=True, metavar="list|recompute|backtest")
    list_command = commands.add_parser("list", help="print the leaderboards")
    list_command.add_argument("--title", choices=sorted(players_of(parser).titles), help="only this game")
    list_command.add_argument("--seats", type=int, help="only tables with this number of seats")
    list_command.add_argument("--month", default="", help="as of the end of a month, such as 2026-11 (default: today)")
    recompute = commands.add_parser(
        "recompute", help="recompute all ratings from the stored results, and compare every digit"
    )
    recompute.add_argument("--write", action="store_true", help="replace the stored ratings")
    testing = commands.add_parser(
        "backtest", help="measure how well the models predict results that they have not seen"
    )
    testing.add_argument(
        "path", nargs="*", type=Path, help="logs, folders of logs, or files of results (default: the stored results)"
    )
    testing.add_argument(
        "--model", action="append", choices=sorted(MODELS), help="a model to test; may be repeated (default: all)"
    )
    for command in (list_command, recompute, testing):
        add_data_option(command, default=SUPPRESS)
        command.add_argument("--json", action="store_true", default=SUPPRESS, help="print one JSON document to stdout")


def run(arguments: Namespace) -> int:
    """Run the command; return its exit status."""
    return {"list": report_lists, "recompute": report_recount, "backtest": report_backtest}[arguments.does](arguments)


def open_reads(arguments: Namespace) -> ReadStore:
    """Open the read models and create missing tables; the caller closes the store."""
    store = ReadStore(read_settings(arguments).reads_url)
    prepare(store)
    return store


class RatingLine(msgspec.Struct, frozen=True, rename="camel"):
    """A line of a ranking list in JSON."""

    place: int | None
    player: str
    name: str
    points: int
    mean: float
    deviation: float
    matches: int
    wins: int
    provisional: bool
    inactive: bool


class RankingList(msgspec.Struct, frozen=True, rename="camel"):
    """A ranking list in JSON."""

    title: str
    seats: int
    month: str
    people: tuple[RatingLine, ...]
    bots: tuple[RatingLine, ...]


def parse_period(month: str) -> int:
    """Parse a month like 2026-11 into its rating period; an empty one is the current month.

    Raises `WrongUsage` for another form.
    """
    if not month:
        return period_of(datetime.now(UTC))
    try:
        return period_of(datetime.strptime(month, "%Y-%m").replace(tzinfo=UTC))
    except ValueError as error:
        raise WrongUsage(f"invalid --month {month!r}: expected a month such as 2026-11") from error


def report_lists(arguments: Namespace) -> int:
    """Print the ranking lists of the wanted title and table size, and the number of unrated results.

    Returns `SUCCESS`. With `--month` they are as of its end, else current. Raises `WrongUsage` for a table size or
    month that does not exist.
    """
    if arguments.seats is not None and not SEATS_MIN <= arguments.seats <= SEATS_MAX:
        raise WrongUsage(f"invalid --seats {arguments.seats}: expected {SEATS_MIN} to {SEATS_MAX}")
    period, store = parse_period(arguments.month), open_reads(arguments)
    with closing(store), open_people(read_settings(arguments)) as people:
        pools = [pool for pool in rankings.pools(store) if is_wanted(pool, arguments)]
        list_pool = rankings.list_at if arguments.month else rankings.list_now
        lists = [ranking_list(pool, period, list_pool(store, pool, period), people) for pool in pools]
        pending = rankings.pending(store)
    text = "\n\n".join(map(list_text, lists)) or "no rated players yet"
    if pending:
        text += f"\n\n{pending} results are not rated yet; the follower of the service will rate them"
    result_writer(arguments.json)({"lists": lists, "pending": pending}, text)
    return SUCCESS


def is_wanted(pool: Pool, arguments: Namespace) -> bool:
    """Return whether the options select the pool."""
    return arguments.title in (None, pool.title) and arguments.seats in (None, pool.seats)


def ranking_list(pool: Pool, period: int, lines: Sequence[RankingLine], people: People) -> RankingList:
    """Build a ranking list with people's names, their ids where unknown; people and bots are separate."""
    persons = [line.rated.player for line in lines if not line.rated.is_bot]
    names = people.names(persons)
    rating_lines = [listed_line(line, names.get(line.rated.player, line.rated.player), period) for line in lines]
    return RankingList(
        pool.title,
        pool.seats,
        month_of(period),
        tuple(line for line in rating_lines if not is_bot(line.player)),
        tuple(line for line in rating_lines if is_bot(line.player)),
    )


def listed_line(line: RankingLine, name: str, period: int) -> RatingLine:
    """Build a line of a ranking list."""
    rated = line.rated
    skill = rated.skill
    return RatingLine(
        line.place,
        rated.player,
        name,
        line.points,
        skill.mean,
        skill.deviation,
        rated.matches,
        rated.wins,
        rated.is_provisional(),
        rated.is_inactive(period),
    )


def list_text(ranking: RankingList) -> str:
    """Format a ranking list as a table, people before bots, with notes for provisional and inactive players."""
    rows = [("", "player", "points", "mean", "deviation", "matches", "wins", "")]
    for line in (*ranking.people, *ranking.bots):
        notes = [
            note for note, is_shown in (("provisional", line.provisional), ("inactive", line.inactive)) if is_shown
        ]
        numbers = (str(line.points), f"{line.mean:.2f}", f"{line.deviation:.2f}", str(line.matches), str(line.wins))
        rows.append((str(line.place or "-"), line.name, *numbers, ", ".join(notes)))
    return (
        f"{ranking.title}, {ranking.seats} seats, {ranking.month}\n{table(rows, right=frozenset({0, 2, 3, 4, 5, 6}))}"
    )


def report_recount(arguments: Namespace) -> int:
    """Rate all results again and print the players whose stored ratings differ; return `NEGATIVE` if there are any.

    Pending results are rated and stored first. With `--write` differing ratings are replaced, still `NEGATIVE`. At most
    `NAMED_MAX` players are named in text.
    """
    store = open_reads(arguments)
    try:
        if unrated := rankings.pending(store):
            rate_pending(store, unrated)
        results = rankings.results(store)
        with progress("recomputing ratings", len(results)) as step:
            ladders = ladders_of(model_of(BASE), results, step)
        differing = differences(store, {pool: ladder.rated for pool, ladder in ladders.items()})
        if differing and arguments.write:
            with store.transaction() as transaction:
                for pool in rankings.pools(store):
                    rating_ladders.reset_pool(transaction, pool)
            rate_pending(store, len(results))
    finally:
        store.close()
    document = {
        "results": len(results),
        "model": BASE,
        "differences": differing,
        "written": bool(differing and arguments.write),
    }
    summary = "all ratings are identical" if not differing else f"{len(differing)} ratings differ:"
    named = [f"  {name}" for name in differing[:NAMED_MAX]]
    result_writer(arguments.json)(
        document, "\n".join([f"{len(results):,} results recomputed with {BASE}: {summary}", *named])
    )
    return NEGATIVE if differing else SUCCESS


def rate_pending(store: ReadStore, total: int) -> None:
    """Rate pending results as the follower does, in one transaction after the other, until none is left."""
    with progress("rating new results", total) as step:
        while True:
            with store.transaction() as transaction:
                if not rating_ladders.do_deferred_work(transaction):
                    return
            step(total - rankings.pending(store))


def differences(store: ReadStore, recomputed_by_pool: dict[Pool, dict[str, Rated]]) -> list[str]:
    """Return the players whose stored and recomputed ratings differ, as "title at tables of N: player", sorted.

    Players with only one of the two ratings are included.
    """
    lines = []
    for pool in sorted({*recomputed_by_pool, *rankings.pools(store)}):
        stored = {rated.player: rated for rated in rankings.players(store, pool)}
        recomputed = recomputed_by_pool.get(pool, {})
        differing = sorted(player for player in {*stored, *recomputed} if stored.get(player) != recomputed.get(player))
        lines += [f"{pool.title}, {pool.seats} seats: {player}" for player in differing]
    return lines


def report_backtest(arguments: Namespace) -> int:
    """Print how well the models of `--model`, by default all, predict results; return `SUCCESS`.

    If the rules of fair play apply to a result, the first model is also tested with all results counted in full. Raises
    `Finding` without results or for an unreadable file, `WrongUsage` for a missing one.
    """
    results = read_results(arguments)
    if not results:
        raise Finding("no results to test on")
    names = arguments.model or list(MODELS)
    reports = []
    for name in names:
        with progress(f"testing {name}", len(results)) as step:
            reports.append(backtest(model_of(name), results, step))
    if any(result.fair for result in results):
        with progress(f"testing {names[0]}, all results in full", len(results)) as step:
            report = backtest(model_of(names[0]), without_rules(results), step)
        reports.append(replace(report, model=f"{names[0]}, in full"))
    result_writer(arguments.json)({"results": len(results), "base": BASE, "reports": reports}, backtest_text(reports))
    return SUCCESS


def read_results(arguments: Namespace) -> Sequence[RatedResult]:
    """Return the results of the given files and folders, or the stored ones if no path is given.

    Raises `WrongUsage` for a missing path, `Finding` for a file that cannot be read.
    """
    if arguments.path:
        with progress("reading files") as step:
            return results_in(players_of(arguments).titles, arguments.path, step)
    store = open_reads(arguments)
    try:
        return rankings.results(store)
    finally:
        store.close()


def backtest_text(reports: Sequence[BacktestReport]) -> str:
    """Format the models side by side, lower is better, and the calibration of the first."""
    rows: list[tuple[str, ...]] = [("model", "winner log-loss", "pair log-loss", "pair Brier", "calibration error")]
    for report in reports:
        figures = (report.winner_log_loss, report.pair_log_loss, report.pair_brier, report.calibration_error)
        rows.append((report.model, *(f"{figure:.4f}" for figure in figures)))
    first = reports[0]
    bands = [("favourite's chance", "pairs", "expected", "observed")]
    for band in first.bands:
        shares = (f"{band.pairs:,}", f"{band.expected:.1%}", f"{band.observed:.1%}")
        bands.append((f"{band.low:.0%} to {band.high:.0%}", *shares))
    right_columns = frozenset({1, 2, 3, 4})
    head = f"{first.matches:,} matches, {first.pairs:,} pairs; each predicted before it was known (lower is better)"
    calibration = f"calibration of {first.model}\n{table(bands, right=right_columns - {4})}"
    return f"{head}\n{table(rows, right=right_columns)}\n\n{calibration}"
