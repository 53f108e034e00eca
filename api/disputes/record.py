"""The public record of arbiters' acts in an event, from the audit trail, without matches and players."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Final

from api.accounts.display_names import names_of
from api.accounts.service import AccountService
from api.http.structs import Listing, ResponseStruct
from api.matches.service import MatchService
from domain.kernel.messages import N_
from domain.roles.audit import AuditFact, CommitteeNamed, RulingMade
from projections import roles
from projections.platform.paging import Page
from projections.roles import TrailLine

KINDS: Final = {
    "dispute_taken": N_("accepted a dispute"),
    "dispute_handed_over": N_("handed over a dispute"),
    "ruling_made": N_("ruled"),
    "committee_named": N_("appointed an appeal committee"),
}
"""Public kinds of trail records, and their texts. Access to hidden information is not public."""


class ArbitrationShown(ResponseStruct, frozen=True, kw_only=True):
    """An act of an arbiter, or of an organiser who named a committee; `version` is its record in the trail.

    `personName`: the arbiter who got the dispute. `voices` of `members`: votes in a committee.
    """

    version: int
    at: datetime
    kind: str
    by_name: str
    role: str
    person_name: str | None
    on_appeal: bool = False
    voices: int = 0
    members: int = 0
    reason: str = ""


class ArbitrationsShown(Listing, frozen=True):
    """Acts of arbiters in an event, latest first."""

    acts: tuple[ArbitrationShown, ...]


async def load_arbitration(
    matches: MatchService, accounts: AccountService, event: str, limit: int, before: int | None = None
) -> Page[ArbitrationShown]:
    """Return the acts of arbiters in an event, latest first, without matches; an unknown event has none."""
    found = await matches.writer.read_model(roles.lines, event=event, kinds=tuple(KINDS), limit=limit, before=before)
    names = names_of(accounts, [actor for line in found.items for actor in (line.by, person_of(line))])
    return found.of(
        [
            ArbitrationShown(
                version=line.version,
                at=line.at,
                kind=line.kind,
                by_name=names[line.by],
                role=line.role,
                person_name=names.get(person_of(line) or ""),
                **extra_fields(line.fact),
            )
            for line in found.items
        ]
    )


async def records_context(
    load_acts: Callable[[int, int | None], Awaitable[Page[Any]]],
    matches: MatchService,
    accounts: AccountService,
    event: str,
    of: str,
    limit: int,
    before: int | None,
) -> dict[str, Any]:
    """Return the context for a record's page: a page of organisers' acts (`load_acts`), and one of arbiters' acts.

    With `of="arbiters"` only arbiters' acts; otherwise on later pages (`before`) only organisers'.
    """
    is_of_arbiters, empty = of == "arbiters", Page[Any](())
    return {
        "acts": empty if is_of_arbiters else await load_acts(limit, before),
        "arbiters": await load_arbitration(matches, accounts, event, limit, before)
        if is_of_arbiters or before is None
        else empty,
        "of": of,
        "event": event,
        "limit": limit,
        "arbiter_words": KINDS,
    }


def person_of(line: TrailLine) -> str | None:
    """Return the person to whom something was given, or None."""
    person: str | None = getattr(line.fact, "person", None)
    return person


def extra_fields(fact: AuditFact) -> dict[str, Any]:
    """Return the additional fields of a ruling or of naming a committee; empty for other facts."""
    if isinstance(fact, RulingMade):
        return {"on_appeal": fact.on_appeal, "voices": fact.voices, "members": fact.members}
    return {"members": len(fact.people), "reason": fact.reason} if isinstance(fact, CommitteeNamed) else {}
