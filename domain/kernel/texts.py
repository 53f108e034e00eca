"""Texts entered by people: single-line names, and the comparison of their spellings.

Names appear in page titles, mails, calendars and files. A control character breaks those formats, and an embedding, an
override or an isolate (Unicode UAX 9) shows a name in an order that was not typed. The direction marks U+061C, U+200E
and U+200F affect only the characters next to them, and input methods for Arabic and Hebrew type them.
"""

import re
import unicodedata
from typing import Final

UNFIT: Final = r"\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069"
"""Control characters, line and paragraph separators, and controls of writing direction that span text; for a character
class."""
ONE_LINE: Final = rf"^[^{UNFIT}]*$(?!\n)"
"""Pattern of a short text, for Python and JSON Schema: in Python `$` alone would let a line feed at the end pass."""
LINE_DESCRIPTION: Final = "One line without control characters and without controls of writing direction."
"""The description of a short text whose stored type has no pattern, because older values must still load."""
INVISIBLE: Final = re.compile("[\u200b\u2060\ufeff]")
"""Zero-width spaces and the byte order mark, which pasted text may contain."""
MARKS: Final = "\u061c\u200e\u200f"
"""Direction marks."""
IGNORABLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Invisible characters (Unicode, `Default_Ignorable_Code_Point`)."""
_UNFIT: Final = re.compile(f"[{UNFIT}]")


def find_unfit(text: str) -> str:
    """Return the first forbidden character of a short text, as `U+000A`; empty if there is none."""
    found = _UNFIT.search(text)
    return f"U+{ord(found[0]):04X}" if found else ""


def fault_of_line(what: str, text: str) -> str | None:
    """Return why a text is not valid as a short text, as a sentence about `what`; None if it is."""
    unfit = find_unfit(text)
    return f"{what} contains a character that is not allowed: {unfit}" if unfit else None


def one_line(text: str) -> str:
    """Return the text on one line, with a blank for each forbidden character; stored texts may predate the rule."""
    return " ".join(_UNFIT.sub(" ", text).split())


def normalise_name(name: str) -> str:
    """Return a name as it is stored: composed (NFC), with single blanks and nothing invisible at the ends."""
    text = " ".join(unicodedata.normalize("NFC", INVISIBLE.sub("", name)).split())
    return text.strip(f"{MARKS} ")


def name_key(name: str) -> str:
    """Return the key by which names are compared: names with equal keys look alike.

    The key is composed and compatible (NFKC), in lower case, with single blanks and without invisible characters.
    """
    visible = IGNORABLE.sub("", unicodedata.normalize("NFKC", name))
    return " ".join(unicodedata.normalize("NFKC", visible.casefold()).split())
