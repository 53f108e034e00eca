"""The proof file of a tournament: its records, results stated by the service, and its matches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from tempfile import SpooledTemporaryFile
from typing import IO, Final
from uuid import UUID

from api.http.guards import Caller
from api.matches.service import MatchService
from api.tournaments.service import TournamentService
from api.transparency.errors import NotCovered
from api.transparency.proofs import Prover, match_proof
from api.transparency.service import TransparencyService
from domain.matches.log.log_files import parse_log
from domain.matches.log.records import Record
from domain.matches.rulings.outcome import Outcome
from domain.proofs.event_file import ClaimedResults, RatingsMoved, event_bytes
from domain.proofs.recount import rated_results
from domain.ratings.ladder import RatedResult
from domain.standings.ranking import standings
from domain.tournaments.commands import TournamentStream
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.state import Tournament
from projections.matches import outcomes
from projections.matches.results import count_results
from projections.platform.store import ReadStore
from projections.ratings import rankings

HELD_MAX: Final = 4 * 1024 * 1024
"""Bytes of a file held in memory; larger files are spooled to disk."""
CHUNK: Final = 256 * 1024


def require_over(event: TournamentStream) -> TournamentStream:
    """Return the tournament; raise `TournamentRefused` unless it has ended."""
    if event.state.status != "ended":
        raise TournamentRefused(f"the event {event.state.plan.name!r} has not ended yet")
    return event


def lines_of(event: Tournament, found: Sequence[Outcome]) -> tuple[UUID, ...]:
    """Return the official lines of all matches at its tables that have an outcome, in order of rounds and tables."""
    lines = {outcome.match_id: outcome.line_id for outcome in found}
    tables = (table.match for round_ in event.played_rounds for table in round_.tables)
    return tuple(lines[match] for match in tables if match is not None and match in lines)


def load_stated_results(reads: ReadStore, event: Tournament) -> tuple[ClaimedResults, tuple[UUID, ...]]:
    """Return the results that the service states, and the lines of the matches.

    Raise `NotCovered` while ratings are not computed yet.
    """
    found = outcomes.of_tournament(reads, str(event.id))
    rules = rankings.rules_in(reads)
    changes = tuple(load_rating_changes(reads, result) for result in rated_results(found, rules))
    claims = ClaimedResults(
        standings=standings(event, count_results(found)),
        fair_since=rules.fair_since,
        revised_since=rules.revised_since,
        ratings=changes,
    )
    return claims, lines_of(event, found)


def load_rating_changes(reads: ReadStore, result: RatedResult) -> RatingsMoved:
    """Return the rating changes of a result; raise `NotCovered` if they are not computed yet."""
    after = rankings.ratings_after(reads, result)
    if len(after) < len(set(result.affected_players)):
        raise NotCovered(f"the match {result.match_id} is not rated yet")
    return RatingsMoved(result.match_id, rankings.ratings_before(reads, result), after)


def add_match(file: IO[bytes], prover: Prover, log: bytes, roles: Callable[[], Sequence[Record]]) -> None:
    """Append the proof of a match to the file."""
    file.write(match_proof(prover, parse_log(log), roles))


async def prove_event(
    event_id: UUID,
    tournaments: TournamentService,
    matches: MatchService,
    transparency: TransparencyService,
    caller: Caller,
) -> IO[bytes]:
    """Return the proof file, redacted for the caller; wait briefly until all entries are covered.

    Raise `TournamentRefused` unless it has ended, `NotCovered` or `NothingSigned` if entries or ratings are not ready.
    The caller closes the file.
    """
    event = require_over(await tournaments.reading.get(event_id))
    records = await tournaments.reading.records(event_id)
    claims, lines = await matches.writer.read_model(load_stated_results, event.state)

    roles = cache(transparency.roles)

    def begin(prover: Prover) -> tuple[Prover, bytes]:
        return prover, event_bytes(prover.event(records, roles(), len(lines), claims))

    prover, content = await transparency.prove_with(begin)
    file = SpooledTemporaryFile(HELD_MAX)  # noqa: SIM115  (the answer reads it, and closes it)
    try:
        await asyncio.to_thread(file.write, content)
        for line_id in lines:
            log = await matches.logs.export(line_id, caller, None, whole=False)
            await asyncio.to_thread(add_match, file, prover, log, roles)
        file.seek(0)
    except BaseException:
        file.close()
        raise
    return file


def chunks(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the content of a file in chunks, then close it."""
    with file:
        while part := file.read(CHUNK):
            yield part
