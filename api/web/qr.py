"""Addresses as QR codes, drawn in lines."""

from __future__ import annotations

from typing import Final

import segno
from markupsafe import Markup

QUIET_ZONE: Final = 2
"""Empty modules around a code, so that a phone finds it beside other print."""


def qr_code(address: str) -> Markup:
    """The address as a QR code; a quarter of it may be smudged."""
    drawn = segno.make(address, error="q", micro=False).svg_inline(border=QUIET_ZONE, omitsize=True)
    return Markup(drawn)  # noqa: S704 - drawn by the library from an address of ours
