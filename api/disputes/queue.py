"""The arbiter's day: what waits and until when, earlier rulings on the same rule, and what rulings come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from statistics import median
from typing import Any, Final

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromQuery

from api.disputes.service import DisputeService, Waiting
from api.matches.acting import now
from api.roles import scopes
from api.roles.grants import roles_of
from api.roles.service import roles_for
from api.web.browser import PageRequest, page
from api.web.languages import say
from api.web.paging import Before, Limit
from domain.disputes.words import measure_told
from domain.kernel.messages import N_
from domain.matches.facts import is_live
from domain.roles.errors import RoleMissing
from projections.disputes import Precedent
from projections.paging import LIMIT

TARGET_LIVE: Final = timedelta(minutes=15)
TARGET_SLOW: Final = timedelta(days=1)
"""By when a dispute is to be ruled on: where a clock of a live table runs or stands still for it, and otherwise."""
COUNTED: Final = 1_000
"""So many of the newest rulings are counted."""
RULES_SHOWN: Final = 10
REASONS: Final[Mapping[str, str]] = {
    "agreed": N_("The action was legal by the rule, and the log shows it as it was made. It stands."),
    "misread": N_("The rule was read otherwise than it is written. The match goes on from the entry before."),
    "unclear": N_("The rule can be read both ways. It is read here as the table had agreed before."),
    "late": N_("The objection came after the next entries had followed from it. What has been played stands."),
    "conduct": N_("This was not about a rule but about conduct at the table. It is warned about and nothing else."),
    "fault": N_("The service was at fault. Nobody loses points or time by it."),
}
"""Reasons an arbiter begins with, and changes as the case is."""


class Due(msgspec.Struct, frozen=True):
    """A dispute of the queue: until when it should be ruled on, whether that is over, and what the clocks do."""

    waiting: Waiting
    due: datetime
    is_late: bool
    is_held: bool
    left_seconds: int | None


class Counts(msgspec.Struct, frozen=True):
    """What rulings come to; times in seconds."""

    rulings: int
    on_appeal: int
    upheld: int
    median_seconds: int
    by_rule: Sequence[tuple[str, int]]


def due_of(each: Waiting, at: datetime) -> Due:
    match = each.official
    held = match.status == "paused" and bool(match.docket.held_by)
    due = each.waits_since + (TARGET_LIVE if is_live(match.table.clock) and not match.is_over else TARGET_SLOW)
    running = [clock for clock in each.clocks if clock.deadline is not None]
    left = min((int((clock.deadline - at).total_seconds()) for clock in running if clock.deadline), default=None)
    return Due(each, due, due <= at, held, left)


def counts_of(given: Sequence[Precedent]) -> Counts:
    appealed = [each for each in given if each.on_appeal]
    rules = Counter(each.given.ruling.rule for each in given)
    return Counts(
        rulings=len(given),
        on_appeal=len(appealed),
        upheld=sum(each.given.ruling.upheld for each in appealed),
        median_seconds=int(median(each.seconds for each in given)) if given else 0,
        by_rule=sorted(rules.items(), key=lambda counted: (-counted[1], counted[0]))[:RULES_SHOWN],
    )


async def require_arbiter(disputes: DisputeService) -> None:
    """For arbiters, organisers and operators, of whatever event."""
    if not roles_of(await roles_for(disputes.tables, disputes.caller), disputes.caller):
        raise RoleMissing("this is for arbiters and organisers")


@get("/disputes/queue")
async def queue_page(request: PageRequest, disputes: NamedDependency[DisputeService]) -> Response[str]:
    """The disputes the reader may rule on, over all events, the most urgent first."""
    await require_arbiter(disputes)
    at = now()
    found = sorted((due_of(each, at) for each in await disputes.queue()), key=lambda each: each.due)
    events = await scopes.names(disputes.tables, (each.waiting.shown.event or "" for each in found))
    return page(request, "disputes/queue.html", {"queue": found, "events": events, "at": at})


@get("/disputes/precedents")
async def precedents_page(
    request: PageRequest,
    disputes: NamedDependency[DisputeService],
    rule: FromQuery[str] = "",
    before: Before = None,
    limit: Limit = LIMIT,
) -> Response[str]:
    """Earlier rulings, by words of the rule they rely on; without the names of players. And what rulings come to."""
    await require_arbiter(disputes)
    found = await disputes.precedents(rule, limit, before)
    context: dict[str, Any] = {
        "rule": rule,
        "precedents": found.items,
        "next": found.next,
        "limit": limit,
        "counts": counts_of((await disputes.precedents("", COUNTED)).items),
        "told": lambda measure: say(measure_told(measure)),
        "age": timedelta,
    }
    return page(request, "disputes/precedents.html", context)


HANDLERS: Final[tuple[Any, ...]] = (queue_page, precedents_page)
