"""Addresses as QR codes, drawn in lines."""

from __future__ import annotations

from io import BytesIO
from typing import Final

import segno
from markupsafe import Markup

QUIET_ZONE: Final = 2
"""Empty modules around a code, so that a phone finds it beside other print."""
QR_TYPE: Final = "image/svg+xml"


def qr_code(address: str) -> Markup:
    """The address as a QR code; a quarter of it may be smudged."""
    drawn = make_code(address).svg_inline(border=QUIET_ZONE, omitsize=True)
    return Markup(drawn)  # noqa: S704 - drawn by the library from an address of ours


def qr_file(address: str) -> bytes:
    """The same as a picture of its own, black on white: where a page has hundreds, each of them takes a while."""
    written = BytesIO()
    make_code(address).save(written, kind="svg", border=QUIET_ZONE, omitsize=True, light="#fff", xmldecl=False)
    return written.getvalue()


def make_code(address: str) -> segno.QRCode:
    return segno.make(address, error="q", micro=False)
