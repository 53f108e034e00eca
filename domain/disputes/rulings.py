"""Rulings in the store: one transaction over the match, its new line, the dispute, docket and audit trail."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from domain.disputes.commands import DisputeStream, leave_docket, sole_arbiter_role
from domain.disputes.errors import AppealRefused
from domain.disputes.facts import RuledOn
from domain.disputes.state import DISPUTE, Dispute, check_waiting, subtract_time_penalties, summarise_match
from domain.kernel.values import Value
from domain.matches.aggregate import Match
from domain.matches.entropy import server_seed
from domain.matches.errors import MatchError, RulingRefused
from domain.matches.fact_base import Authority
from domain.matches.facts import SERVICE, Actor, RulingGiven
from domain.matches.forks import forking
from domain.matches.forks.lineage import read_official_line
from domain.matches.play import commands
from domain.matches.rulings import ruling
from domain.matches.rulings.measures import LineResumed, Measure
from domain.matches.rulings.ruling import DECISIVE, rulings_in_force
from domain.matches.transaction import MatchWriter, Transaction
from domain.roles.audit import RulingMade
from domain.roles.commands import append_to_trail, roles_in
from domain.roles.state import Role, Roles, holds

Clocks = Callable[[UUID, int], tuple[int, ...]]
"""(line, entry) -> milliseconds left per seat; empty without clocks."""


class Ruling(Value, frozen=True):
    """An arbiter's decision. If `measures` has a `LineResumed`, `new_line` is the id of the resumed line."""

    id: UUID
    rule: str
    reasons: str
    measures: tuple[Measure, ...] = ()
    upheld: bool = False
    new_line: UUID | None = None


def rule_on(
    matches: MatchWriter,
    dispute_id: UUID,
    draft: Ruling,
    *,
    by: Actor,
    clocks: Clocks,
    at: datetime,
    expected_version: int | None = None,
    players: frozenset[Actor],
) -> DisputeStream:
    """Give an arbiter's ruling; a known ruling id changes nothing. `players`: players of the event.

    Raise `RoleMissing` or `ArbiterPlays` if `by` may not rule, `DisputeSettled` unless a ruling is due,
    `RulingRefused` for an invalid one, `StaleVersion` unless the dispute is at `expected_version`, and
    `AppealRefused` if `by` gave the first ruling or a committee hears the appeal.
    """

    def compose(batch: Transaction) -> DisputeStream:
        dispute = batch.get(DISPUTE, dispute_id).state
        role = sole_arbiter_role(matches, dispute, read_official_line(batch, dispute.line), by)
        return record_ruling(
            matches, batch, dispute_id, draft, by, role, clocks, expected_version=expected_version, players=players
        )

    return matches.transact(compose, at=at)


def record_ruling(
    matches: MatchWriter,
    batch: Transaction,
    dispute_id: UUID,
    draft: Ruling,
    by: Actor,
    role: Role,
    clocks: Clocks,
    *,
    motion: int = 0,
    expected_version: int | None = None,
    players: frozenset[Actor],
) -> DisputeStream:
    """Record a ruling in match, dispute and audit trail, void its what-ifs, and end its pause; once for each id.

    Raise the errors of `rule_on` for a bad or late ruling. `motion`: the committee's, or 0.
    """
    stream = batch.get(DISPUTE, dispute_id)
    dispute, match = stream.state, read_official_line(batch, stream.state.line)
    if any(decision.ruling.ruling == draft.id for decision in dispute.rulings):
        return stream
    check_waiting(dispute)
    authority: Authority = "" if match.format < 3 else authority_of(roles_in(batch), by, role)
    fact, on_appeal = ruling_fact(dispute, dispute_id, match, draft, by, authority), dispute.status == "appealed"
    remaining = clocks(match.id, match.version)
    before, remaining_after = summarise_match(match, remaining), subtract_time_penalties(remaining, match, fact)
    batch.append(match.id, lambda match: ruling.check_ruling(match, fact))
    for measure in fact.measures:
        if isinstance(measure, LineResumed):
            remaining_after = resume(matches, batch, match, fact, measure, clocks(match.id, measure.version))
    end_what_ifs(batch, dispute)
    decision = RuledOn(
        ruling=draft.id,
        by=by,
        role=role,
        rule=fact.rule,
        reasons=fact.reasons,
        before=before,
        after=summarise_match(read_official_line(batch, match.id), remaining_after),
        measures=fact.measures,
        upheld=fact.upheld,
        line=draft.new_line if any(isinstance(each, LineResumed) for each in fact.measures) else None,
        motion=motion,
    )
    stream = batch.record(DISPUTE, dispute_id, decision, expected_version=expected_version)
    leave_docket(matches, batch, dispute, dispute_id, players)
    hearing = dispute.hearing
    audit_record = RulingMade(
        by=by,
        role=role,
        event=dispute.event,
        match=match.id,
        dispute=dispute_id,
        ruling=draft.id,
        on_appeal=on_appeal,
        voices=hearing.vote_count(motion) if hearing else 0,
        members=len(hearing.members) if hearing else 0,
    )
    append_to_trail(batch, audit_record)
    return stream


