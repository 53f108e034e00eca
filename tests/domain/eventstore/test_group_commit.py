"""A group is one transaction; rejections and conflicts in it do not affect other commands."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from eventsourcing.persistence import DataError, IntegrityError

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.eventstore.group_commit import Command, Group, run_group
from domain.eventstore.retry import ResponseTimeout
from domain.matches.aggregate import Match, legal_actions, seats_to_act
from domain.matches.errors import MatchExists, NotSeated, StaleVersion
from domain.matches.facts import SERVICE
from tests.domain.eventstore.commands import DIARY_ID, PEOPLE, act, open_and_sit, pause, to_comparable, write
from tests.domain.eventstore.faulty_stores import (
    DIARY,
    PageWritten,
    faulty,
    second_to,
)
from tests.domain.matches.match_helpers import BOT, START, act_once, start_match, uuid

Opened = Callable[[], Matches]


def bot_match(matches: Matches, number: int) -> Match:
    return start_match(matches, uuid(number), (BOT, BOT))


def next_act(matches: Matches, number: int) -> Command:
    """Return the next action of a match of bots."""
    match = matches.get(uuid(number))
    seat = seats_to_act(match)[0]
    return partial(act, number, seat, BOT, legal_actions(match, seat)[0], match.version)


def test_a_group_is_one_transaction_and_one_notification(matches: Matches) -> None:
    heard = list[dict[Any, int]]()
    acts = [next_act(matches, bot_match(matches, number).id.int) for number in range(1, 5)]
    store = faulty(matches)
    matches.dependencies.on_append = lambda _, versions: heard.append(dict(versions))

    outcomes = run_group(matches, [*acts, partial(write, "page")])

    assert store.stored == 1
    grown = {outcome.answer.id: outcome.answer.version for outcome in outcomes[:4]}
    assert heard == [{**grown, DIARY_ID: 2}]


def test_a_rejection_does_not_affect_other_commands(matches: Matches) -> None:
    bot_match(matches, 1)
    good, stale = next_act(matches, 1), next_act(matches, 1)
    foul = partial(act, 1, 0, "nobody", None, 3)

    outcomes = run_group(matches, [foul, good, partial(act, 7, 0, BOT, None, 1), stale, partial(write, "page")])

    assert [type(each.refusal).__name__ for each in outcomes] == [
        "NotSeated",
        "NoneType",
        "NoSuchMatch",
        "NoneType",
        "NoneType",
    ]
    # The same action at the same version gets the first response, even within a group.
    assert to_comparable(outcomes[3]) == to_comparable(outcomes[1])
    assert matches.get(uuid(1)).head == outcomes[1].get_result().head
    with pytest.raises(NotSeated):
        outcomes[0].get_result()


def test_a_timeout_fails_the_whole_group_without_waiting_again(matches: Matches) -> None:
    acts = [next_act(matches, bot_match(matches, number).id.int) for number in (1, 2)]
    store = faulty(matches)
    calls = list[str]()

    def silent(_: Matches) -> None:
        calls.append("silent")
        raise ResponseTimeout("the database gives no answer")

    outcomes = run_group(matches, [acts[0], silent, acts[1]])

    assert [type(outcome.refusal) for outcome in outcomes] == [ResponseTimeout] * 3
    assert (store.stored, calls) == (0, ["silent"])


def test_a_conflict_does_not_affect_other_commands(matches: Matches, reopen_store: Opened) -> None:
    other = reopen_store()
    for number in (1, 2, 3):
        bot_match(matches, number)
    acts = [next_act(matches, number) for number in (1, 2, 3)]
    theirs = act_once(other, other.get(uuid(2)))
    store = faulty(matches)

    outcomes = run_group(matches, acts)

    assert [each.refusal for each in (outcomes[0], outcomes[2])] == [None, None]
    # The other process took another action or the same one; the same one counts as this command's response.
    assert outcomes[1].refusal is None or isinstance(outcomes[1].refusal, StaleVersion)
    assert matches.get(uuid(2)).head == theirs.head
    assert store.stored <= 2


def test_repeated_conflicts_do_not_affect_other_commands(matches: Matches, reopen_store: Opened) -> None:
    other = reopen_store()
    bot_match(matches, 1)
    store = faulty(matches)
    store.faults = iter([second_to(partial(write, f"theirs {number}", other)) for number in range(4)])

    outcomes = run_group(matches, [next_act(matches, 1), partial(write, "ours"), partial(write, "and ours")])

    assert [each.refusal for each in outcomes] == [None, None, None]
    pages = matches.streams.get(DIARY, DIARY_ID).state.pages
    assert sorted(pages) == sorted([*(f"theirs {number}" for number in range(4)), "ours", "and ours"])
    assert pages.index("ours") < pages.index("and ours")


def test_a_rejection_based_on_outdated_state_is_retried(matches: Matches, reopen_store: Opened) -> None:
    """The group adds nothing to the rejected command's match, so it is read again before the rejection is returned."""
    other = reopen_store()
    start_match(matches, uuid(1), PEOPLE)
    matches.pause(uuid(1), SERVICE, at=START)
    bot_match(matches, 2)
    other.resume(uuid(1), "anna", at=START)

    seen, ours = run_group(matches, [partial(pause, 1, 0), next_act(matches, 2)])

    assert (seen.refusal, ours.refusal) == (None, None)
    assert matches.get(uuid(1)).pause_asked_by == (0,)


