"""The sender of a command learns whether anything was appended, even if it was rejected later."""

from functools import partial

from domain.eventstore.appends import APPENDS, Appends
from domain.eventstore.application import Matches
from domain.eventstore.group_commit import Command, run_group
from tests.domain.eventstore.commands import act, write, write_and_refuse
from tests.domain.matches.match_helpers import BOT, start_match, uuid


def count_appends(matches: Matches, *commands: Command) -> int:
    """Return the number of entries, records and notes that these commands appended."""
    appends = Appends()
    token = APPENDS.set(appends)
    try:
        run_group(matches, commands)
    finally:
        APPENDS.reset(token)
    return appends.count


def test_what_a_command_alone_and_what_a_group_appends_is_counted(matches: Matches) -> None:
    write("first page", matches)

    assert count_appends(matches, partial(write, "page")) == 1
    assert count_appends(matches, partial(write, "page"), partial(write, "page")) == 2


def test_a_refusal_without_an_append_counts_nothing(matches: Matches) -> None:
    start_match(matches, uuid(1), (BOT, BOT))

    assert count_appends(matches, partial(act, 1, 0, "nobody", None, 3)) == 0
    assert count_appends(matches, lambda store: store.get(uuid(1))) == 0


def test_a_command_that_records_its_own_refusal_counts(matches: Matches) -> None:
    write("first page", matches)

    assert count_appends(matches, partial(write_and_refuse, "page")) == 1
    assert count_appends(matches, partial(write_and_refuse, "page"), partial(write, "page")) == 2


def test_nothing_is_counted_for_a_sender_that_did_not_ask(matches: Matches) -> None:
    assert APPENDS.get() is None
    run_group(matches, [partial(write, "page")])
