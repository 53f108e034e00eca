"""Limits of confirmation letters: strangers cannot use up a person's letters, and only sent letters count."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.http.identity import Person
from api.http.limits import LETTERS_FROM_ONE_PER_HOUR, LETTERS_TO_ONE_PER_DAY, LIMITS
from api.notifications.errors import TooManyLetters
from api.notifications.service import CONFIRMATIONS_MAX, NOTIFICATIONS

NUMBERS = count(1)
HERE, THERE = "192.0.2.1", "198.51.100.9"
Ask = Callable[[Person, str, str], None]


@pytest.fixture
def ask(own_client: TestClient[Any]) -> Ask:
    """Return a function that requests a letter for a person, an address and a network."""

    def ask(person: Person, address: str, network: str) -> None:
        with own_client.portal() as portal:
            portal.call(NOTIFICATIONS.of(own_client).set_address, person, address, network)

    return ask


def account(client: TestClient[Any], age: timedelta = timedelta()) -> Person:
    created: Person = PEOPLE.of(client).create(
        f"Lena {next(NUMBERS)}", "correct horse battery", datetime.now(UTC) - age
    )
    return created


def test_strangers_in_other_networks_do_not_use_up_a_mailbox(own_client: TestClient[Any], ask: Ask) -> None:
    for _ in range(LETTERS_TO_ONE_PER_DAY):
        ask(account(own_client), "ann@example.org", THERE)
    with pytest.raises(TooManyLetters, match="mails a day to one address"):
        ask(account(own_client), "ann@example.org", THERE)

    ask(account(own_client), "ann@example.org", HERE)


def test_an_older_account_is_not_limited_by_others_in_its_network(own_client: TestClient[Any], ask: Ask) -> None:
    for _ in range(LETTERS_TO_ONE_PER_DAY):
        ask(account(own_client), "ann@example.org", HERE)

    ask(account(own_client, timedelta(days=2)), "ann@example.org", HERE)


def test_a_letter_rejected_for_its_account_does_not_count_for_others(own_client: TestClient[Any], ask: Ask) -> None:
    mallory = account(own_client)
    for number in range(CONFIRMATIONS_MAX):
        ask(mallory, f"mallory{number}@example.org", HERE)
    for _ in range(LETTERS_FROM_ONE_PER_HOUR):
        with pytest.raises(TooManyLetters, match="for one account"):
            ask(mallory, "ann@example.org", HERE)

    ask(account(own_client), "ann@example.org", HERE)


def test_letters_per_network_are_limited(own_client: TestClient[Any], ask: Ask) -> None:
    with own_client.portal() as portal:
        spend = LIMITS.of(own_client).spend
        assert portal.call(spend, "letter_from_one", HERE, LETTERS_FROM_ONE_PER_HOUR - 1) is None
    ask(account(own_client), "ann@example.org", HERE)

    with pytest.raises(TooManyLetters, match="mails an hour from one network address"):
        ask(account(own_client), "ben@example.org", HERE)
    ask(account(own_client), "ben@example.org", THERE)
