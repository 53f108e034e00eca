"""Style sheets take all font sizes and distances from shared scales."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

SHEETS: Final = sorted(Path("api").rglob("static/**/*.css"))
FRAME: Final = Path("api/http/static/esporles.css")
DECLARATION: Final = re.compile(
    r"(?<![-\w])(font-size|font|(?:margin|padding)(?:-[a-z-]+)?|(?:row-|column-)?gap):([^;{}]+)"
)
SCALE: Final = re.compile(r"var\(--((?:type|drawn|print|hall|space)-[a-z0-9]+)\)")
SIZE: Final = re.compile(r"(?<![\w.-])-?[0-9]*\.?[0-9]+(?:rem|em|ex|ch|px|pt|mm|vw|vh|%)")
COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
HAIRLINE: Final = frozenset({"1px", "-1px", "2px", "-2px"})
DENSITY: Final = frozenset({"87.5%", "112.5%"})
"""Factors that scale everything, by the reader's preference."""
PAPER: Final = frozenset(f"{number}mm" for number in (1, 2, 3, 4, 5, 8, 10))
HALL: Final = frozenset({"1vh", "2vh", "2vw", "3vw", "4vw"})
OWN: Final = {"print.css": PAPER, "screen.css": HALL, "preferences.css": DENSITY}
"""Units of print and of large screens, which are read from other distances."""
PER_CENT: Final = re.compile(r"calc\(100% \* \d+ / \d+\)")
"""A position within a drawing, relative to its width."""


def declarations(sheet: Path) -> Iterator[tuple[str, str]]:
    return iter(DECLARATION.findall(COMMENT.sub("", sheet.read_text())))


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_every_size_and_distance_is_from_a_scale(sheet: Path) -> None:
    allowed = HAIRLINE | OWN.get(sheet.name, frozenset())
    odd = [
        f"{name}:{value}"
        for name, value in declarations(sheet)
        if {*SIZE.findall(PER_CENT.sub("", value).replace("100vw - 100rem", ""))} - allowed
    ]

    assert odd == []


def test_every_step_of_the_scales_is_defined_once_and_used() -> None:
    frame = FRAME.read_text()
    steps = re.findall(r"--((?:type|drawn|print|hall|space)-[a-z0-9]+): [^;]+;", frame)
    used = {step for sheet in SHEETS for step in SCALE.findall(sheet.read_text())}

    assert len(steps) == len(set(steps))
    assert used == set(steps)


def test_distances_are_named_by_length_and_font_sizes_grow() -> None:
    frame = FRAME.read_text()
    distances = re.findall(r"--space-(\d+): ([0-9.]+)rem;", frame)
    sizes = [float(size) for size in re.findall(r"--type-[a-z]+: ([0-9.]+)rem;", frame)]

    assert all(int(tenths) == round(float(size) * 10) for tenths, size in distances)
    assert sizes == sorted(sizes)
    assert sizes[0] >= 0.75, "nothing is smaller than 12 pixels"
    assert all(later / sooner >= 1.08 for sooner, later in pairwise(sizes)), "steps can be told apart"
