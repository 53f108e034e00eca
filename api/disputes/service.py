"""The dispute service for one caller, used by all routes and forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar
from uuid import UUID

from litestar.di import NamedDependency
from litestar.params import FromPath

from api.accounts.display_names import naming_people
from api.accounts.service import AccountService
from api.disputes import calls, commands, committees, responses
from api.disputes.call_schemas import CallShown
from api.disputes.commands import SeenDispute
from api.disputes.committee_schemas import CastVote, CommitteeShown, MakeMotion, NameCommittee
from api.disputes.queue import REASONS, encode_counts, encode_due, encode_precedent, most_urgent
from api.disputes.queue_schemas import DueShown, PrecedentShown, StatisticsShown, TemplateShown
from api.disputes.record import ArbitrationShown, load_arbitration
from api.disputes.schemas import DisputeShown, EvidenceShown, GiveRuling, HandOver, RaiseDispute, RulingsShown
from api.http.guards import Caller
from api.http.languages import _
from api.matches.service import MatchService
from api.roles.grants import has_role_in, may_use, roles_of
from api.roles.scopes import load_scope_names
from api.roles.service import roles_for
from domain.disputes import handover
from domain.disputes.errors import ArbiterPlays, CommitteeRefused, NotAParty
from domain.kernel.values import replace
from domain.matches.aggregate import Match
from domain.matches.facts import Actor
from domain.roles.errors import ConflictOfInterest, RoleMissing
from domain.roles.state import Role
from projections import disputes as projections_disputes
from projections.matches.clocks import running
from projections.platform.clock import now
from projections.platform.paging import LIMIT, Page
from projections.platform.settings import Settings

T = TypeVar("T")
QUEUE_MAX: Final = 200


OFFICIALS: Final[tuple[Role, ...]] = ("arbiter", "head_arbiter", "organiser")
NAMED_MAX: Final = 20
"""Maximum number of rules and events named in the statistics."""


@dataclass(frozen=True)
class DisputeService:
    """Disputes, for one caller."""

    tables: MatchService
    accounts: AccountService
    caller: Caller
    settings: Settings

    async def list(
        self,
        *,
        events: Sequence[str] | None = None,
        match_ids: Sequence[UUID] = (),
        waiting: bool | None = None,
        limit: int = LIMIT,
        before: int | None = None,
    ) -> Page[DisputeShown]:
        """Return disputes of the caller's matches and of events where they have a role, waiting ones first.

        An arbiter or organiser of the whole service gets all. `events`, `match_ids` and `waiting` narrow them. Ones
        that the caller may not see are left out of a page.
        """
        rows = await self.tables.writer.read_model(
            projections_disputes.disputes,
            events=events,
            match_ids=match_ids,
            party=await self.listed_person(),
            waiting=waiting,
            limit=limit,
            before=before,
        )
        found = await self.tables.writer.read_log(
            commands.find_visible, tuple(row.id for row in rows.items), self.caller
        )
        return rows.of([responses.encode_dispute(each, self.accounts) for each in found])

    async def queue(self, limit: int = QUEUE_MAX) -> tuple[DueShown, ...]:
        """Return at most `limit` waiting disputes that the caller may rule on, over all events, most urgent first.

        Raise `RoleMissing` unless the caller is an official.
        """
        await self.require_official()
        party, before, at = await self.listed_person(), None, now()
        ruled_by_caller: list[SeenDispute] = []
        while True:
            # All are read, because the list is not in the order of the deadlines and holds disputes of other arbiters.
            rows = await self.tables.writer.read_model(
                projections_disputes.disputes, party=party, waiting=True, limit=limit, before=before
            )
            ids = tuple(row.id for row in rows.items)
            found = await self.tables.writer.read_log(commands.find_visible, ids, self.caller)
            ruled_by_caller = most_urgent((*ruled_by_caller, *(each for each in found if each.may_rule)), limit)
            if (before := rows.next) is None:
                break
        clocks = tuple(await self.tables.writer.read_model(running, [each.official.id for each in ruled_by_caller]))
        return tuple(encode_due(each, clocks, self.accounts, at) for each in ruled_by_caller)

    async def precedents(self, rule: str, limit: int = LIMIT, before: int | None = None) -> Page[PrecedentShown]:
        """Return rulings whose rule contains these words, in any case, latest first; all without words.

        Raise `RoleMissing` unless the caller is an official.
        """
        await self.require_official()
        found = await self.tables.writer.read_model(projections_disputes.precedents, rule, limit, before)
        return found.of([encode_precedent(each) for each in found.items])

    async def statistics(self, event: str | None = None) -> StatisticsShown:
        """Return statistics of rulings, for all events or one; an empty event selects matches without one.

        At most `NAMED_MAX` rules and events are named. Raise `RoleMissing` unless the caller is an official.
        """
        await self.require_official()
        counts = await self.tables.writer.read_model(projections_disputes.ruling_counts, event, NAMED_MAX)
        return encode_counts(
            counts, event, await load_scope_names(self.tables.writer, (of for of, _count in counts.by_event))
        )

    async def templates(self) -> tuple[TemplateShown, ...]:
        """Return templates of reasons, in the language of the request."""
        await self.require_official()
        return tuple(TemplateShown(key, _(text)) for key, text in REASONS.items())

    async def record(self, event: str, limit: int = LIMIT, before: int | None = None) -> Page[ArbitrationShown]:
        """Return the public acts of arbiters in a tournament or league."""
        return await load_arbitration(self.tables, self.accounts, event, limit, before)

    async def require_official(self) -> None:
        """Raise `RoleMissing` unless the caller is an arbiter, organiser or operator anywhere."""
        roles = await roles_for(self.tables.writer, self.caller)
        own_roles = {role for role in roles_of(roles, self.caller) if may_use(self.caller, role)}
        if not (self.caller.is_operator or own_roles & {*OFFICIALS}):
            raise RoleMissing("only arbiters and organisers can see this")

    async def listed_person(self) -> projections_disputes.Party | None:
        """Return the caller and their events (`scopes`), whose disputes to list.

        None, for all disputes, if the caller is an arbiter or organiser of the whole service.
        """
        roles = await roles_for(self.tables.writer, self.caller)
        if has_role_in(roles, self.caller, "arbiter") or has_role_in(roles, self.caller, "organiser"):
            return None
        return projections_disputes.Party(self.caller.actor, await self.scopes())

    async def scopes(self) -> tuple[str, ...]:
        """Return the tournaments and leagues in which the caller has a role that their token allows; () without any."""
        grants = (await roles_for(self.tables.writer, self.caller)).grants if self.caller.person else ()
        own_grants = (
            grant for grant in grants if grant.person == self.caller.actor and may_use(self.caller, grant.role)
        )
        return tuple({grant.scope: None for grant in own_grants if grant.scope})

    async def disputes_about(self, match_id: UUID, limit: int = LIMIT, before: int | None = None) -> Page[DisputeShown]:
        """Return the disputes about a match, raised on any of its lines."""
        root = await self.tables.writer.read_log(commands.root_of, match_id)
        return await self.list(match_ids=[root], limit=limit, before=before)

    async def rulings(self, match_id: UUID) -> RulingsShown:
        """Return the rulings in the log of a match, and its result after them."""
        return await self.tables.writer.read_log(responses.rulings_of, match_id, self.accounts)

    # Calls.

    async def calls(self) -> tuple[CallShown, ...]:
        """Return the waiting calls at tables of the caller's events, oldest first, with the time left on the clock.

        At most `QUEUE_MAX` are considered. Raise `RoleMissing` unless the caller is an official.
        """
        await self.require_official()
        party = await self.listed_person()
        waiting = await self.tables.writer.read_model(
            projections_disputes.waiting_calls, None if party is None else party.events, QUEUE_MAX
        )
        found = await self.tables.writer.read_log(calls.calls_for, waiting, self.caller, self.accounts)
        clocks, at = await self.tables.writer.read_model(running, [each.line for each in found]), now()
        return tuple(replace(each, left_seconds=calls.clock_seconds_at(clocks, each.line, at)) for each in found)

    async def calls_in(self, event: UUID) -> tuple[CallShown, ...]:
        """Return the waiting calls at tables of one event that the caller may handle, oldest first, without clocks.

        At most `QUEUE_MAX` are considered.
        """
        waiting = await self.tables.writer.read_model(projections_disputes.waiting_calls, (str(event),), QUEUE_MAX)
        return (
            await self.tables.writer.read_log(calls.calls_for, waiting, self.caller, self.accounts) if waiting else ()
        )

    async def call(self, match_id: UUID) -> CallShown:
        """Return the latest call about a match, for its players and the officials of its event."""
        return await self.tables.writer.read_log(calls.find_call, match_id, self.caller, self.accounts)

    async def call_arbiter(self, match_id: UUID, words: str) -> None:
        """Call an arbiter to the caller's table."""
        await self.execute(calls.call_arbiter, match_id, words, self.caller, at=now())

    async def withdraw_call(self, match_id: UUID) -> None:
        """Withdraw the caller's call."""
        await self.execute(calls.withdraw_call, match_id, self.caller, at=now())

    async def handle_call(self, match_id: UUID, *, is_here: bool) -> None:
        """Record that the caller, an official, handles a call or is at the table."""
        await self.execute(calls.handle_call, match_id, is_here, self.caller, at=now())

    async def answer_call(self, match_id: UUID, words: str) -> None:
        """Close a call with an answer by the caller, an official."""
        await self.execute(calls.answer_call, match_id, words, self.caller, at=now())

    # Committees.

    async def committee(self, event: UUID) -> CommitteeShown:
        """Return the public appeal committee of an event."""
        return await self.tables.writer.read_log(committees.committee_of, event, self.accounts)

    async def name_committee(self, event: UUID, request: NameCommittee) -> CommitteeShown:
        """Name the appeal committee of an event, as an organiser, and return it; members are given by id or name.

        Raise `NoSuchPerson` for an unknown member, and the errors of `committees.name_committee`.
        """
        members = self.find_people(request.members)
        await self.execute(committees.name_committee, event, members, request.reason, self.caller, at=now())
        return await self.committee(event)

    async def execute(self, command: Callable[..., T], *args: object, **kwargs: object) -> T:
        """Run a command on the writer's thread, with names of people in errors."""
        with naming_people(self.accounts, ArbiterPlays, CommitteeRefused, ConflictOfInterest, NotAParty, RoleMissing):
            return await self.tables.writer.execute(command, *args, **kwargs)

    def find_people(self, names: Sequence[str]) -> tuple[Actor, ...]:
        """Return the accounts with these ids or names."""
        return tuple(self.accounts.get_by_id_or_name(each.strip()).id for each in names)

    async def raise_dispute(self, match_id: UUID, new_id: UUID, request: RaiseDispute) -> DisputeOfCaller:
        """Raise a dispute by the caller about an entry of a match."""
        await self.execute(commands.raise_dispute, match_id, new_id, request, self.caller, at=now())
        return DisputeOfCaller(self, new_id)