def test_a_transaction_composed_concurrently_loses_to_its_group(matches: Matches) -> None:
    write("first", matches)
    bot_match(matches, 1)
    composed = matches.compose(lambda batch: batch.record(DIARY, DIARY_ID, PageWritten("beside")), at=START)

    first, lost, act_ = run_group(
        matches, [partial(write, "second"), lambda store: store.commit(composed), next_act(matches, 1)]
    )

    assert (first.answer, act_.refusal) == (3, None)
    assert isinstance(lost.refusal, IntegrityError)


def test_a_transaction_composed_concurrently_loses_to_the_store(matches: Matches) -> None:
    write("first", matches)
    bot_match(matches, 1)
    composed = matches.compose(lambda batch: batch.record(DIARY, DIARY_ID, PageWritten("beside")), at=START)
    write("second", matches)
    store = faulty(matches)

    lost, act_ = run_group(matches, [lambda each: each.commit(composed), next_act(matches, 1)])

    assert isinstance(lost.refusal, IntegrityError)
    assert (act_.refusal, store.stored) == (None, 1)


def test_an_unstorable_command_does_not_affect_other_commands(matches: Matches) -> None:
    """The store rejects the whole transaction; the halves isolate the bad command."""
    bot_match(matches, 1)
    store = faulty(matches)

    def no_data(insert: Any) -> Any:
        raise DataError("that is no text")

    store.faults = iter([no_data] * 3)
    outcomes = run_group(matches, [partial(write, "good"), partial(write, "too"), next_act(matches, 1)])

    assert [type(each.refusal).__name__ for each in outcomes] == ["DataError", "NoneType", "NoneType"]


def test_a_match_opened_forked_and_read_within_one_group(matches: Matches) -> None:
    """A table is opened, its id cannot be reused, and a fork of another match has its history."""
    bot_match(matches, 1)
    while not (match := matches.get(uuid(1))).is_over:
        act_once(matches, match)

    def fork(store: Matches) -> Match:
        return fork_match(store, uuid(1), at_version=9, new_id=uuid(3), luck="same", by="anna", at=START)

    def open_otherwise(store: Matches) -> Match:
        return store.open(uuid(2), title="toy", seats=3, by="bea", at=START)

    def past(store: Matches) -> tuple[str, int, int]:
        assert [entry.version for entry in store.entries(uuid(3), 7, 3)] == [8, 9, 10]
        return store.at(uuid(3), 9).head, len(store.lines.notes(uuid(1))), len(store.entries(uuid(2)))

    outcomes = run_group(matches, [partial(open_and_sit, 2), open_otherwise, fork, past])

    assert isinstance(outcomes[1].refusal, MatchExists)
    assert outcomes[3].get_result() == (matches.at(uuid(1), 9).head, 1, 2)
    assert matches.get(uuid(3)).head == outcomes[2].get_result().head


def test_a_group_of_nothing_and_one_of_a_single_command(matches: Matches) -> None:
    assert Group(matches).store() == []
    group = Group(matches)
    group.add(partial(write, "alone"))
    assert (len(group), to_comparable(group.store()[0])) == (1, 2)
    assert run_group(matches, []) == []


def test_a_group_counts_the_entries_and_records_that_wait(matches: Matches) -> None:
    bot_match(matches, 1)
    group = Group(matches)
    group.add(partial(write, "page"))
    written = group.event_count

    group.add(next_act(matches, 1))

    assert (written, group.event_count) == (2, 3)


def test_the_store_outlives_what_was_pending_on_it(matches: Matches) -> None:
    group = Group(matches)
    group.add(partial(write, "never stored"))
    del group

    assert write("stored", matches) == 2


def test_a_scan_of_the_log_sees_earlier_commands_of_the_group(matches: Matches) -> None:
    """Otherwise two concurrent requests could both take the last rated table."""
    bot_match(matches, 1)
    acts = [next_act(matches, 1)]
    before = matches.read_log_items(0, 1_000)
    newest = before[-1][0]

    def look(pending: Matches) -> Any:
        assert pending.last_position() == newest + 1 + len(pending.read_log_items(newest + 1, 10))
        return pending.read_log_items(newest, 10), pending.read_log_items(newest + 1, 10), pending.read_log_items(0, 3)

    outcomes = run_group(matches, [*acts, look, partial(write, "page"), look])
    (first, later, early), (both, _, _) = outcomes[1].get_result(), outcomes[3].get_result()

    assert [each.version for _, each in first] == [outcomes[0].get_result().version]
    assert later == []
    assert early == before[:3]
    assert len(both) > len(first)
