"""Pairing sentences in records of version 0.9 are shown in their current wording, in every language."""

from __future__ import annotations

from string import Formatter
from typing import Final

import pytest

from api.http.languages import ENGLISH, LANGUAGES, catalogue, say, use_language
from api.tournaments.pages.context import Reasons
from api.tournaments.reasons import with_names
from domain.kernel.messages import Message
from domain.pairing.former_sentences import CURRENT
from ops.dev.catalogues.scan import sentences
from tests.domain.standings.test_recorded_contests import NAMES, recorded_cup

STORED: Final = (
    "something forbidden",
    "two of one family at a table",
    "two of one club at a table",
    "another short table for somebody who had one",
    "wider differences of score",
    "a seat somebody has had more often",
    "Their scores lie between {fewest} and {most}.",
    "A short table is needed, and nobody here had one before.",
    "{first} and {second} must not meet: the organiser has seated them together all the same.",
    "Everybody here has the same score: {points}.",
    "{first} and {second} have met before: without that, something that weighs more or as much would go.",
    "A short table is needed; everybody who had none yet is used up, or kept apart otherwise.",
    "It is the first round: the seats are by lot.",
    "Nobody here has met anybody else at this table before.",
    "With {theirs} of table {table} in the place of {mine} the scores would be nearer: {cost}.",
    "This table follows from the schedule, in which everybody meets everybody equally often.",
    "This table follows from the schedule, in which meetings are spread as evenly as was found.",
    "This table follows from the bracket: those who lost as often meet, the best ranked spread out.",
    "a repeated meeting",
    "The organiser has set this table.",
    "{first} and {second} must sit together.",
    "{first} and {second} must not meet",
    "{first} and {second} must sit together",
)
"""Every sentence that `PairingProposed`, `PairingEdited`, `PairingFailed` and `TablesReseated` could hold in 0.9."""


def stored_message(id: str) -> Message:
    """Return a stored message with a value for each placeholder."""
    names = [name for _, name, _, _ in Formatter().parse(id) if name]
    return Message(
        id, {name: Message("something forbidden") if name == "cost" else f"e{at}" for at, name in enumerate(names, 1)}
    )


@pytest.mark.parametrize("id", STORED)
def test_every_stored_sentence_has_a_current_wording(id: str) -> None:
    known = {sentence.id for sentence in sentences()}

    assert CURRENT.get(id, id) in known


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != ENGLISH])
def test_every_current_wording_is_translated(language: str) -> None:
    forms = catalogue(language).forms

    assert not {CURRENT.get(id, id) for id in STORED} - forms.keys()
    assert not CURRENT.keys() & forms.keys(), "a former sentence is still in the catalogue"


def test_every_former_sentence_is_one_that_records_hold() -> None:
    assert CURRENT.keys() <= set(STORED)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id", STORED)
def test_a_stored_sentence_is_shown_in_its_current_wording(language: str, id: str) -> None:
    message, names = stored_message(id), {"e1": "Anna", "e2": "Bea"}

    with use_language(language):
        shown = say(with_names(message, names))
        pattern = say(Message(CURRENT.get(id, id)))
    cost = catalogue(language).forms["a broken pairing rule"][0] if language != ENGLISH else "a broken pairing rule"

    assert "Anna" in shown or "{" not in id
    assert (pattern == CURRENT.get(id, id)) == (language == ENGLISH)
    assert shown == pattern.format(
        **{name: cost if name == "cost" else names.get(str(value), value) for name, value in message.args.items()}
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_recorded_tournament_shows_no_former_sentence(language: str) -> None:
    state = recorded_cup().state
    message_ids = [message.id for last in state.rounds for table in last.tables for message in table.reasons]
    reasons = Reasons(state, NAMES)

    assert CURRENT.keys() & set(message_ids), "the record holds sentences in their former wording"
    with use_language(language):
        shown = [
            say(message)
            for round_, last in enumerate(state.rounds, start=1)
            for table in range(1, len(last.tables) + 1)
            for message in reasons[round_, table]
        ]
    assert len(shown) == len(message_ids)
    assert not set(shown) & CURRENT.keys()
    if language == ENGLISH:
        assert "First round: seats are drawn by lot." in shown
