"""Short texts: their allowed characters, and the comparison of names."""

from __future__ import annotations

import re
import unicodedata

import pytest

from domain.kernel.texts import IGNORABLE, ONE_LINE, find_unfit, name_key, normalise_name


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


def test_controls_of_writing_direction_that_span_text_are_unfit() -> None:
    """Unicode UAX 9 has nine of them, and three marks, which input methods for Arabic and Hebrew type."""
    spans = ("EMBEDDING", "OVERRIDE", "ISOLATE", "POP DIRECTIONAL")
    found = [each for each in map(chr, range(0x3000)) if any(word in unicodedata.name(each, "") for word in spans)]
    controls = [each for each in found if unicodedata.category(each) == "Cf"]

    assert len(controls) == 9
    assert all(map(find_unfit, controls))


@pytest.mark.parametrize("mark", ["\u061c", "\u200e", "\u200f"])
def test_a_direction_mark_is_fit_and_removed_at_the_ends_of_a_name(mark: str) -> None:
    assert re.search(ONE_LINE, f"{mark}דנה{mark}") is not None
    assert find_unfit(f"{mark}דנה{mark}") == ""
    assert normalise_name(f" {mark}דנה (א{mark}) {mark}") == f"דנה (א{mark})"


@pytest.mark.parametrize(
    "twin",
    ["ANA núñez", " Ana  Núñez", "Ａｎａ Núñez", "Ana Nu\u0301n\u0303ez", "Ana Nu\u00ad\u0301ñez"]
    + [f"An{each}a Núñez" for each in "\u00ad\u200b\u200c\u200d\u200e\u2060\u2061\u2064\ufe0f\ufeff\u3164\U000e0041"],
)
def test_names_that_look_alike_have_one_key(twin: str) -> None:
    assert name_key(twin) == name_key("Ana Núñez") == "ana núñez"


@pytest.mark.no_cover
def test_a_key_is_its_own_key() -> None:
    """The law holds for every character, also for characters that change in lower case."""
    keys = [name_key(f"a{chr(code)}b") for code in range(0x110000) if not 0xD800 <= code < 0xE000]

    assert [key for key in keys if name_key(key) != key] == []


def test_invisible_characters_match_unicode() -> None:
    """They include the category `Cf`, except its visible characters."""
    visible = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD, *range(0xFFF9, 0xFFFC)}
    visible |= {*range(0x13430, 0x13440)}
    formats = [code for code in range(0x110000) if unicodedata.category(chr(code)) == "Cf"]

    assert [f"{code:04X}" for code in formats if code not in visible and not IGNORABLE.match(chr(code))] == []


def test_two_spellings_of_one_name_are_equal() -> None:
    spellings = ["Ana  Núñez", " Ana Núñez ", "Ana\u00a0Nu\u0301n\u0303ez", "\ufeffAna Núñez\u200b"]

    assert {normalise_name(each) for each in spellings} == {"Ana Núñez"}
