"""The English of every room reads like the English of the libraries that we admire."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from ops.dev.prose import ROOT, Count, Text, count, files, is_bare_participle, marks_in, python_texts, rooms

LIMIT: Final = 3.0
"""Marked phrases per 1,000 words; well-known libraries have 0.1 to 1.8."""
SMALL: Final = 200
"""Below this number of words a room may have one marked phrase."""
DEFINITION: Final = re.compile(r"\bdef\s+(\w+)")
OPERATION_IDS: Final = {"come", "come_back"}
"""Route handlers whose names are public: clients know them as operation ids of the OpenAPI document."""


def limit_of(room: str, counted: Count) -> float:
    small = 1000 / counted.words if 0 < counted.words < SMALL else 0.0
    return max(LIMIT, small)


def test_every_room_is_plain_english() -> None:
    found = {room: each for room, each in rooms().items() if each.rate > limit_of(room, each)}

    assert found == {}


def functions() -> Iterator[tuple[Path, str]]:
    """Yield the functions of each file that may have one with such a name."""
    for path in files():
        if path.suffix == ".py" and any(map(is_bare_participle, DEFINITION.findall(text := path.read_text()))):
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield path, node.name


def facts_and_effects() -> set[str]:
    """Return the names of all classes of the domain in lower case with underscores."""
    classes = (
        node.name
        for path in files("domain")
        if path.suffix == ".py"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef)
    )
    return {re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() for name in classes}


def test_no_function_is_named_by_a_bare_participle() -> None:
    allowed = facts_and_effects() | OPERATION_IDS
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path, name in functions()
        if is_bare_participle(name) and name.strip("_") not in allowed
    ]

    assert found == []


@pytest.mark.parametrize(
    ("name", "is_bare"),
    [
        ("told", True),
        ("_kept", True),
        ("looked_at", True),
        ("told_of", True),
        ("opened", True),
        ("find_opened", False),
        ("is_opened", False),
        ("kept_matches", False),
        ("feed", False),
        ("seed", False),
    ],
)
def test_a_bare_participle_is_recognised(name: str, is_bare: bool) -> None:
    assert is_bare_participle(name) is is_bare


def test_phrases_are_counted_in_docstrings_and_comments() -> None:
    source = '"""What is told to whoever asks."""\nNUMBER = 1  # It stands beside another.\nTEXT = "whoever"\n'

    texts = [*python_texts(source)]

    assert [sorted(marks_in(text)) for text in texts] == [["What", "What is", "whoever"], ["stands beside"]]
    assert count(texts) == Count(10, 4)


def test_only_docstrings_are_marked_by_their_opening() -> None:
    assert marks_in(Text(1, "Where rows are stored.")) == []
    assert marks_in(Text(1, "Where rows are stored.", True)) == ["Where"]
