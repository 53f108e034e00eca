"""Names follow the rules of `docs/develop/rooms.md`, so that a location follows from a name."""

import ast
import re
from collections import defaultdict
from pathlib import Path
from typing import Final

import pytest

from tests.test_tidy import ROOT, nodes, tracked_files

FLOORS: Final = ("domain", "projections", "api", "workers", "ops")
FILES: Final = frozenset(
    path.relative_to(ROOT) for path in tracked_files(".py", ".html", ".txt", ".js", ".sh", ".md", "")
)
NO_SUBJECT: Final = {
    "projections": {"platform", "data"},
    "api": {"http", "site", "titles"},
    "workers": {"bots"},
}
"""Folders of a floor that are not named after a subject."""
TESTS_OF_SEVERAL_FLOORS: Final = {"fixtures", "golden", "pages", "perft", "simulation"}
"""Folders of tests that are not named after a floor or a subject."""
ROLES: Final = re.compile(r"(\w+_)?(routes|pages)")
ENDINGS: Final = sorted(
    ("ations", "ation", "ings", "ing", "ions", "ion", "ers", "er", "ed", "es", "s", "ies", "y", "e"),
    key=len,
    reverse=True,
)
ALIKE: Final = {
    frozenset(pair.split())
    for pair in (
        "call calls calling",
        "claimed claims",
        "examination examining",
        "fact facts",
        "forking forks",
        "invitations inviting",
        "invited inviting",
        "language languages",
        "model models",
        "names naming",
        "settle settled",
        "witnesses witnessing",
    )
}
"""Names that still wait for a better one; the list only gets shorter."""


def stem(name: str) -> str:
    """Return a name without its ending."""
    ending = next((end for end in ENDINGS if name.endswith(end) and len(name) - len(end) >= 3), "")
    return re.sub(r"(.)\1$", r"\1", name.removesuffix(ending))


def names_in(folder: str) -> set[str]:
    """Return the names of the modules and the folders directly in a folder."""
    depth = len(Path(folder).parts)
    return {
        path.parts[depth].removesuffix(".py")
        for path in FILES
        if path.suffix == ".py" and path.is_relative_to(folder) and path.name != "__init__.py"
    }


def folders_in(folder: str) -> set[str]:
    """Return the names of the folders directly in a folder."""
    depth = len(Path(folder).parts)
    return {path.parts[depth] for path in FILES if path.is_relative_to(folder) and len(path.parts) > depth + 1}


def alike_in(names: set[str]) -> list[frozenset[str]]:
    """Return the groups of names that differ by their ending only."""
    groups = defaultdict(set)
    for name in names:
        groups[stem(name)].add(name)
    return [frozenset(group) for group in groups.values() if len(group) > 1]


SUBJECTS: Final = (folders_in("api") - NO_SUBJECT["api"]) | (folders_in("domain") - {"titles"})


def test_a_subject_has_the_same_name_on_every_floor() -> None:
    """A name that differs from a subject only by its ending is the same subject in another spelling."""
    spelled = {stem(subject): subject for subject in SUBJECTS}
    other = [
        f"{floor}/{name}: {spelled[stem(name)]}"
        for floor in FLOORS
        for name in folders_in(floor)
        if spelled.get(stem(name), name) != name
    ]

    assert not alike_in(SUBJECTS)
    assert not other


@pytest.mark.parametrize("floor", ["projections", "workers"])
def test_a_folder_of_read_models_or_jobs_is_named_after_a_subject(floor: str) -> None:
    assert folders_in(floor) - NO_SUBJECT[floor] <= SUBJECTS


def test_a_title_has_the_same_name_on_every_floor() -> None:
    titles = folders_in("domain/titles")

    assert titles
    for floor in ("api/titles", "ops/titles", "ops/dev/titles", "tests/domain/titles"):
        assert folders_in(floor) - {"templates"} <= titles
    assert all(name.startswith(tuple(titles)) for name in names_in("workers/bots/titles"))


def test_test_folders_have_the_names_of_tested_folders() -> None:
    for floor in FLOORS:
        assert folders_in(f"tests/{floor}") <= names_in(floor)
    assert folders_in("tests/domain/matches") == folders_in("domain/matches")
    assert folders_in("tests") <= {*FLOORS, *SUBJECTS, "titles", *TESTS_OF_SEVERAL_FLOORS}


def test_handlers_of_a_subject_are_in_its_routes_and_pages() -> None:
    """`routes.py` or `pages.py`, a file in a folder of that name, or `THING_pages.py`."""
    handlers = {"get", "post", "put", "patch", "delete", "route"}
    elsewhere = [
        str(path)
        for path in FILES
        if path.suffix == ".py" and path.parts[0] == "api" and path.parts[1] not in NO_SUBJECT["api"]
        if not ROLES.fullmatch(Path(path.parts[2]).stem if len(path.parts) > 2 else "pages")
        for node in nodes(ROOT / path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for call in node.decorator_list
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in handlers
    ]

    assert not elsewhere


def test_no_two_names_of_a_folder_differ_by_their_ending_only() -> None:
    """A reader cannot tell `seats`, `seating` and `sitting` apart."""
    names = defaultdict(set)
    for path in FILES:
        if path.suffix == ".py" and path.name != "__init__.py":
            for parent, part in zip(path.parents, reversed(path.parts), strict=True):
                names[str(parent)].add(part.removesuffix(".py"))
    alike = {folder: group for folder, found in names.items() for group in alike_in(found)}

    assert not {folder: group for folder, group in alike.items() if not any(group <= known for known in ALIKE)}


@pytest.mark.parametrize("pair", ["seats seating", "shared sharing", "store stored", "model models"])
def test_names_that_differ_by_their_ending_are_found(pair: str) -> None:
    assert alike_in({*pair.split(), "board"}) == [frozenset(pair.split())]
