"""A title is a package of its name on each floor and a line in a single list; no other module names a title."""

import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

from domain.titles import TITLES

ROOT: Final = Path(__file__).parent.parent.parent
FLOORS: Final = ("domain", "projections", "api", "workers", "ops")
THE_LIST: Final = "domain/titles/__init__.py"
TEXTS: Final = frozenset({".py", ".html", ".css", ".js", ".toml", ".sh", ""})
ALLOWED: Final = frozenset(
    {
        "api/http/locales/glossary.toml",  # The words of the rule books, a section for each.
        # The second verifier knows the rounds of the titles from the documents, not from the program.
        "api/transparency/static/verifier/starters.js",
        "domain/kernel/values.py",  # An example in a docstring.
    }
)


def sources(*under: str) -> list[str]:
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *under]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return [name for name in names if name and Path(name).suffix in TEXTS and (ROOT / name).exists()]


def is_own(name: str, title: str) -> bool:
    """Return whether the file is in a package of the title's name, or named after it, on a floor with titles."""
    return re.search(rf"(^|/)titles/{title}(/|[._])", name) is not None


def naming(title: str, *under: str) -> list[str]:
    """Return the files outside the title's own packages that contain its name."""
    word = re.compile(rf"(?<![A-Za-z]){title}(?![a-z])")
    return [
        name
        for name in sources(*under)
        if name not in ALLOWED and not is_own(name, title) and word.search((ROOT / name).read_text(errors="replace"))
    ]


MADE_OF_ALL: Final = frozenset(
    f"ops/{name}.py"
    for name in (
        "dev/bench/analyses",
        "dev/bench/archive",
        "dev/bench/notifications",
        "dev/bench/recounting",
        "demo/world",
        "dev/examples",
        "leagues/simulation/shape",
    )
)
"""Files that measure or demonstrate the service with matches of real titles; none of them runs matches."""


@pytest.mark.parametrize("title", sorted(TITLES))
def test_one_file_outside_its_own_folders_names_a_title(title: str) -> None:
    assert [file for file in naming(title, *FLOORS, "pyproject.toml") if file not in MADE_OF_ALL] == [THE_LIST]


def test_no_file_of_the_product_names_the_title_of_the_tests() -> None:
    assert naming("corsairs", *FLOORS, "pyproject.toml", "docs") == []
    assert sorted(naming("corsairs", "tests")) == [
        "tests/titles/launcher.py",
        "tests/titles/test_bots_offered.py",
        "tests/titles/test_console.py",
        "tests/titles/test_corsairs.py",
        "tests/titles/test_one_list.py",
        "tests/titles/test_serving.py",
    ]


def test_the_title_of_the_tests_is_small() -> None:
    lines = [len((ROOT / name).read_text().splitlines()) for name in sources("tests/titles/corsairs")]
    assert 0 < sum(lines) < 400
