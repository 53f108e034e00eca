"""The analysis service: requests, results of workers, and saving as studies."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Request
from litestar.di import NamedDependency
from litestar.exceptions import ClientException

from api.analyses.commands import compare_actions, compose_study, position_of
from api.analyses.schemas import AnalysisShown, HandIn, show_analysis
from api.http.app_state import SETTINGS, AppKey
from api.http.guards import Caller
from api.http.limits import LIMITS, Limits, rate_limit_error
from api.matches.service import MatchService
from domain.analyses.report import (
    STANDARD,
    VERSION,
    Analysis,
    Decision,
    NotAnalysed,
    Piece,
    analysis_of,
    budget_of,
    costly_decisions,
    pieces_of,
    why_unfit,
)
from domain.integrity.agreement import SeatAgreement
from domain.matches.aggregate import Match
from domain.matches.errors import NoSuchMatch, Tampered
from domain.studies.commands import StudyStream
from domain.studies.rules import Position
from projections.analyses import Analyses, Standing

ANALYSES: Final = AppKey[Analyses]("analyses")
NOTED_MAX: Final = 60
"""Maximum number of costliest decisions in a study."""
VARIATIONS_MAX: Final = 20
"""Maximum number of better lines in a study."""
COMPARED_MAX: Final = 50
"""Maximum number of analyses compared with played actions in one call."""
AGREEMENTS_DECODER: Final = msgspec.json.Decoder(tuple[SeatAgreement, ...])


class AnalysisService:
    """Analyses, for one caller."""

    def __init__(
        self, tables: MatchService, analyses: Analyses, limits: Limits, caller: Caller, tries: int = STANDARD.tries
    ) -> None:
        """Create the service; `tries` is the budget per decision of new analyses."""
        self.tables = tables
        self._tries = tries
        self._analyses = analyses
        self._limits = limits
        self._caller = caller

    async def find_progress(self, match: Match) -> Standing | None:
        """Return the progress of the analysis; None if it is of another line or an earlier engine."""
        found = await asyncio.to_thread(self._analyses.standing, match.id)
        return found if found is not None and (found.head, found.version) == (match.head, VERSION) else None

    async def refusal_reason(self, match: Match) -> str:
        """Return why the match cannot be analysed; empty if it can."""
        if reason := why_unfit(match):
            return reason
        if match.is_retired or not match.definition.is_judged:
            return f"no bot on this server can evaluate the match {match.id}"
        bounds = await self.tables.reading.bounds(match.id, self._caller)
        return "" if bounds.is_open else f"the match {match.id} shares hidden information with a running match"

    async def request_analysis(self, match_id: UUID) -> None:
        """Request an analysis, which is limited per hour; repeated requests have no effect.

        Raise `NotAnalysed` if the match cannot be analysed, 429 at the limit.
        """
        match = await self.tables.reading.get(match_id)
        if reason := await self.refusal_reason(match):
            raise NotAnalysed(reason)
        if await self.find_progress(match) is not None:
            return
        if (wait_seconds := await self._limits.spend("analysis", self._caller.actor)) is not None:
            raise rate_limit_error(f"too many analyses in an hour; retry in {wait_seconds} s", wait_seconds)
        spans = pieces_of(match.version)
        await asyncio.to_thread(self._analyses.ask, match.id, match.head, VERSION, spans, self._tries)

    async def show(self, match_id: UUID) -> AnalysisShown:
        """Return the state of the analysis, "none", "waiting" or "done", with its progress or results.

        An analysis that is no longer readable is "none".
        """
        match = await self.tables.reading.get(match_id)
        standing = await self.find_progress(match)
        if standing is None:
            return AnalysisShown(match_id, "none")
        if not standing.is_done:
            return AnalysisShown(match_id, "waiting", standing.pieces, standing.pieces_done, standing.tries)
        analysis = await self.read(match)
        return AnalysisShown(match_id, "none") if analysis is None else show_analysis(match_id, analysis)

    async def read(self, match: Match) -> Analysis | None:
        """Return the analysis; None until it is complete."""
        document = await asyncio.to_thread(self._analyses.document, match.id)
        return None if document is None else await asyncio.to_thread(msgspec.json.decode, document, type=Analysis)

    async def store_results(self, match_id: UUID, request: HandIn) -> None:
        """Store the results of a range of entries; the last range completes the analysis.

        Raise `ClientException` for another version of the engine or unreadable results. Results for an analysis that is
        finished, not requested or of another state of the log, and repeated ones, are ignored.
        """
        if request.version != VERSION:
            raise ClientException(f"version={request.version} is not {VERSION}, the version of the analysis")
        try:
            msgspec.json.decode(request.piece, type=Piece)
        except msgspec.MsgspecError as fault:
            raise ClientException(f"invalid piece of an analysis: {fault}") from fault
        match = await self.tables.reading.get(match_id)
        await asyncio.to_thread(self._store_results, match, request)

    def _store_results(self, match: Match, request: HandIn) -> None:
        """Store the results, and combine and store the analysis if no range is missing."""
        standing = self._analyses.standing(match.id)
        if (
            self._analyses.store_result(match.id, request.head, request.first, request.piece.encode())
            and standing is not None
        ):
            pieces = (msgspec.json.decode(each, type=Piece) for each in self._analyses.results(match.id))
            document = msgspec.json.encode(analysis_of(match, match.version, pieces, budget_of(standing.tries)))
            self._analyses.finish(match.id, request.head, document)

    async def agreements(self, match_ids: Iterable[str]) -> dict[str, tuple[SeatAgreement, ...]]:
        """Return comparisons for integrity statistics, by match id; matches not compared yet are left out.

        Analysed matches that were never compared are compared first, at most `COMPARED_MAX` per call; the results are
        stored.
        """
        ids = tuple(match_ids)
        missing = set(ids).intersection(map(str, await asyncio.to_thread(self._analyses.list_uncompared, VERSION)))
        for match_id in sorted(missing)[:COMPARED_MAX]:
            await self._compare(UUID(match_id))
        found = await asyncio.to_thread(self._analyses.agreements, ids, VERSION)
        return {match_id: AGREEMENTS_DECODER.decode(detail) for match_id, detail in found.items()}

    async def _compare(self, match_id: UUID) -> None:
        """Compare the actions of a match with its analysis, and store the result; empty for an unreadable match."""
        document = await asyncio.to_thread(self._analyses.document, match_id)
        if document is not None:
            analysis = await asyncio.to_thread(msgspec.json.decode, document, type=Analysis)
            try:
                detail = msgspec.json.encode(await self.tables.writer.compute(compare_actions, match_id, analysis))
            except (NoSuchMatch, Tampered):
                # An unreadable match has an empty comparison, so that other statistics still work.
                detail = b"[]"
            await asyncio.to_thread(self._analyses.store_agreement, match_id, analysis.version, detail)

    async def position(self, match_id: UUID, decision: Decision, step: int) -> Position:
        """Return the position after `step` steps of a better line, including automatic steps of the service."""
        return await self.tables.writer.read_log(position_of, match_id, decision, step)

    async def save(
        self, match_id: UUID, new_id: UUID, title: str, comment_on: Callable[[Decision], str], preface: str
    ) -> StudyStream:
        """Save the analysis as a study `new_id` of the caller, with marks, comments and better lines.

        At most `NOTED_MAX` costly decisions have comments, `VARIATIONS_MAX` of them better lines. Raise `NotAnalysed`
        without an analysis, `NotYourStudy` for a private match in which the caller has no part.
        """
        match = await self.tables.reading.get(match_id)
        analysis = await self.read(match)
        if analysis is None:
            raise NotAnalysed(f"match {match_id} has not been analysed")
        costly = costly_decisions(analysis)
        comments = [(each, comment_on(each)) for each in sorted(costly[:NOTED_MAX], key=lambda each: each.entry)]
        variation_entries = frozenset(each.entry for each in costly[:VARIATIONS_MAX])
        return await self.tables.writer.execute_composed(
            compose_study, new_id, match_id, self._caller.actor, title, preface, comments, variation_entries
        )


def provide_analyses(
    request: Request[Caller, Any, Any], caller: NamedDependency[Caller], matches: NamedDependency[MatchService]
) -> AnalysisService:
    """Provide the service for the caller."""
    return AnalysisService(
        matches, ANALYSES.of(request), LIMITS.of(request), caller, SETTINGS.of(request).analysis_tries
    )
