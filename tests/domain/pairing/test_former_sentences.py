"""Stored pairing sentences are read in their current wording."""

from __future__ import annotations

from string import Formatter

from domain.kernel.messages import Message
from domain.pairing.former_sentences import CURRENT, with_current_wording


def placeholders(id: str) -> set[str]:
    """Return the names of the placeholders of a message."""
    return {name for _, name, _, _ in Formatter().parse(id) if name}


def test_a_former_sentence_leads_to_a_current_one_with_the_same_arguments() -> None:
    for former, current in CURRENT.items():
        assert current not in CURRENT
        assert placeholders(former) == placeholders(current)


def test_arguments_are_kept_and_a_message_among_them_is_reworded() -> None:
    stored = Message(
        "With {theirs} of table {table} in the place of {mine} the scores would be nearer: {cost}.",
        {"theirs": "a", "table": 2, "mine": "b", "cost": Message("something forbidden")},
    )

    current = with_current_wording(stored)

    assert current.id == CURRENT[stored.id]
    assert current.args == {**stored.args, "cost": Message("a broken pairing rule")}


def test_a_sentence_that_was_never_reworded_stays_as_it_is() -> None:
    message = Message("{first} and {second} must sit together.", {"first": "a", "second": "b"})

    assert with_current_wording(message) == message
