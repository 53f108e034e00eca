"""Results for the rating commands, from read models, LOG files or files of results."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from domain.kernel.title import Titles
from domain.matches.apply import fold
from domain.matches.errors import MatchError
from domain.matches.verification.verify import BROKEN
from domain.ratings.ladder import RatedResult, is_rateable
from ops.console import Finding, WrongUsage
from ops.matches import load

LINE = msgspec.json.Decoder(RatedResult)


def result_of_log(titles: Titles, path: Path) -> RatedResult | None:
    """Return the result of a LOG, or None if the match has not ended or cannot be rated.

    The log is not verified. Empty seats are left out. Raises `WrongUsage` or `Finding` if the file cannot be read, and
    `Finding` if no match can be replayed from it.
    """
    log = load(path)
    try:
        match = fold(titles, log.entries)
    except MatchError as fault:
        raise Finding(f"{path}: {fault}") from fault
    except BROKEN as error:
        raise Finding(f"{path}: cannot be replayed ({type(error).__name__}: {error})") from error
    if match.result is None or match.status != "ended":
        return None
    seated = [(info.actor, rank) for info, rank in zip(match.seats, match.result.ranking, strict=True) if info.actor]
    result = RatedResult(
        match_id=match.id,
        title=match.title,
        ended_at=match.timestamp,
        players=tuple(actor for actor, _ in seated),
        places=tuple(rank for _, rank in seated),
    )
    return result if is_rateable(result) else None


def results_of_file(path: Path) -> list[RatedResult]:
    """Read a file of results: one JSON object per line with `matchId`, `title`, `endedAt`, `players`, `places`.

    Blank lines are skipped. Raises `Finding` for an invalid line.
    """
    results = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        if line.strip():
            results.append(check_line(path, number, line))
    return results


def check_line(path: Path, number: int, line: bytes) -> RatedResult:
    """Parse a line; raise `Finding` unless it has two or more players, a fitting place for each, and a time zone."""
    try:
        result = LINE.decode(line)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise Finding(f"{path}, line {number}: {error}") from error
    if len(result.players) != len(result.places) or len(result.players) < 2:
        raise Finding(f"{path}, line {number}: {len(result.players)} players, but {len(result.places)} places")
    if any(place != 1 + sum(other_place < place for other_place in result.places) for place in result.places):
        raise Finding(f"{path}, line {number}: invalid places {', '.join(map(str, result.places))}")
    if result.ended_at.tzinfo is None:
        raise Finding(f"{path}, line {number}: the end time has no time zone")
    return result


def results_in(titles: Titles, paths: Sequence[Path], step: Callable[[int], Any]) -> list[RatedResult]:
    """Return all results of folders of LOGs, LOGs and files of results.

    A match found again replaces the earlier one. Only `*.jsonl` of a folder is read. Raises `WrongUsage` if a path does
    not exist, `Finding` for a file that cannot be read. `step` gets the files done.
    """
    files: list[Path] = []
    for path in paths:
        if not path.exists():
            raise WrongUsage(f"no such file or folder: {path}")
        files += sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    results_by_match: dict[Any, RatedResult] = {}
    for count, file in enumerate(files, 1):
        results = results_of_file(file) if is_results(file) else [result_of_log(titles, file)]
        results_by_match.update((result.match_id, result) for result in results if result is not None)
        step(count)
    return list(results_by_match.values())


def is_results(path: Path) -> bool:
    """Return whether a file contains results: a LOG starts with a header that names its format."""
    with path.open("rb") as lines:
        first = lines.readline()
    return b'"players"' in first and b'"format"' not in first
