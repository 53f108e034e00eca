"""Texts of people: names on one line, and how two spellings of one name are recognised.

Names end up in page titles, mails, calendars and files. A control character breaks those formats, and a bidirectional
formatting character (Unicode UAX 9, `Bidi_Control`) shows a name in an order that was not typed.
"""

import re
import unicodedata
from typing import Final

UNFIT: Final = r"\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
"""Control characters, line and paragraph separators, and the controls of writing direction; for a character class."""
ONE_LINE: Final = rf"^[^{UNFIT}]*$(?!\n)"
"""Pattern of a short text, for Python and JSON Schema: in Python `$` alone would let a line feed at the end pass."""
LINE_SAID: Final = "One line without control characters and without controls of writing direction."
"""Describes a short text whose stored type has no pattern: values from before the rule still load."""
INVISIBLE: Final = re.compile("[\u200b\u2060\ufeff]")
"""Spaces without width and the byte order mark, which come along when a text is pasted."""
_UNFIT: Final = re.compile(f"[{UNFIT}]")


def find_unfit(text: str) -> str:
    """Return the first character that no short text may have, as `U+000A`; empty if there is none."""
    found = _UNFIT.search(text)
    return f"U+{ord(found[0]):04X}" if found else ""


def fault_of_line(what: str, text: str) -> str | None:
    """Return why a text is not fit to be short, as a sentence about `what`; None if it is."""
    unfit = find_unfit(text)
    return f"{what} holds a character that no short text may have: {unfit}" if unfit else None


def one_line(text: str) -> str:
    """Return the text on one line, with a blank for every character that short texts must not hold.

    Stored texts may be older than the rule.
    """
    return " ".join(_UNFIT.sub(" ", text).split())


def normal_name(name: str) -> str:
    """Return the one spelling of a name: composed (NFC), with single blanks and none at the ends."""
    return " ".join(unicodedata.normalize("NFC", INVISIBLE.sub("", name)).split())
