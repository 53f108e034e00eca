"""The sender of a command learns whether anything was appended, even if it was rejected later."""

from functools import partial

from domain.eventstore.appends import APPENDS, Appends
from domain.eventstore.application import Matches
from domain.eventstore.group_commit import Command, together
from tests.domain.eventstore.commanding import act, write, write_and_refuse
from tests.domain.matches.world import BOT, started, uuid


def counted(matches: Matches, *commands: Command) -> int:
    """Return the number of entries, records and notes that these commands appended."""
    appends = Appends()
    token = APPENDS.set(appends)
    try:
        together(matches, commands)
    finally:
        APPENDS.reset(token)
    return appends.count


def test_what_a_command_alone_and_what_a_group_appends_is_counted(matches: Matches) -> None:
    write("first page", matches)

    assert counted(matches, partial(write, "page")) == 1
    assert counted(matches, partial(write, "page"), partial(write, "page")) == 2


def test_a_refusal_without_an_append_counts_nothing(matches: Matches) -> None:
    started(matches, uuid(1), (BOT, BOT))

    assert counted(matches, partial(act, 1, 0, "nobody", None, 3)) == 0
    assert counted(matches, lambda store: store.get(uuid(1))) == 0


def test_a_command_that_records_its_own_refusal_counts(matches: Matches) -> None:
    write("first page", matches)

    assert counted(matches, partial(write_and_refuse, "page")) == 1
    assert counted(matches, partial(write_and_refuse, "page"), partial(write, "page")) == 2


def test_nothing_is_counted_for_a_sender_that_did_not_ask(matches: Matches) -> None:
    assert APPENDS.get() is None
    together(matches, [partial(write, "page")])
