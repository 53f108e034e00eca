"""Sentences of matches are in the catalogues and can be rendered in every language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from api.http.languages import LANGUAGES, say, use_language
from api.titles.drawing import load_drawings
from domain.kernel.messages import Message
from domain.kernel.rules import SERVICE_SEAT
from domain.matches.aggregate import Match, view
from domain.matches.apply import apply, fold
from domain.matches.facts import ActionTaken, MatchStarted
from domain.matches.log.log_files import read_log
from domain.matches.titles import read_fact
from domain.titles import TITLES
from ops.dev.catalogues.scan import sentences
from ops.dev.laws.walk import walk
from projections.matches.narration import narrate_fact
from tests.seeding import one_in

GOLDEN: Final = sorted((Path(__file__).parents[2] / "golden").glob("*.jsonl"))
LOOKED_AT: Final = 7
"""Interval of entries at which all legal actions are described."""


@pytest.fixture(scope="module")
def known_sentences() -> frozenset[tuple[str, str | None]]:
    """Return message id and plural of every sentence in the sources."""
    return frozenset((sentence.id, sentence.plural) for sentence in sentences())


def parts(message: Message) -> Iterator[Message]:
    """Yield the message and the terms in it."""
    yield message
    for value in message.args.values():
        if isinstance(value, Message):
            yield from parts(value)


def shape(message: Message) -> tuple[Any, ...]:
    """Return the structure of a message, without numbers and names."""
    args = ((name, shape(value)) for name, value in message.args.items() if isinstance(value, Message))
    return (message.id, message.plural, message.count if message.plural else 1, *args)


class DistinctMessages:
    """One message of each structure: hundreds instead of many thousands."""

    def __init__(self, *messages: Message) -> None:
        self.by_shape: dict[tuple[Any, ...], Message] = {}
        self.add(messages)

    def add(self, messages: Iterable[Message]) -> None:
        for message in messages:
            self.by_shape.setdefault(shape(message), message)


def unknown(messages: DistinctMessages, known_sentences: frozenset[tuple[str, str | None]]) -> set[str]:
    """Return the messages that are not in the catalogues."""
    pairs = {(part.id, part.plural) for message in messages.by_shape.values() for part in parts(message)}
    single = {id for id, _ in known_sentences}
    return {id for id, plural in pairs if (id, plural) not in known_sentences and not (plural is None and id in single)}


DRAWINGS: Final = load_drawings(TITLES)


def narrate_to_readers(match: Match, fact: Any) -> Iterator[Message]:
    """Yield the narration of a fact for every reader."""
    yield from narrate_fact(fact)
    if isinstance(fact, ActionTaken | MatchStarted):
        for reader in (None, *range(len(match.seats))):
            yield from match.definition.rules.narrate(view(match, reader), fact.effects)


def describe_actions(match: Match) -> Iterator[Message]:
    """Yield the descriptions of all legal actions, and the prompt."""
    rules, drawing = match.definition.rules, DRAWINGS[match.title]
    for seat in rules.seats_to_act(match.state):
        seen, legal = (
            rules.view(match.state, None if seat == SERVICE_SEAT else seat),
            rules.legal_actions(match.state, seat),
        )
        yield from (rules.describe(seen, action) for action in legal)
        if drawing.prompt is not None:
            yield drawing.prompt(seen, legal)


def can_be_said(messages: DistinctMessages) -> None:
    """Assert that every message renders in every language."""
    for language in LANGUAGES:
        with use_language(language):
            assert all(say(message).strip() for message in messages.by_shape.values())


@pytest.mark.parametrize("path", one_in(4, GOLDEN, "sentences"), ids=lambda path: path.stem)
def test_golden_matches_use_only_catalogued_messages(
    path: Path, known_sentences: frozenset[tuple[str, str | None]]
) -> None:
    log = read_log(path)
    messages, match = DistinctMessages(), fold(TITLES, log.entries[:1])
    for number, entry in enumerate(log.entries[1:]):
        match = apply(match, entry)
        messages.add(narrate_to_readers(match, read_fact(match.definition, entry)))
        if match.status == "running" and number % LOOKED_AT == 0:
            messages.add(describe_actions(match))

    assert unknown(messages, known_sentences) == set()
    can_be_said(messages)


@pytest.mark.parametrize(("title", "seats"), [("la_granja", 3), ("la_granja", 1), ("el_grande", 2), ("el_grande", 4)])
def test_random_matches_use_only_catalogued_messages(
    title: str, seats: int, known_sentences: frozenset[tuple[str, str | None]]
) -> None:
    played, messages = TITLES[title], DistinctMessages()
    for step in walk(played, seats, "said", is_read=False):
        before = played.rules.view(step.state, None if step.seat == SERVICE_SEAT else step.seat)
        messages.add(played.rules.describe(before, action) for action in step.legal[step.seat])
        messages.add(played.rules.narrate(played.rules.view(step.after, None), step.effects))

    assert unknown(messages, known_sentences) == set()
    can_be_said(messages)


def test_an_uncatalogued_message_is_found(known_sentences: frozenset[tuple[str, str | None]]) -> None:
    never = Message("Nobody ever says {what}", {"what": Message("this either")})

    assert unknown(DistinctMessages(Message("Draw 1 card"), never), known_sentences) == {
        "Nobody ever says {what}",
        "this either",
    }
