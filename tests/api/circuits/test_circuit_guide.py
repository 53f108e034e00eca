"""The page for organisers of circuits: its pictures and the names of its buttons."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from domain.circuits.plan import CircuitPlan

ROOT: Final = Path(__file__).parents[3]
GUIDE: Final = (ROOT / "docs" / "organise" / "circuits.md").read_text()
PICTURES: Final = ROOT / "docs" / "screenshots" / "circuits"
BYTES_MAX: Final = 300_000
"""The size of all pictures together."""


def test_the_guide_shows_the_generated_pictures() -> None:
    names = set(re.findall(r"screenshots/circuits/([a-z]+)\.webp", GUIDE))
    walk = (ROOT / "tests" / "pages" / "test_circuits.py").read_text()

    assert names == {path.stem for path in PICTURES.iterdir()}
    assert names == set(re.findall(r'check_page\([\w.]+, "([a-z]+)"', walk))
    assert sum(path.stat().st_size for path in PICTURES.iterdir()) <= BYTES_MAX


def test_buttons_in_the_guide_exist() -> None:
    templates = "".join(path.read_text() for path in (ROOT / "api" / "circuits" / "templates").glob("*.html"))
    buttons = [name.replace("\n", " ") for name in re.findall(r"\*\*([^*]+)\*\*", GUIDE)]

    assert buttons
    assert [name for name in buttons if f'_("{name}")' not in templates] == []


def test_every_field_of_a_plan_is_explained() -> None:
    table = GUIDE.partition("## The plan")[2].partition("\n\nPeople who")[0]
    named = set(re.findall(r"`([a-zA-Z]+)`", table))

    assert named == {re.sub("_(.)", lambda found: found[1].upper(), name) for name in CircuitPlan.__struct_fields__}
