"""The fonts of the pages: shipped, small, under their licence, with every letter that pages write."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from api.web.headers import SECURITY_HEADERS
from api.web.languages import LANGUAGES

ROOT: Final = Path(__file__).parents[3]
STATIC: Final = ROOT / "api" / "web" / "static"
FONTS: Final = STATIC / "fonts"
BYTES_MAX: Final = 60_000
RANGE: Final = re.compile(r"U\+([0-9A-F]{4})(?:-([0-9A-F]{4}))?")


def kept_letters() -> set[str]:
    """What `ops.fonts` keeps."""
    source = (ROOT / "ops" / "fonts.py").read_text()
    pairs = RANGE.findall(source.partition("LETTERS")[2].partition('"""')[0])
    return {chr(code) for first, last in pairs for code in range(int(first, 16), int(last or first, 16) + 1)}


def test_two_weights_weigh_less_than_sixty_kilobytes_and_are_ours_to_ship() -> None:
    files = sorted(FONTS.glob("*.woff2"))

    assert [file.name for file in files] == ["source-sans-3-bold.woff2", "source-sans-3-regular.woff2"]
    assert sum(file.stat().st_size for file in files) <= BYTES_MAX
    assert all(file.read_bytes()[:4] == b"wOF2" for file in files)
    assert "SIL Open Font License" in (FONTS / "LICENSE").read_text()


def test_pages_may_load_them_and_name_no_others() -> None:
    style = (STATIC / "esporles.css").read_text()

    assert "font-src 'self'" in SECURITY_HEADERS["Content-Security-Policy"]
    assert set(re.findall(r"url\(/static/(fonts/[\w.-]+)\)", style)) == {
        "fonts/source-sans-3-bold.woff2",
        "fonts/source-sans-3-regular.woff2",
    }


def test_every_letter_of_every_sentence_is_kept() -> None:
    written = set[str]()
    for language in LANGUAGES:
        for file in ROOT.glob(f"api/**/{language}.*"):
            written |= {letter for letter in file.read_text(encoding="utf-8") if letter.isalpha()}
        for file in ROOT.glob(f"api/web/locales/{language}/*.po"):
            written |= {letter for letter in file.read_text(encoding="utf-8") if letter.isalpha()}

    assert len(written) > 150
    assert written - kept_letters() == set()
