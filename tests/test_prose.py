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
UNFINISHED: Final = {
    "api/accounts": 61,
    "api/analyses": 89,
    "api/app.py": 40,
    "api/archive": 99,
    "api/disputes": 63,
    "api/friends": 80,
    "api/hints": 83,
    "api/http": 38,
    "api/integrity": 78,
    "api/keys": 41,
    "api/leagues": 48,
    "api/lessons": 66,
    "api/matches": 48,
    "api/notifications": 81,
    "api/pages.py": 42,
    "api/puzzles": 65,
    "api/quick": 69,
    "api/ratings": 31,
    "api/roles": 46,
    "api/site": 76,
    "api/studies": 52,
    "api/talk": 99,
    "api/titles": 45,
    "api/tournaments": 59,
    "api/transparency": 77,
    "docs/build-on-it": 12,
    "domain/analyses": 79,
    "domain/designs": 30,
    "domain/disputes": 63,
    "domain/eventstore": 62,
    "domain/hints.py": 71,
    "domain/integrity": 73,
    "domain/kernel": 37,
    "domain/keys": 53,
    "domain/leagues": 41,
    "domain/lessons": 84,
    "domain/matches": 44,
    "domain/notifications": 74,
    "domain/pairing": 44,
    "domain/proofs": 66,
    "domain/puzzles": 20,
    "domain/quick.py": 76,
    "domain/ratings": 47,
    "domain/roles": 62,
    "domain/signatures": 55,
    "domain/standings": 42,
    "domain/studies": 36,
    "domain/talk.py": 47,
    "domain/titles": 15,
    "domain/tournaments": 57,
    "domain/transparency": 40,
    "ops/accounts.py": 58,
    "ops/analyses": 67,
    "ops/archive": 75,
    "ops/capacity.py": 80,
    "ops/certificates.py": 52,
    "ops/check_chance.py": 42,
    "ops/commands": 54,
    "ops/computing": 52,
    "ops/console.py": 37,
    "ops/decisions": 28,
    "ops/demo": 65,
    "ops/dev": 51,
    "ops/door.py": 65,
    "ops/drawing.py": 29,
    "ops/embedded.py": 15,
    "ops/files.py": 45,
    "ops/leagues.py": 100,
    "ops/matches.py": 21,
    "ops/moving.py": 35,
    "ops/players.py": 55,
    "ops/processes.py": 76,
    "ops/progress.py": 110,
    "ops/rebuilding.py": 77,
    "ops/roles.py": 67,
    "ops/service.py": 45,
    "ops/sockets.py": 39,
    "ops/status": 93,
    "ops/stores.py": 62,
    "ops/supervisor.py": 44,
    "ops/throwaway.py": 62,
    "ops/titles": 53,
    "ops/tournaments": 67,
    "ops/transparency": 61,
    "ops/verifying": 41,
    "ops/web.py": 62,
    "projections/analyses.py": 82,
    "projections/archive": 108,
    "projections/data": 100,
    "projections/disputes.py": 63,
    "projections/follow.py": 66,
    "projections/hints.py": 100,
    "projections/integrity.py": 87,
    "projections/leagues.py": 86,
    "projections/leaves.py": 67,
    "projections/lessons.py": 185,
    "projections/loop.py": 78,
    "projections/matches": 64,
    "projections/notifications.py": 93,
    "projections/parts.py": 70,
    "projections/platform": 48,
    "projections/ranges.py": 65,
    "projections/ratings": 76,
    "projections/rebuild.py": 68,
    "projections/roles.py": 38,
    "projections/studies.py": 37,
    "projections/tournaments": 88,
    "projections/transparency.py": 42,
    "tests/api": 51,
    "tests/domain": 37,
    "tests/fixtures": 27,
    "tests/fuzzing.py": 32,
    "tests/golden": 24,
    "tests/lessons": 59,
    "tests/notifications": 71,
    "tests/ops": 44,
    "tests/pages": 57,
    "tests/projections": 51,
    "tests/scenario.py": 36,
    "tests/seeding.py": 35,
    "tests/signing.py": 62,
    "tests/simulation": 30,
    "tests/test_complete.py": 39,
    "tests/test_golden.py": 30,
    "tests/test_imports.py": 26,
    "tests/test_one_node.py": 59,
    "tests/test_tidy.py": 10,
    "tests/test_traceability.py": 28,
    "tests/titles": 30,
    "tests/transparency": 36,
    "tests/workers": 49,
    "workers/analyses": 63,
    "workers/bots": 61,
    "workers/client.py": 76,
    "workers/computations.py": 98,
    "workers/door_http.py": 24,
    "workers/health.py": 52,
    "workers/hints.py": 68,
    "workers/leagues.py": 68,
    "workers/main.py": 52,
    "workers/matches": 38,
    "workers/metrics.py": 148,
    "workers/notifications": 51,
    "workers/organising.py": 46,
    "workers/priority.py": 57,
    "workers/queues.py": 26,
    "workers/tournaments.py": 84,
    "workers/unix_http.py": 36,
}
"""Limits of rooms that have not been rewritten yet."""
UNFINISHED_NAMES: Final = 734
"""The number of functions that still have a bare participle as their name."""


def limit_of(room: str, counted: Count) -> float:
    small = 1000 / counted.words if 0 < counted.words < SMALL else 0.0
    return max(LIMIT, small, UNFINISHED.get(room, 0))


def test_every_room_is_plain_english() -> None:
    found = {room: each for room, each in rooms().items() if each.rate > limit_of(room, each)}

    assert found == {}


def functions() -> Iterator[tuple[Path, str]]:
    for path in files():
        if path.suffix == ".py":
            for node in ast.walk(ast.parse(path.read_text())):
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
    allowed = facts_and_effects()
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path, name in functions()
        if is_bare_participle(name) and name.strip("_") not in allowed
    ]

    assert len(found) <= UNFINISHED_NAMES, found


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