@dataclass(frozen=True)
class DisputeOfCaller:
    """The dispute in the path, for one caller; every method checks permissions first."""

    service: DisputeService
    id: UUID

    async def load(self) -> SeenDispute:
        """Load the dispute if the caller may see it."""
        return await self.service.tables.writer.read_log(commands.find_dispute, self.id, self.service.caller)

    def encode(self, found: SeenDispute) -> DisputeShown:
        """Return the dispute for a response."""
        return responses.encode_dispute(found, self.service.accounts)

    def is_party(self, found: SeenDispute) -> bool:
        """Return whether the caller plays at the official line, and so may appeal."""
        return commands.is_party(found, self.service.caller)

    async def assign_to_caller(self) -> None:
        """Assign the dispute to the caller."""
        await self.service.execute(commands.assign, self.id, self.service.caller, at=now())

    async def hand_over(self, request: HandOver) -> None:
        """Hand the dispute over to another arbiter."""
        to, by = self.service.accounts.get_by_id_or_name(request.person).id, self.service.caller.actor
        await self.service.execute(handover.hand_over, self.id, by=by, to=to, note=request.note, at=now())

    async def withdraw(self) -> None:
        """Withdraw the dispute."""
        await self.service.execute(commands.withdraw, self.id, self.service.caller, at=now())

    async def appeal(self, reason: str) -> None:
        """Appeal the ruling."""
        await self.service.execute(committees.appeal, self.id, self.service.caller, reason, at=now())

    async def name_committee(self, request: NameCommittee) -> None:
        """Name the committee for the appeal, as an organiser; members are given by id or name.

        Raise `NoSuchPerson` for an unknown member, and the errors of `name_appeal_committee`.
        """
        members = self.service.find_people(request.members)
        await self.service.execute(
            committees.name_appeal_committee, self.id, members, request.reason, self.service.caller, at=now()
        )

    async def propose_ruling(self, request: MakeMotion) -> None:
        """Propose a ruling, as a member of the committee."""
        await self.service.execute(committees.propose_ruling, self.id, request, self.service.caller, at=now())

    async def vote(self, request: CastVote) -> None:
        """Vote, as a member of the committee."""
        await self.service.execute(committees.vote, self.id, request, self.service.caller, at=now())

    async def announce(self, expected_version: int | None, ruling_id: UUID, line_id: UUID) -> None:
        """Announce the decision, as the chair of the committee."""
        caller, ids = self.service.caller, (ruling_id, line_id)
        await self.service.execute(committees.announce, self.id, expected_version, caller, ids, at=now())

    async def rule(self, request: GiveRuling, ruling_id: UUID, line_id: UUID) -> None:
        """Give a ruling by the caller, or by the arbiter whom the service names; a resumed line gets `line_id`.

        Raise the errors of `commands.rule_on`, `NoSuchPerson` for an unknown arbiter; a known `ruling_id` changes
        nothing.
        """
        caller, ids = self.service.caller, (ruling_id, line_id)
        by = commands.find_arbiter(self.service.accounts, caller, request.by)
        await self.service.execute(commands.rule_on, self.id, request, caller, by, ids, at=now())

    async def load_evidence(self, entry: int | None) -> EvidenceShown:
        """Return the evidence about an entry, by default the disputed one, after recording the caller's access.

        Raise the errors of `record_access`, such as `NoSuchEntry`.
        """
        caller = self.service.caller
        seen_entry = await self.service.execute(commands.record_access, self.id, entry, caller, at=now())
        return await self.service.tables.writer.compute(commands.read_evidence, self.id, seen_entry, caller)

    async def fork_what_if(self, entry: int, seats: tuple[str, ...] | None, new_line: UUID) -> Match:
        """Fork a what-if for the dispute, visible to its arbiters only; raise the errors of `commands.fork_what_if`."""
        caller, bots = self.service.caller, self.service.settings.bots
        return await self.service.execute(
            commands.fork_what_if, self.id, entry, seats, bots, new_line, caller, at=now()
        )


def provide_disputes(
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
    settings: NamedDependency[Settings],
) -> DisputeService:
    """Provide the dispute service for the caller."""
    return DisputeService(matches, accounts, caller, settings)


def provide_dispute(dispute_id: FromPath[UUID], disputes: NamedDependency[DisputeService]) -> DisputeOfCaller:
    """Provide the dispute in the path."""
    return DisputeOfCaller(disputes, dispute_id)
