"""Fonts of the pages: included, small, licensed, and with every letter that the pages use."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from api.http.headers import SECURITY_HEADERS
from api.http.languages import LANGUAGES
from ops.dev.fonts import LETTERS

ROOT: Final = Path(__file__).parents[3]
STATIC: Final = ROOT / "api" / "http" / "static"
FONTS: Final = STATIC / "fonts"
PARTS: Final = ("-cyrillic", "-extended", "")
BYTES_MAX: Final = 60_000
RANGE: Final = re.compile(r"U\+([0-9A-F]{2,4})(?:-([0-9A-F]{2,4}))?")
FACE: Final = re.compile(
    r"url\(/static/fonts/source-sans-3-(?:bold|regular)([\w-]*)\.woff2\)[^}]*unicode-range: ([^;]+);"
)
FILES: Final = [f"source-sans-3-{weight}{part}.woff2" for weight in ("bold", "regular") for part in PARTS]


def letters_in(ranges: str) -> set[str]:
    pairs = RANGE.findall(ranges)
    return {chr(code) for first, last in pairs for code in range(int(first, 16), int(last or first, 16) + 1)}


def test_two_weights_take_less_than_60_kb_and_include_their_licence() -> None:
    files = sorted(FONTS.glob("*.woff2"))

    assert [file.name for file in files] == FILES
    assert sum(file.stat().st_size for file in files) <= BYTES_MAX
    assert all(file.read_bytes()[:4] == b"wOF2" for file in files)
    assert "SIL Open Font License" in (FONTS / "LICENSE").read_text()


def test_pages_may_load_them_and_name_no_others() -> None:
    style = (STATIC / "esporles.css").read_text()

    assert "font-src 'self'" in SECURITY_HEADERS["Content-Security-Policy"]
    assert sorted(re.findall(r"url\(/static/fonts/([\w.-]+)\)", style)) == FILES


def test_unicode_ranges_match_the_letters_of_each_file() -> None:
    faces = FACE.findall((STATIC / "esporles.css").read_text())
    letters = dict[str, set[str]]()

    assert len(faces) == len(FILES)
    for part, ranges in faces:
        assert letters_in(ranges) == letters_in(LETTERS[part]) == letters.setdefault(part, letters_in(ranges))
    assert sum(map(len, letters.values())) == len(set[str]().union(*letters.values())), "no letter is in two files"


def test_the_fonts_have_every_letter_of_every_message() -> None:
    written = set[str]()
    for language in LANGUAGES:
        for file in ROOT.glob(f"api/**/{language}.*"):
            written |= {letter for letter in file.read_text(encoding="utf-8") if letter.isalpha()}
        for file in ROOT.glob(f"api/http/locales/{language}/*.po"):
            written |= {letter for letter in file.read_text(encoding="utf-8") if letter.isalpha()}

    assert len(written) > 150
    assert written - letters_in(",".join(LETTERS.values())) == set()
