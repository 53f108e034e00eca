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
    "CONTRIBUTING.md": 26,
    "README.md": 29,
    "api/accounts": 62,
    "api/analyses": 90,
    "api/app.py": 40,
    "api/archive": 100,
    "api/disputes": 64,
    "api/friends": 80,
    "api/hints": 85,
    "api/http": 39,
    "api/integrity": 80,
    "api/keys": 41,
    "api/leagues": 48,
    "api/lessons": 68,
    "api/matches": 48,
    "api/notifications": 82,
    "api/pages.py": 42,
    "api/puzzles": 65,
    "api/quick": 69,
    "api/ratings": 31,
    "api/roles": 46,
    "api/site": 77,
    "api/studies": 53,
    "api/talk": 105,
    "api/titles": 72,
    "api/tournaments": 60,
    "api/transparency": 79,
    "docs/access.md": 37,
    "docs/accounts.md": 33,
    "docs/analyses.md": 46,
    "docs/architecture.md": 35,
    "docs/archive.md": 40,
    "docs/bots.md": 19,
    "docs/capacity.md": 14,
    "docs/chance.md": 39,
    "docs/disputes.md": 25,
    "docs/facts.md": 17,
    "docs/fair-play.md": 21,
    "docs/friends.md": 40,
    "docs/hints.md": 40,
    "docs/integrity.md": 44,
    "docs/leagues.md": 22,
    "docs/log.md": 22,
    "docs/notifications.md": 34,
    "docs/one-device.md": 30,
    "docs/one-node.md": 23,
    "docs/organisers.md": 39,
    "docs/outside-bots.md": 25,
    "docs/outside_bot.py": 38,
    "docs/presence.md": 25,
    "docs/proof.md": 31,
    "docs/quick.md": 41,
    "docs/ratings.md": 41,
    "docs/roles.md": 42,
    "docs/scaling.md": 41,
    "docs/seen.md": 47,
    "docs/signatures.md": 32,
    "docs/studies.md": 19,
    "docs/talk.md": 52,
    "docs/tournaments.md": 25,
    "docs/transparency.md": 56,
    "docs/trust.md": 37,
    "docs/verify.md": 28,
    "docs/witness.md": 54,
    "domain/README.md": 31,
    "domain/analyses": 80,
    "domain/designs": 30,
    "domain/disputes": 63,
    "domain/eventstore": 63,
    "domain/hints.py": 71,
    "domain/integrity": 73,
    "domain/kernel": 38,
    "domain/keys": 53,
    "domain/leagues": 41,
    "domain/lessons": 96,
    "domain/matches": 45,
    "domain/notifications": 74,
    "domain/pairing": 44,
    "domain/proofs": 75,
    "domain/puzzles": 20,
    "domain/quick.py": 76,
    "domain/ratings": 47,
    "domain/roles": 64,
    "domain/signatures": 56,
    "domain/standings": 43,
    "domain/studies": 37,
    "domain/talk.py": 51,
    "domain/titles": 41,
    "domain/tournaments": 57,
    "domain/transparency": 41,
    "ops/accounts.py": 58,
    "ops/analyses": 67,
    "ops/archive": 76,
    "ops/capacity.py": 81,
    "ops/certificates.py": 52,
    "ops/check_chance.py": 43,
    "ops/commands": 55,
    "ops/computing": 54,
    "ops/console.py": 49,
    "ops/decisions": 29,
    "ops/demo": 65,
    "ops/dev": 55,
    "ops/door.py": 66,
    "ops/drawing.py": 29,
    "ops/embedded.py": 22,
    "ops/files.py": 39,
    "ops/leagues.py": 100,
    "ops/matches.py": 21,
    "ops/moving.py": 38,
    "ops/moving_log.py": 115,
    "ops/players.py": 55,
    "ops/processes.py": 76,
    "ops/progress.py": 110,
    "ops/rebuilding.py": 77,
    "ops/roles.py": 72,
    "ops/runbook.md": 37,
    "ops/service.py": 45,
    "ops/sockets.py": 39,
    "ops/status": 96,
    "ops/stores.py": 62,
    "ops/supervisor.py": 44,
    "ops/throwaway.py": 62,
    "ops/titles": 53,
    "ops/tournaments": 69,
    "ops/transparency": 61,
    "ops/verifying": 54,
    "ops/web.py": 62,
    "projections/analyses.py": 82,
    "projections/archive": 108,
    "projections/data": 100,
    "projections/disputes.py": 63,
    "projections/follow.py": 68,
    "projections/hints.py": 103,
    "projections/integrity.py": 87,
    "projections/leagues.py": 86,
    "projections/leaves.py": 73,
    "projections/lessons.py": 185,
    "projections/loop.py": 78,
    "projections/matches": 64,
    "projections/notifications.py": 93,
    "projections/parts.py": 70,
    "projections/platform": 50,
    "projections/ranges.py": 65,
    "projections/ratings": 79,
    "projections/rebuild.py": 68,
    "projections/roles.py": 38,
    "projections/studies.py": 37,
    "projections/tournaments": 88,
    "projections/transparency.py": 42,
    "tests/api": 53,
    "tests/domain": 38,
    "tests/fixtures": 29,
    "tests/fuzzing.py": 32,
    "tests/golden": 25,
    "tests/lessons": 66,
    "tests/notifications": 72,
    "tests/ops": 46,
    "tests/pages": 59,
    "tests/projections": 51,
    "tests/scenario.py": 36,
    "tests/seeding.py": 35,
    "tests/signing.py": 62,
    "tests/simulation": 31,
    "tests/test_complete.py": 39,
    "tests/test_golden.py": 30,
    "tests/test_imports.py": 26,
    "tests/test_one_node.py": 60,
    "tests/test_tidy.py": 10,
    "tests/test_traceability.py": 28,
    "tests/titles": 40,
    "tests/transparency": 33,
    "tests/workers": 50,
    "workers/analyses": 63,
    "workers/bots": 61,
    "workers/client.py": 76,
    "workers/computations.py": 101,
    "workers/door_http.py": 24,
    "workers/health.py": 52,
    "workers/hints.py": 74,
    "workers/leagues.py": 68,
    "workers/main.py": 55,
    "workers/matches": 38,
    "workers/metrics.py": 156,
    "workers/notifications": 51,
    "workers/organising.py": 46,
    "workers/priority.py": 57,
    "workers/queues.py": 28,
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
