"""Seat colours are distinguishable with colour blindness, and text on them is readable."""

from __future__ import annotations

import re
from itertools import combinations
from math import copysign, dist
from pathlib import Path
from typing import Final

import pytest

STATIC: Final = Path("api/http/static")
PAIR: Final = re.compile(r"--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)")
GROUNDS: Final = ("paper", "card", "sunk")
SEEN: Final = {
    # Machado, Oliveira and Fernandes (2009), severity 1.0: matrices for linear red, green and blue.
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
APART: Final = {"usual": 0.08, "red-green": 0.12, "blue-yellow": 0.15}
"""Minimum OKLab distance of two seats, with full colour vision and with the palette's; 0.02 is just noticeable."""
FOR: Final = {"usual": tuple(SEEN), "red-green": ("protan", "deutan"), "blue-yellow": ("tritan",)}

Linear = tuple[float, float, float]


def linear(colour: str) -> Linear:
    values = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values)
    return red, green, blue


def simulate_colour_blindness(colour: Linear, eyes: str) -> Linear:
    if eyes not in SEEN:
        return colour
    red, green, blue = (min(1.0, max(0.0, sum(map(float.__mul__, row, colour)))) for row in SEEN[eyes])
    return red, green, blue


def oklab(colour: Linear) -> Linear:
    red, green, blue = colour
    cones = (
        0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue,
        0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue,
        0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue,
    )
    x, y, z = (copysign(abs(value) ** (1 / 3), value) for value in cones)
    return (
        0.2104542553 * x + 0.7936177850 * y - 0.0040720468 * z,
        1.9779984951 * x - 2.4285922050 * y + 0.4505937099 * z,
        0.0259040371 * x + 0.7827717662 * y - 0.8086757660 * z,
    )


def contrast(one: Linear, other: Linear) -> float:
    """Return the contrast ratio (WCAG 2.2, relative luminance)."""
    dark, light = sorted(0.2126 * red + 0.7152 * green + 0.0722 * blue for red, green, blue in (one, other))
    return (light + 0.05) / (dark + 0.05)


def colours(name: str) -> dict[str, tuple[str, str]]:
    """Return all colours of a page by name, light and dark, with this palette."""
    found = {each[0]: (each[1], each[2]) for each in PAIR.findall((STATIC / "esporles.css").read_text())}
    if name != "usual":
        rules = (STATIC / "preferences.css").read_text().partition(f'[data-colours="{name}"] {{')[2].partition("}")[0]
        found |= {each[0]: (each[1], each[2]) for each in PAIR.findall(rules)}
    return found


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("name", APART)
def test_seat_colours_are_distinguishable_and_readable(name: str, theme: int) -> None:
    known = {each: linear(pair[theme]) for each, pair in colours(name).items()}
    seats = [known[f"seat-{number}"] for number in range(5)]

    assert all(contrast(seat, known["on-seat"]) >= 4.5 for seat in seats)
    assert all(contrast(seat, known[ground]) >= 3 for seat in seats for ground in GROUNDS)
    for eyes in ("all", *FOR[name]):
        simulated = [oklab(simulate_colour_blindness(seat, eyes)) for seat in (*seats, known["seat-none"])]
        least = min(dist(one, other) for one, other in combinations(simulated[:5], 2))
        assert least >= APART[name], (eyes, round(least, 3))
        if name != "usual":
            assert min(dist(seat, simulated[5]) for seat in simulated[:5]) >= 0.1, (
                "a piece of no seat is told from all of them"
            )
