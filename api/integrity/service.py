"""The integrity service for one caller: every access is recorded before anything is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, TypeVar
from uuid import UUID

from litestar import Request
from litestar.di import NamedDependency

from api.accounts.display_names import names_of
from api.accounts.service import AccountService
from api.analyses.service import ANALYSES, AnalysisService
from api.http.guards import Caller
from api.http.limits import LIMITS
from api.integrity import commands
from api.integrity.addresses import ADDRESSES, AddressRecorder
from api.integrity.commands import CallerLimits, Survey
from api.integrity.responses import (
    FiguresRow,
    PersonRow,
    encode_agreement,
    encode_habit,
    encode_helping,
    encode_meeting,
    encode_pair,
    encode_rate,
    encode_sitting,
    encode_thinker,
)
from api.integrity.schemas import WARNING, FiguresShown, SharedShown
from api.matches.service import MatchService
from domain.integrity.agreement import Agreement, AnalysedMatch
from domain.integrity.base_rates import MATCHES_MIN, OTHERS_MIN, OUTERMOST, rarity
from domain.integrity.measured_matches import MeasuredMatch, limit_to_event
from domain.integrity.pairs import Helping, Meeting
from domain.matches.facts import Actor
from domain.ratings.models import BASE, model_of
from projections import integrity
from projections.platform.clock import now

ROWS_MAX: Final = 50
"""Maximum number of rows of each kind, most unusual first."""
MATCHES_LISTED_MAX: Final = 5
"""Maximum number of listed matches of two people."""


R = TypeVar("R", bound=FiguresRow)


@dataclass(frozen=True)
class IntegrityService:
    """The statistics, for one caller."""

    tables: MatchService
    accounts: AccountService
    addresses: AddressRecorder
    analyses: AnalysisService
    caller: Caller

    async def figures(
        self, event: UUID | None = None, *, person: Actor | None = None, match_id: UUID | None = None
    ) -> FiguresShown:
        """Return the statistics of everyone, of an event, of one person, or of a match; the access is recorded.

        Raise `RoleMissing`, `ConflictOfInterest` or `NoSuchPerson` as `commands.allow`.
        """
        scope = "" if event is None else str(event)
        limits = await self.tables.writer.execute(commands.allow, self.caller, scope, person, match_id, at=now())
        matches_by_line = restrict_lines(await self.tables.writer.read_model(integrity.newest_lines), limits)
        requested = (
            {}
            if match_id is None
            else restrict_lines(await self.tables.writer.read_model(integrity.get_line, match_id), limits)
        )
        window, measured = tuple(matches_by_line.values()), matches_by_line | requested
        chance = await self.tables.writer.read_model(integrity.strengths, model_of(BASE), window)
        agreements_by_line = await self.analyses.agreements(measured)
        analysed = [AnalysedMatch(measured[line_id], seats) for line_id, seats in agreements_by_line.items()]
        requested_match = next(iter(requested.values()), None)
        survey = await self.tables.writer.compute(
            commands.collect_statistics, window, chance, requested_match, analysed
        )
        request = FiguresRequest(limits, person, match_id, not agreements_by_line.keys().isdisjoint(requested))
        encoded, people = await self.encode(
            survey, window, request, len(agreements_by_line.keys() & matches_by_line.keys())
        )
        await self.tables.writer.execute(
            commands.record_access, self.caller, limits.event, person, match_id, tuple(sorted(people)), at=now()
        )
        return encoded

    async def figures_of_person(self, event: UUID | None, name: str) -> FiguresShown:
        """Return the statistics of a person by id or name."""
        return await self.figures(event, person=self.accounts.get_by_id_or_name(name).id)

    def row_filter(self, request: FiguresRequest) -> Callable[..., bool]:
        """Return a predicate for rows by the people they name; callers never see rows about themselves.

        All of them must be within the limits, and the requested person, if any, among them.
        """
        own_id = None if self.caller.person is None else self.caller.person.id

        def may_see(*people: Actor) -> bool:
            is_in_scope = request.seen.people is None or request.seen.people.issuperset(people)
            return is_in_scope and own_id not in people and (request.person is None or request.person in people)

        return may_see

    async def encode(
        self, survey: Survey, window: Sequence[MeasuredMatch], request: FiguresRequest, analysed: int
    ) -> tuple[FiguresShown, set[Actor]]:
        """Return the statistics for display, and every account they name.

        Only rows that the caller may see are included, most unusual first, at most `ROWS_MAX` of a kind. Shared
        addresses are for arbiters of the whole service.
        """
        may_see = self.row_filter(request)
        thinkers = most_unusual(each for each in survey.thinkers if may_see(each.person))
        helpings = most_unusual(each for each in survey.company.helpings if may_see(each.helper, each.gainer))
        meetings = most_unusual(each for each in survey.company.meetings if may_see(each.one, each.two))
        habits = most_unusual(each for each in survey.habits if may_see(each.person))
        agreements = most_unusual(each for each in survey.agreements if may_see(each.person) and request.includes(each))
        sittings = tuple(each for each in survey.sittings if may_see(each.person))
        tables = CommonMatches(window, request.seen.event)
        sees_addresses = request.seen.members is None
        found, people_seen = await self.addresses.find_shared(now(), tables.enough) if sees_addresses else ((), 0)
        shared = [each for each in found if may_see(each.one, each.two) and tables.between(each.one, each.two)]
        people = people_of((thinkers, sittings, habits, agreements), helpings, meetings, shared)
        names = names_of(self.accounts, people)
        standings = survey.standings
        encoded = FiguresShown(
            warning=WARNING,
            event=request.seen.event or None,
            matches=len(window),
            since=window[-1].ended_at if window else None,
            matches_min=MATCHES_MIN,
            others_min=OTHERS_MIN,
            figures=len(standings),
            marked=sum(each.stands_out for each in standings),
            by_chance=round(len(standings) / OUTERMOST),
            thinkers=tuple(encode_thinker(each, names) for each in thinkers),
            helpings=tuple(encode_helping(each, names, tables.between(each.helper, each.gainer)) for each in helpings),
            meetings=tuple(encode_meeting(each, names, tables.between(each.one, each.two)) for each in meetings),
            addresses=tuple(
                SharedShown(encode_pair(each.one, each.two, names), each.days, each.crowd) for each in shared[:ROWS_MAX]
            ),
            sees_addresses=sees_addresses,
            people_seen=people_seen,
            analysed=analysed,
            rates=tuple(map(encode_rate, survey.rates)),
            habits=tuple(encode_habit(each, names) for each in habits),
            agreements=tuple(encode_agreement(each, names) for each in agreements),
            sittings=tuple(encode_sitting(each, names) for each in sittings),
            match_analysed=None if request.match_id is None else request.is_analysed,
        )
        return encoded, people


@dataclass(frozen=True)
class FiguresRequest:
    """A request: limits, person or match, and whether the match is analysed."""

    seen: CallerLimits
    person: Actor | None
    match_id: UUID | None
    is_analysed: bool

    def includes(self, agreement: Agreement) -> bool:
        """Return whether to show a row about one match, by the request and the privacy of the match.

        Private matches of other events are hidden. A request about a match shows all of its rows, about a person all
        matches; otherwise only comparable rows are shown.
        """
        if self.match_id is not None:
            return agreement.played.match_id == self.match_id
        may_see = agreement.played.public or agreement.played.event == self.seen.event
        return may_see and (self.person is not None or agreement.standings != ())


class CommonMatches:
    """Matches by original player, latest first. Private matches of other events are hidden."""

    def __init__(self, window: Sequence[MeasuredMatch], event: str) -> None:
        self._matches: dict[Actor, list[MeasuredMatch]] = {}
        self._event = event
        counts = Counter[Actor]()
        for match in window:
            for person in match.people:
                counts[person] += 1
                self._matches.setdefault(person, []).append(match)
        self.enough: Final = frozenset(person for person, count in counts.items() if count >= MATCHES_MIN)
        """People with enough matches for statistics."""

    def between(self, one: Actor, two: Actor) -> tuple[UUID, ...]:
        """Return the latest matches that two people started together, at most `MATCHES_LISTED_MAX`.

        Private matches of other events are left out.
        """
        found = (
            match.match_id
            for match in self._matches.get(one, ())
            if two in match.people and (match.public or match.event == self._event)
        )
        return tuple(islice(found, MATCHES_LISTED_MAX))


def restrict_lines(matches_by_line: Mapping[str, MeasuredMatch], limits: CallerLimits) -> dict[str, MeasuredMatch]:
    """Return the matches by line as the caller may measure them: all, or reduced as in `limit_to_event`.

    Only the accepted players of the event are measured then; others serve for comparison.
    """
    members = limits.members
    if members is None:
        return dict(matches_by_line)
    return {line_id: limit_to_event(match, limits.event, members) for line_id, match in matches_by_line.items()}


def most_unusual(rows: Iterable[R]) -> list[R]:
    """Return the most unusual rows, at most `ROWS_MAX`; rows without comparison come last."""
    return sorted(rows, key=lambda row: (not row.standings, rarity(row.standings)))[:ROWS_MAX]


def people_of(
    person_rows: Iterable[Iterable[PersonRow]],
    helpings: Iterable[Helping],
    meetings: Iterable[Meeting],
    shared: Iterable[tuple[str, str, int, int]],
) -> set[Actor]:
    """Return everyone named in the rows."""
    found = {each.person for rows in person_rows for each in rows}
    found |= {person for each in helpings for person in (each.helper, each.gainer)}
    found |= {person for each in meetings for person in (each.one, each.two)}
    return found | {person for one, two, _, _ in shared for person in (one, two)}


def provide_integrity(
    request: Request[Caller, Any, Any],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
) -> IntegrityService:
    """Provide the service for the caller."""
    analyses = AnalysisService(matches, ANALYSES.of(request), LIMITS.of(request), caller)
    return IntegrityService(matches, accounts, ADDRESSES.of(request), analyses, caller)
