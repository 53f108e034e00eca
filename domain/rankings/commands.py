"""Commands about ranking lists in the store, each one transaction."""

from collections.abc import Callable
from datetime import datetime
from typing import Final
from uuid import UUID

from domain.kernel.values import Value
from domain.matches.facts import SERVICE, Actor
from domain.matches.log.records import Stream
from domain.matches.transaction import MatchReader, MatchWriter, Transaction
from domain.rankings.content import CONTENT, AnyPart, content_id, part_count
from domain.rankings.duties import due_period
from domain.rankings.errors import ContentMissing, MonthNotReady, RankingRefused
from domain.rankings.facts import Fact, ListDefined, ListResumed, ListRetired, MonthClosed, MonthResults, RuleChanged
from domain.rankings.members import MEMBERS, changes_of, members_id
from domain.rankings.rule import RankingRule, Sizes, check_rule, ranking_id
from domain.rankings.state import RANKING, Ranking
from domain.ratings.ladder import end_of_month, month_of
from domain.roles.commands import append_to_trail, audit_fact

Decide = Callable[[Ranking], Fact | None]
RankingStream = Stream[Ranking]

ACTS: Final = {
    ListDefined: "list_defined",
    RuleChanged: "list_changed",
    ListRetired: "list_retired",
    ListResumed: "list_resumed",
}
"""Names of the acts of administrators in the audit trail."""


def define_list(matches: MatchWriter, fact: ListDefined, sizes: Sizes, *, at: datetime) -> RankingStream:
    """Define a list; the same request again returns the existing one.

    Raise `RankingRefused` for a rule that contradicts itself, or if the key is in use.
    """
    check_rule(fact.rule, sizes)
    stream_id = ranking_id(fact.key)

    def compose(batch: Transaction) -> RankingStream:
        stream = batch.find(RANKING, stream_id)
        if stream is None:
            stream = batch.record(RANKING, stream_id, fact)
            note_act(batch, stream_id, stream.version, fact)
            return stream
        if RANKING.read(matches.streams.records(stream_id, 0, 1)[0]) != fact:
            raise RankingRefused(f"another list has the key {fact.key!r}")
        return stream

    return matches.transact(compose, at=at)


def define_standard_list(matches: MatchWriter, fact: ListDefined, sizes: Sizes, *, at: datetime) -> RankingStream:
    """Define a standard list in the name of the service, unless its key is in use."""
    return matches.streams.find(RANKING, ranking_id(fact.key)) or define_list(matches, fact, sizes, at=at)


def change_list(
    matches: MatchWriter, stream_id: UUID, decide: Decide, *, at: datetime, expected_version: int | None = None
) -> RankingStream:
    """Record the fact that `decide` returns, if any, with a line in the audit trail.

    Raise `StaleVersion` unless the list is at `expected_version`, and the errors of `decide`.
    """

    def compose(batch: Transaction) -> RankingStream:
        stream = batch.get(RANKING, stream_id)
        fact = decide(stream.state)
        if fact is None:
            return stream
        stream = batch.record(RANKING, stream_id, fact, expected_version=expected_version)
        note_act(batch, stream_id, stream.version, fact)
        return stream

    return matches.transact(compose, at=at)


def note_act(batch: Transaction, stream_id: UUID, version: int, fact: Fact) -> None:
    """Note an act of an administrator in the audit trail; steps of the service are not noted."""
    if fact.by != SERVICE:
        reason = "" if isinstance(fact, ListDefined | MonthClosed) else fact.reason
        append_to_trail(batch, audit_fact(batch, fact.by, stream_id, ACTS[type(fact)], version, reason))


def change_rule(ranking: Ranking, by: Actor, rule: RankingRule, reason: str, sizes: Sizes) -> RuleChanged | None:
    """Change the rule from the next closed month on; None if it is the current one.

    Raise `RankingRefused` without a reason, or for a rule that contradicts itself.
    """
    require_reason("a new rule", reason)
    check_rule(rule, sizes)
    return None if rule == ranking.rule else RuleChanged(by, rule, reason)


def retire(ranking: Ranking, by: Actor, reason: str) -> ListRetired:
    """Close no further months; raise `RankingRefused` if the list is retired already."""
    require_reason("the end of a list", reason)
    if ranking.is_retired:
        raise RankingRefused(f"the list {ranking.key!r} is retired already")
    return ListRetired(by, reason)


def resume(ranking: Ranking, by: Actor, reason: str) -> ListResumed:
    """Close months again; raise `RankingRefused` unless the list is retired."""
    require_reason("the return of a list", reason)
    if not ranking.is_retired:
        raise RankingRefused(f"the list {ranking.key!r} is not retired")
    return ListResumed(by, reason)


def require_reason(act: str, reason: str) -> None:
    """Raise `RankingRefused` without a reason."""
    if not reason.strip():
        raise RankingRefused(f"{act} needs a reason")


class MonthCount(Value, frozen=True):
    """The basis of a closed month, and its list."""

    period: int
    changed: tuple[MonthResults, ...]
    lines: int
    list: str
    members: int = 0
    members_digest: str = ""


def close_month(ranking: Ranking, count: MonthCount, at: datetime) -> MonthClosed:
    """Close the next month of a list.

    Raise `RankingRefused` unless it is the next one, and `MonthNotReady` before its end.
    """
    due, month = due_period(ranking), month_of(count.period)
    if due != count.period:
        expected = "none" if due is None else month_of(due)
        raise RankingRefused(f"the month {month} of {ranking.key!r} cannot be closed; the next one is {expected}")
    if at < end_of_month(count.period):
        raise MonthNotReady(f"the month {month} is not over")
    return MonthClosed(
        by=SERVICE,
        number=len(ranking.closings) + 1,
        month=month,
        rule=ranking.current.version,
        members=count.members,
        members_digest=count.members_digest,
        results=count.changed,
        lines=count.lines,
        list=count.list,
    )


def store_part(matches: MatchWriter, digest: str, number: int, part: AnyPart, *, at: datetime) -> None:
    """Store a part of a content, from 1, unless it is stored; raise `ContentMissing` if the part before is missing."""
    stream_id = content_id(digest)

    def compose(batch: Transaction) -> None:
        stream = batch.find(CONTENT, stream_id)
        stored = 0 if stream is None else stream.version
        if stored < number - 1:
            raise ContentMissing(f"part {number} of the content {digest} follows part {stored}")
        if stored < number:
            batch.record(CONTENT, stream_id, part)

    matches.transact(compose, at=at)


def is_stored(matches: MatchReader, digest: str, count: int) -> bool:
    """Return whether all lines of a content are stored; `count` is their number."""
    if not count:
        return True
    stream = matches.streams.find(CONTENT, content_id(digest))
    return stream is not None and stream.version == part_count(count)


def set_members(matches: MatchWriter, ranking: UUID, wanted: frozenset[Actor], *, at: datetime) -> int:
    """Record the changes after which a list has these members; return the version of their stream, 0 without one."""
    stream_id = members_id(ranking)

    def compose(batch: Transaction) -> int:
        stream = batch.find(MEMBERS, stream_id)
        facts = tuple(changes_of(SERVICE, frozenset() if stream is None else stream.state, wanted))
        if facts:
            stream = batch.record(MEMBERS, stream_id, *facts)
        return 0 if stream is None else stream.version

    return matches.transact(compose, at=at)
