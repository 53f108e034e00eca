"""The listed tables of an opener that wait for players."""

from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.matches.facts import Table
from domain.matches.seats.current_seats import is_listed_by
from tests.domain.matches.match_helpers import START, uuid

M = uuid(1)


def open_listed_table(matches: Matches, table: Table | None = None) -> None:
    matches.open(M, title="toy", seats=2, by="anna", at=START, table=table or Table())


def test_a_listed_table_waits_until_it_begins_or_is_given_up(matches: Matches) -> None:
    open_listed_table(matches)
    waits = is_listed_by(matches, M, "anna")

    given_up = matches.void(M, "anna", at=START)

    assert (waits, is_listed_by(matches, M, "anna"), is_listed_by(matches, M, "bea")) == (True, False, False)
    assert not replace(given_up, status="running").is_listed_and_waits


def test_an_opener_counts_their_own_tables_alone(matches: Matches) -> None:
    open_listed_table(matches)

    assert not is_listed_by(matches, M, "bea")


def test_a_private_table_is_not_listed(matches: Matches) -> None:
    open_listed_table(matches, Table(public=False))

    assert not is_listed_by(matches, M, "anna")


def test_an_unlisted_table_is_not_listed(matches: Matches) -> None:
    open_listed_table(matches, Table(listed=False))

    assert not is_listed_by(matches, M, "anna")
