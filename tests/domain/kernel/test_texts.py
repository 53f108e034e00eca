"""Short texts: which characters one may have, and two spellings of one name."""

from __future__ import annotations

import re
import unicodedata

import pytest

from domain.kernel.texts import ONE_LINE, find_unfit, normal_name


@pytest.mark.parametrize(
    "unfit", ["\0", "\t", "\n", "\r", "\x1b", "\x7f", "\x85", "\u2028", "\u2029", "\u202e", "\u2067"]
)
def test_a_short_text_has_no_controls_and_is_one_line(unfit: str) -> None:
    for text in (f"{unfit}Ana", f"A{unfit}na", f"Ana{unfit}"):
        assert re.search(ONE_LINE, text) is None
        assert find_unfit(text) == f"U+{ord(unfit):04X}"


@pytest.mark.parametrize(
    "text", ["", "Ana", "Žofie Nováková-Šímová", "Київ 2026 ♞", "דנה", "کتاب‌خانه", "👩‍👩‍👧", "a b"]
)
def test_letters_of_every_script_are_fit(text: str) -> None:
    assert re.search(ONE_LINE, text)
    assert find_unfit(text) == ""


def test_every_control_of_writing_direction_is_unfit() -> None:
    """Unicode UAX 9 has twelve of them, the property `Bidi_Control`."""
    marks = ("RIGHT-TO-LEFT", "LEFT-TO-RIGHT", "DIRECTIONAL", "FIRST STRONG", "ARABIC LETTER MARK")
    controls = [each for each in map(chr, range(0x3000)) if unicodedata.category(each) == "Cf"]
    found = [each for each in controls if any(mark in unicodedata.name(each) for mark in marks)]

    assert len(found) == 12
    assert all(map(find_unfit, found))


def test_two_spellings_of_one_name_are_equal() -> None:
    spellings = ["Ana  Núñez", " Ana Núñez ", "Ana\u00a0Nu\u0301n\u0303ez", "\ufeffAna Núñez\u200b"]

    assert {normal_name(each) for each in spellings} == {"Ana Núñez"}
