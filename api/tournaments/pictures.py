"""Photos as they come in, made into pictures that can be shown: looked at before they are decoded, turned upright, made
smaller, and written anew from their pixels alone.

Nothing else of what was sent is kept: no place, no camera, no words, no second file behind the first.
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
"""What the cameras of phones make, and no more: they are in memory all at once."""
SIDE_MAX: Final = 12_000
SIDE_MIN: Final = 64
LARGE: Final = 1_600
SMALL: Final = 480
"""The longer side of a picture as it is looked at, and beside a table."""
QUALITY: Final = 82
PALETTES: Final = frozenset({"1", "P", "PA"})
"""Pixels that are numbers of colours cannot be made fewer as they are."""
BOTH_AT_ONCE: Final = (b"<script", b"<!doctype html", b"<?php")
"""What stands in no photo, but in files that want to be two things at once."""
PDF, PDF_WITHIN = b"%PDF-", 1_024
ZIP_END, ZIP_WITHIN = b"PK\x05\x06", 65_557
"""Where a PDF begins, and where a ZIP ends."""
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
"""What the library raises at files that are not what they say they are."""


class Sized(msgspec.Struct, frozen=True):
    """A picture in one size, as JPEG."""

    width: int
    height: int
    content: bytes


class Picture(msgspec.Struct, frozen=True):
    """A photo as it is shown."""

    large: Sized
    small: Sized

    @property
    def digest(self) -> str:
        """By which it is known: that of the large one."""
        return hashlib.sha256(self.large.content).hexdigest()


def make_picture(content: bytes) -> Picture:
    """Both sizes of a photo; `PhotoUnreadable` or `PhotoTooLarge` says in a sentence why there is none."""
    if len(content) > BYTES_MAX:
        raise PhotoTooLarge(f"the file has {len(content):,} bytes; at most {BYTES_MAX:,} are taken")
    require_one_thing(content)
    try:
        with Image.open(BytesIO(content), formats=FORMATS) as image:
            require_size(*image.size)
            # Of a JPEG only as many pixels are made as are needed.
            image.draft("RGB", (2 * LARGE, 2 * LARGE))
            image.load()
            return shown_as(image)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as bomb:
        raise PhotoTooLarge(f"the picture has more than {PIXELS_MAX:,} pixels") from bomb
    except FAULTS as fault:
        raise PhotoUnreadable("this is no whole picture in JPEG, PNG or WebP") from fault


def require_one_thing(content: bytes) -> None:
    """Refuses a file that is a picture and something else at once."""
    lowered = content.lower()
    if any(each in lowered for each in BOTH_AT_ONCE) or PDF in content[:PDF_WITHIN] or ZIP_END in content[-ZIP_WITHIN:]:
        raise PhotoUnreadable("the file is something else than a picture, or something else as well")


def require_size(width: int, height: int) -> None:
    """Refuses what would take too much memory, or shows nothing, before it is decoded."""
    if width * height > PIXELS_MAX or max(width, height) > SIDE_MAX:
        most = f"at most {PIXELS_MAX:,} are taken, and {SIDE_MAX:,} on a side"
        raise PhotoTooLarge(f"the picture has {width:,} x {height:,} pixels; {most}")
    if min(width, height) < SIDE_MIN:
        raise PhotoUnreadable(f"the picture has {width} x {height} pixels; on less than {SIDE_MIN} nothing can be seen")


def shown_as(image: Image.Image) -> Picture:
    if image.mode in PALETTES:
        image = image.convert("RGBA")
    image.thumbnail((LARGE, LARGE), Image.Resampling.LANCZOS, reducing_gap=3.0)
    upright = ImageOps.exif_transpose(image)
    # Pixels alone go on: what a file says of itself would go along with its picture.
    large = Image.new("RGB", upright.size, "white")
    if upright.has_transparency_data:
        with_alpha = upright.convert("RGBA")
        large.paste(with_alpha, mask=with_alpha.getchannel("A"))
    else:
        large.paste(upright.convert("RGB"))
    small = large.copy()
    small.thumbnail((SMALL, SMALL), Image.Resampling.LANCZOS)
    return Picture(encode(large), encode(small))


def encode(image: Image.Image) -> Sized:
    file = BytesIO()
    image.save(file, "JPEG", quality=QUALITY, optimize=True, progressive=True)
    return Sized(image.width, image.height, file.getvalue())
