"""Announcements: leaves in which the log says something about itself, in clear text.

Specified in `docs/specifications/transparency.md`. The tree stores them under a reserved stream; they are no events of
the log. A new type is a struct with a tag, added to `Announcement`.
"""

from typing import Final, TypeAlias
from uuid import UUID

import msgspec

from domain.kernel.values import Value
from domain.transparency.errors import Malformed

PREFIX: Final = b"esporles.log/1\x00"
"""First bytes of the leaf of an announcement; no other leaf begins so."""
TEXT_MAX: Final = 8_192
"""Maximum length of the JSON in bytes."""
STREAM: Final = UUID("6c0e5b0a-33a5-5b1e-9c0e-000000000010")
"""The stream under which the tree stores announcements, with versions from 1 on."""
FORMAT: Final = 2
"""The format of a tree whose leaves have labels."""


class FormatChanged(Value, frozen=True, tag_field="type", tag="log.format_changed"):
    """All later leaves of entries and records have labels: the origin in their texts, and the public key (hex)."""

    format: int
    origin: str
    vrf: str


class LogBegun(Value, frozen=True, omit_defaults=True, tag_field="type", tag="log.begun"):
    """The first leaf of a declared new tree: why, and the final checkpoint of its predecessor, if any."""

    reason: str
    predecessor: str = ""


class RootNamed(Value, frozen=True, tag_field="type", tag="log.root_named"):
    """A signed note that names the root key of the log (`domain.transparency.key_notes`)."""

    note: str


class KeyChanged(Value, frozen=True, tag_field="type", tag="log.key_changed"):
    """A signed note that changes the key of the log."""

    note: str


Announcement: TypeAlias = FormatChanged | LogBegun | RootNamed | KeyChanged


def is_announcement(content: bytes) -> bool:
    """Return whether the content of a leaf is an announcement."""
    return content.startswith(PREFIX)


def encode_announcement(announcement: Announcement) -> bytes:
    """Return the content of the leaf of an announcement."""
    text = msgspec.json.encode(announcement)
    assert len(text) <= TEXT_MAX
    return PREFIX + text


def parse_announcement(content: bytes) -> Announcement:
    """Parse the content of a leaf; raise `Malformed` unless it is a known announcement in canonical form."""
    text = content.removeprefix(PREFIX)
    if not is_announcement(content) or len(text) > TEXT_MAX:
        raise Malformed(
            f"an announcement of the log begins with {PREFIX[:-1].decode()} and has at most {TEXT_MAX} bytes"
        )
    try:
        announcement: Announcement = msgspec.json.decode(text, type=Announcement)
        encoded = msgspec.json.encode(announcement)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Malformed(f"an announcement of the log cannot be read: {error}") from error
    if encoded != text:
        raise Malformed("an announcement of the log is not in canonical form")
    return announcement
