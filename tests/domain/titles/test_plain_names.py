"""Sentences name cards, spaces and tiles by their names, never by an index or a code."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from domain.kernel.messages import say
from domain.kernel.rules import SERVICE_SEAT
from domain.matches.facts import ActionTaken, MatchStarted
from domain.matches.log.log_files import read_log
from domain.matches.titles import read_fact
from domain.titles import TITLES

GOLDEN: Final = Path(__file__).parents[2] / "golden"
MATCHES: Final = (
    ("la_granja", "la_granja-2-eager-33"),
    ("el_grande", "el_grande-2-eager-8"),
    ("el_grande", "el_grande-3-eager-3"),
)
CODE: Final = re.compile(
    r"\(-?\d+, ?-?\d+\)"  # a space by its coordinates
    r"|\b[A-Z]\d{1,2}\b"  # a tile by its print mark
    r"|\b(?<!power )(?<!grey )[cC]ard \d"  # a card by its number
    r"|\b(?:s\d|nr|vet)-"  # a card by its id
    r"|_"
)
EVERY: Final = 6
"""The interval, in entries, at which legal actions are described."""


def sentences(title: str, name: str) -> Iterator[str]:
    """Yield the log as a spectator reads it, and the descriptions of legal actions."""
    rules = TITLES[title].rules
    state: Any = None
    for number, entry in enumerate(read_log(GOLDEN / f"{name}.jsonl").entries):
        fact = read_fact(TITLES[title], entry)
        if not isinstance(fact, MatchStarted | ActionTaken):
            continue
        for effect in fact.effects:
            state = rules.evolve(state, effect)
        yield from map(say, rules.narrate(rules.view(state, None), fact.effects))
        for seat in () if number % EVERY else rules.seats_to_act(state):
            if seat != SERVICE_SEAT:
                view = rules.view(state, seat)
                yield from (say(rules.describe(view, action)) for action in rules.legal_actions(state, seat))


@pytest.mark.parametrize(("title", "name"), MATCHES)
def test_no_sentence_names_anything_by_a_code(title: str, name: str) -> None:
    texts = set(sentences(title, name))

    assert len(texts) > 100
    assert [sentence for sentence in sorted(texts) if CODE.search(sentence)] == []
