"""QR codes as SVG."""

from __future__ import annotations

from io import BytesIO
from typing import Final

import segno
from markupsafe import Markup

QUIET_ZONE: Final = 2
"""Empty modules around a code, so that a phone finds it next to other print."""
QR_TYPE: Final = "image/svg+xml"


def qr_code(address: str) -> Markup:
    """Return inline SVG of an address as a QR code that tolerates 25 % damage."""
    svg = make_code(address).svg_inline(border=QUIET_ZONE, omitsize=True)
    return Markup(svg)  # noqa: S704 - drawn by the library from an address of ours


def qr_file(address: str) -> bytes:
    """Return the QR code of an address as a standalone black-on-white SVG file.

    For pages with hundreds of codes, which take time to render.
    """
    buffer = BytesIO()
    make_code(address).save(buffer, kind="svg", border=QUIET_ZONE, omitsize=True, light="#fff", xmldecl=False)
    return buffer.getvalue()


def make_code(address: str) -> segno.QRCode:
    """Return a QR code with error correction level Q."""
    return segno.make(address, error="q", micro=False)
