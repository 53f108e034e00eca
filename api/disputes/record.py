"""What arbiters did about the disputes of an event, for everybody: from the audit trail, without match and players."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Final

from api.accounts.naming import names_of
from api.accounts.service import AccountService
from api.http.wire import Listing, Wire
from api.matches.service import MatchService
from domain.kernel.messages import N_
from domain.roles.audit import AuditFact, CommitteeNamed, RulingMade
from projections import roles
from projections.platform.paging import Page
from projections.roles import TrailLine

KINDS: Final = {
    "dispute_taken": N_("took up a dispute"),
    "dispute_handed_over": N_("handed a dispute over"),
    "ruling_made": N_("ruled"),
    "committee_named": N_("named an appeal committee"),
}
"""What of the trail everybody may read, and how it is said. Who looked at what is not among it."""


class ArbitrationShown(Wire, frozen=True, kw_only=True):
    """What an arbiter did, or an organiser who named a committee: `kind` says what, `version` is its record in the
    trail. `personName`: to whom a dispute was handed over. `voices`: with how many of the `members` of a committee."""

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
    """What arbiters did in an event, the newest first."""

    acts: tuple[ArbitrationShown, ...]


async def arbitration(
    matches: MatchService, accounts: AccountService, event: str, limit: int, before: int | None = None
) -> Page[ArbitrationShown]:
    """What the arbiters of a tournament or league did about its disputes, the newest first."""
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
                **told_of(line.fact),
            )
            for line in found.items
        ]
    )


async def both_records(
    acts: Callable[[int, int | None], Awaitable[Page[Any]]],
    matches: MatchService,
    accounts: AccountService,
    event: str,
    of: str,
    limit: int,
    before: int | None,
) -> dict[str, Any]:
    """What the page of a record shows of a tournament or league: what its organisers did (`acts`) and its arbiters, of
    each a page; of the arbiters alone with `of`, and of the organisers alone where theirs goes on."""
    is_of_arbiters, none = of == "arbiters", Page[Any](())
    return {
        "acts": none if is_of_arbiters else await acts(limit, before),
        "arbiters": await arbitration(matches, accounts, event, limit, before)
        if is_of_arbiters or before is None
        else none,
        "of": of,
        "event": event,
        "limit": limit,
        "arbiter_words": KINDS,
    }


def person_of(line: TrailLine) -> str | None:
    """To whom something was given."""
    person: str | None = getattr(line.fact, "person", None)
    return person


def told_of(fact: AuditFact) -> dict[str, Any]:
    """What a ruling or the naming of a committee has beside the others."""
    if isinstance(fact, RulingMade):
        return {"on_appeal": fact.on_appeal, "voices": fact.voices, "members": fact.members}
    return {"members": len(fact.people), "reason": fact.reason} if isinstance(fact, CommitteeNamed) else {}
