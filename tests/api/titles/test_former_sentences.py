"""Descriptions of actions in studies and analyses of version 0.9 are shown in their current wording."""

from __future__ import annotations

from string import Formatter

import msgspec
import pytest

from api.http.languages import ENGLISH, FORMER_SENTENCES, LANGUAGES, say, use_language
from api.studies.commands import encode_step
from domain.kernel.messages import Message
from domain.studies.facts import StudyStep
from ops.dev.catalogues.scan import sentences


def placeholders(id: str) -> set[str]:
    """Return the names of the placeholders of a message."""
    return {name for _, name, _, _ in Formatter().parse(id) if name}


def test_a_former_sentence_leads_to_a_current_one_with_the_same_arguments() -> None:
    known = {sentence.id for sentence in sentences()}

    assert FORMER_SENTENCES
    for former, current in FORMER_SENTENCES.items():
        assert (former in known, current in known) == (False, True), former
        assert placeholders(former) == placeholders(current)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("former", FORMER_SENTENCES)
def test_a_stored_sentence_is_shown_in_its_current_wording(language: str, former: str) -> None:
    args = {name: Message("Galicia") for name in placeholders(former)}
    current = Message(FORMER_SENTENCES[former], args)

    with use_language(language):
        shown = say(Message(former, args))
        assert shown == say(current)
    assert (shown == say(current)) == (language == ENGLISH)


def test_a_step_of_a_study_is_shown_in_the_current_wording() -> None:
    nothing = msgspec.Raw(b"{}")

    shown = encode_step(StudyStep(0, nothing, nothing, Message("Call nobody to the Court")))

    assert shown.text == "Call no caballeros to the Court"