def authority_of(roles: Roles, by: Actor, role: Role) -> Authority:
    """Return whether an arbiter may rule by such a role in the whole service, or in the event alone."""
    return "service" if by == SERVICE or holds(roles, by, role) else "event"


def ruling_fact(
    dispute: Dispute, dispute_id: UUID, match: Match, draft: Ruling, by: Actor, authority: Authority = ""
) -> RulingGiven:
    """Return the ruling as a fact for the official line; raise `AppealRefused` on an appeal of the author's ruling.

    Texts are stripped, the disputed entry is limited to the line's length, and resumed lines get the new id.
    """
    appeal_of = ""
    if dispute.status == "appealed":
        first = dispute.rulings[0].ruling
        if first.by == by:
            raise AppealRefused("the arbiter who gave the ruling cannot hear the appeal")
        appeal_of = str(first.ruling)
    measures = tuple(
        LineResumed(each.version, str(draft.new_line)) if isinstance(each, LineResumed) else each
        for each in draft.measures
    )
    return RulingGiven(
        ruling=str(draft.id),
        dispute=str(dispute_id),
        by=by,
        at=min(dispute.entry, match.version),
        rule=draft.rule.strip(),
        reasons=draft.reasons.strip(),
        measures=measures,
        appeal_of=appeal_of,
        upheld=draft.upheld,
        authority=authority,
    )


def resume(
    matches: MatchWriter,
    batch: Transaction,
    match: Match,
    fact: RulingGiven,
    resumed: LineResumed,
    remaining: tuple[int, ...],
) -> tuple[int, ...]:
    """Fork the line that continues from an earlier entry, and return its clocks after the penalties.

    Valid rulings given after that entry are repeated on the new line, except results and voids; `fact` is the
    last. Raise `RulingRefused` if no line can continue there.
    """
    base = matches.at(match.id, resumed.version)
    try:
        forking.check_position(base, resumed.version)
    except MatchError as refusal:
        raise RulingRefused(str(refusal)) from refusal
    line_id = UUID(resumed.line)
    seed = server_seed(matches.entropy, line_id)
    fork = forking.build_replacement(base, ruling=fact.ruling, clocks=remaining, seed=seed)
    if batch.fork(base, fork, line_id).version > base.version + 1:
        # The ruling has to follow the fork, before any consequence.
        raise RulingRefused(
            f"match {match.id} cannot continue from entry {resumed.version}, where no player has to act"
        )
    known_ids = {decision.ruling for decision in base.docket.rulings}
    later = [decision for decision in rulings_in_force(match.docket.rulings) if decision.ruling not in known_ids]
    repeated = [decision for decision in later if not any(isinstance(each, DECISIVE) for each in decision.measures)]
    for decision in (*repeated, fact):
        remaining = subtract_time_penalties(remaining, batch.match(line_id), decision)
        append_ruling(batch, line_id, decision)
    return remaining


def append_ruling(batch: Transaction, line_id: UUID, fact: RulingGiven) -> None:
    """Append a ruling to a line."""
    batch.append(line_id, lambda match: ruling.check_ruling(match, fact))


def end_what_ifs(batch: Transaction, dispute: Dispute) -> None:
    """Void the running what-ifs of a dispute, which would keep secrets of the match closed after its end."""
    for each in dispute.what_ifs:
        if not batch.match(each.line).is_over:
            batch.append(each.line, lambda match: commands.void(match, SERVICE, "its dispute has been ruled on"))
