"""Queue, earlier rulings and statistics of arbiters, for API and pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from api.accounts.service import AccountService
from api.disputes.calls import clock_seconds_at
from api.disputes.commands import SeenDispute
from api.disputes.queue_schemas import CountShown, DueShown, PrecedentShown, StatisticsShown
from api.disputes.responses import encode_dispute, encode_measures
from api.http.languages import _
from api.roles.scopes import ScopeNamed
from domain.disputes.outcome import outcome_of
from domain.disputes.timing import due_at
from domain.kernel.messages import N_
from projections.disputes import Precedent, RulingCounts
from projections.matches.clocks import Clock

REASONS: Final[Mapping[str, str]] = {
    "agreed": N_("The action was legal under this rule, and the log records it correctly. It remains valid."),
    "misread": N_("The rule was applied incorrectly. The match resumes from the previous entry."),
    "unclear": N_("The rule is ambiguous. The reading that the table agreed on before the match applies."),
    "late": N_(
        "The objection came too late: the match had already continued from there. The moves played since "
        "then remain valid."
    ),
    "conduct": N_(
        "The dispute concerns conduct at the table, not a rule. The player is warned; there is no other penalty."
    ),
    "fault": N_("The server was at fault. No player loses points or time."),
}
"""Templates of reasons for arbiters to adapt."""
OUTCOME_WORDS: Final[Mapping[str, str]] = {
    "upheld": N_("first ruling upheld"),
    "void": N_("match voided"),
    "result": N_("result set"),
    "resumed": N_("match resumed"),
    "penalty": N_("penalty"),
    "warning": N_("warning"),
    "nothing": N_("no change"),
}


def most_urgent(waiting: Iterable[SeenDispute], limit: int) -> list[SeenDispute]:
    """Return the `limit` most urgent of these disputes, by deadline, earliest first; fewer if there are fewer."""
    return sorted(waiting, key=lambda each: due_at(each.dispute, each.official))[:limit]


def encode_due(found: SeenDispute, clocks: tuple[Clock, ...], accounts: AccountService, at: datetime) -> DueShown:
    """Return a waiting dispute for a response, with its deadline and the time left on the match's clock."""
    match = found.official
    encoded, due_time = encode_dispute(found, accounts), due_at(found.dispute, match)
    return DueShown(
        dispute=encoded,
        due_at=due_time,
        is_late=due_time <= at,
        is_held=match.status == "paused" and bool(match.docket.held_by),
        left_seconds=clock_seconds_at(clocks, match.id, at),
    )


def encode_precedent(each: Precedent) -> PrecedentShown:
    """Return an earlier ruling for a response, without its match and the names of people."""
    ruling = each.given.ruling
    return PrecedentShown(
        ruling=ruling.ruling,
        at=each.given.at,
        rule=ruling.rule,
        reasons=ruling.reasons,
        measures=encode_measures(ruling.measures),
        outcome=outcome_of(ruling),
        on_appeal=each.on_appeal,
        seconds=each.seconds,
    )


def encode_counts(counts: RulingCounts, event: str | None, names: Mapping[str, ScopeNamed]) -> StatisticsShown:
    """Return statistics for a response, with outcomes in the current language and names of events."""
    return StatisticsShown(
        event=event,
        rulings=counts.rulings,
        on_appeal=counts.on_appeal,
        upheld=counts.upheld,
        median_seconds=counts.median_seconds,
        outcomes=tuple(CountShown(key, _(OUTCOME_WORDS[key]), count) for key, count in counts.by_outcome),
        rules=tuple(CountShown(key, key, count) for key, count in counts.by_rule),
        events=tuple(CountShown(key, names[key].name if key else "", count) for key, count in counts.by_event),
    )
