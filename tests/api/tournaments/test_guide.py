"""The organisers' guide matches the pages: texts, addresses and pictures."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from api import pages as site
from ops.dev.catalogues.files import translations

ROOT: Final = Path(__file__).parents[3]
GUIDE: Final = ROOT / "docs" / "organise" / "running-an-event.md"
PICTURES: Final = GUIDE.parents[1] / "screenshots" / "organisers"
BYTES_MAX: Final = 600_000


def words() -> set[str]:
    """Return the bold texts, as one line each."""
    return {" ".join(found.split()).rstrip(".") for found in re.findall(r"\*\*(.+?)\*\*", GUIDE.read_text(), re.DOTALL)}


HEADINGS: Final = frozenset(
    {"Announce it", "Set the schedule", "Promise prizes", "Name officials", "Enter people", "Pair"}
    | {"bold", "Face to face"}
    | {"If the proposal no longer fits"}
)
"""Bold starts of paragraphs."""


def test_bold_texts_exist_on_the_pages() -> None:
    assert sorted(words() - HEADINGS - {sentence for sentence, _ in translations("de")}) == []


def test_addresses_exist() -> None:
    named = re.findall(r"`(/[a-z/]+)`", GUIDE.read_text())
    paths = {route.path for route in site.ROUTER.routes}

    assert named
    assert [name for name in named if not any(path.endswith(name) for path in paths)] == []


def test_the_guide_shows_the_generated_pictures() -> None:
    names = set(re.findall(r"screenshots/organisers/([a-z]+)\.webp", GUIDE.read_text()))
    pictures = {path.stem for path in PICTURES.iterdir()}
    walk = (ROOT / "tests" / "pages" / "two_days.py").read_text()

    assert names == pictures == set(re.findall(r'check_page\([\w.]+, "([a-z]+)"\)', walk))
    assert sum(path.stat().st_size for path in PICTURES.iterdir()) <= BYTES_MAX


@pytest.mark.parametrize("page", ["README.md", "api/tournaments/templates/desk_frame.html"])
def test_pages_link_to_the_guide(page: str) -> None:
    assert "docs/organise/running-an-event.md" in (ROOT / page).read_text()
