"""Subset the fonts of the pages to the letters of the five languages: `python -m ops.dev.fonts FOLDER`.

The folder holds Source Sans 3 (`SourceSans3_400Regular.ttf` and `SourceSans3_700Bold.ttf`). Needs fonttools and brotli,
which are not requirements of the project: install them in a separate environment.
"""

import sys
from pathlib import Path
from subprocess import run
from typing import Final

FONTS: Final = Path(__file__).parents[2] / "api" / "http" / "static" / "fonts"
WEIGHTS: Final = {"400Regular": "source-sans-3-regular", "700Bold": "source-sans-3-bold"}
LETTERS: Final = {
    # Common to all pages: English, German, Spanish, Catalan, and symbols.
    "": "U+0020-007E,U+00A0-00FF,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+2030,U+2039-203A,U+2044,U+20AC,U+2116,"
    "U+2122,U+2190-2193,U+2212,U+2248,U+2260,U+2264-2265",
    # Czech, Polish, and names from neighbouring languages.
    "-extended": "U+0100-017F,U+0218-021B",
    # Cyrillic with the Ukrainian letters.
    "-cyrillic": "U+0401-045F,U+0490-0491",
}
"""Unicode ranges by suffix of the file name; a browser fetches only the files it needs. Must agree with `unicode-range`
in the style sheet. Other characters use a system font.
"""
FEATURES: Final = "kern,liga,tnum,lnum,locl,mark,mkmk,ccmp"


def subset(source: Path, target: Path, letters: str) -> None:
    """Write one weight as WOFF2 under another name, reduced to these characters; needs fonttools."""
    command = [
        sys.executable,
        "-m",
        "fontTools.subset",
        str(source),
        f"--output-file={target}",
        f"--unicodes={letters}",
    ]
    # The font is renamed because its licence reserves the name for unmodified versions.
    web_options = [
        "--flavor=woff2",
        "--no-hinting",
        "--desubroutinize",
        "--obfuscate-names",
        "--name-IDs=0,1,2,4,6,13,14",
        f"--layout-features={FEATURES}",
    ]
    run([*command, *web_options], check=True)


def main(folder: Path) -> None:
    """Write all weights and ranges into `FONTS`, each from the file of its weight in `folder`."""
    for weight, name in WEIGHTS.items():
        for suffix, letters in LETTERS.items():
            subset(folder / f"SourceSans3_{weight}.ttf", FONTS / f"{name}{suffix}.woff2", letters)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
