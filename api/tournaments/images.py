"""Processing of uploaded photos: checked before decoding, rotated, resized and encoded again from pixels.

No metadata of the upload is kept: no location, camera, text or appended file.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from io import BytesIO
from typing import Final

import msgspec
from PIL import Image, ImageOps

from domain.tournaments.errors import PhotoTooLarge, PhotoUnreadable

FORMATS: Final = ("JPEG", "PNG", "WEBP")
PHOTO_TYPES: Final = ("image/jpeg", "image/png", "image/webp")
BYTES_MAX: Final = 12 * 1024 * 1024
PIXELS_MAX: Final = 50_000_000
"""Pixels of phone cameras at most, because they are in memory all at once."""
SIDE_MAX: Final = 12_000
SIDE_MIN: Final = 64
LARGE: Final = 1_600
SMALL: Final = 480
"""Longer side of the two sizes: for viewing, and next to a table."""
QUALITY: Final = 82
PALETTES: Final = frozenset({"1", "P", "PA"})
"""Modes with colour indices, which cannot be resized directly."""
BOTH_AT_ONCE: Final = (b"<script", b"<!doctype html", b"<?php")
"""Signatures in files that try to be of two types at once."""
PDF, PDF_WITHIN = b"%PDF-", 1_024
ZIP_END, ZIP_WITHIN = b"PK\x05\x06", 65_557
"""Search ranges for the start of a PDF and the end of a ZIP."""
FAULTS: Final = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    IndexError,
    KeyError,
    OverflowError,
    EOFError,
    MemoryError,
    struct.error,
    zlib.error,
)
"""Exceptions that the library raises for invalid files."""


class SizedImage(msgspec.Struct, frozen=True):
    """An image in one size, as JPEG."""

    width: int
    height: int
    content: bytes


class Picture(msgspec.Struct, frozen=True):
    """A photo in two sizes."""

    large: SizedImage
    small: SizedImage

    @property
    def digest(self) -> str:
        """The SHA-256 of the large image, which identifies the photo."""
        return hashlib.sha256(self.large.content).hexdigest()


def make_picture(content: bytes) -> Picture:
    """Return both sizes of a photo as JPEG, upright and without metadata.

    Raises `PhotoTooLarge` above `BYTES_MAX`, `PIXELS_MAX` or `SIDE_MAX`, `PhotoUnreadable` below `SIDE_MIN`, for a file
    that could be another type too, and for no whole JPEG, PNG or WebP picture.
    """
    if len(content) > BYTES_MAX:
        raise PhotoTooLarge(f"the file has {len(content):,} bytes; the limit is {BYTES_MAX:,}")
    require_single_type(content)
    try:
        with Image.open(BytesIO(content), formats=FORMATS) as image:
            require_size(*image.size)
            # Decode no more pixels of a JPEG than needed.
            image.draft("RGB", (2 * LARGE, 2 * LARGE))
            image.load()
            return resize_both(image)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as refusal:
        raise PhotoTooLarge(f"the picture has more than {PIXELS_MAX:,} pixels") from refusal
    except FAULTS as fault:
        raise PhotoUnreadable("not a complete JPEG, PNG or WebP picture") from fault


def require_single_type(content: bytes) -> None:
    """Raise `PhotoUnreadable` for a file that could also be read as another type, such as PDF, ZIP or a script."""
    lowercase = content.lower()
    if (
        any(each in lowercase for each in BOTH_AT_ONCE)
        or PDF in content[:PDF_WITHIN]
        or ZIP_END in content[-ZIP_WITHIN:]
    ):
        raise PhotoUnreadable("the file is not a picture, or contains other data")


def require_size(width: int, height: int) -> None:
    """Raise `PhotoTooLarge` above `PIXELS_MAX` or `SIDE_MAX`, `PhotoUnreadable` for a side below `SIDE_MIN`."""
    if width * height > PIXELS_MAX or max(width, height) > SIDE_MAX:
        limits = f"the limit is {PIXELS_MAX:,}, and {SIDE_MAX:,} per side"
        raise PhotoTooLarge(f"the picture has {width:,} x {height:,} pixels; {limits}")
    if min(width, height) < SIDE_MIN:
        raise PhotoUnreadable(f"the picture has {width} x {height} pixels; each side needs at least {SIDE_MIN}")


def resize_both(image: Image.Image) -> Picture:
    """Return a decoded image in both sizes, upright and on white, without metadata; images are never enlarged."""
    if image.mode in PALETTES:
        image = image.convert("RGBA")
    image.thumbnail((LARGE, LARGE), Image.Resampling.LANCZOS, reducing_gap=3.0)
    upright = ImageOps.exif_transpose(image)
    # Copy only the pixels, because metadata would be copied along with the image.
    large = Image.new("RGB", upright.size, "white")
    if upright.has_transparency_data:
        with_alpha = upright.convert("RGBA")
        large.paste(with_alpha, mask=with_alpha.getchannel("A"))
    else:
        large.paste(upright.convert("RGB"))
    small = large.copy()
    small.thumbnail((SMALL, SMALL), Image.Resampling.LANCZOS)
    return Picture(encode(large), encode(small))


def encode(image: Image.Image) -> SizedImage:
    """Encode an image as progressive JPEG."""
    file = BytesIO()
    image.save(file, "JPEG", quality=QUALITY, optimize=True, progressive=True)
    return SizedImage(image.width, image.height, file.getvalue())
