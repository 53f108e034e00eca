"""Image processing: orientation, size, removal of metadata, and refusal of invalid files."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, PngImagePlugin

from api.tournaments.images import BYTES_MAX, LARGE, SMALL, make_picture
from domain.tournaments.errors import PhotoTooLarge, PhotoUnreadable

ORIENTATION: Final = 0x0112
GPS: Final = 0x8825
MAKER: Final = "Secret camera"
RED, BLUE = (220, 20, 20), (20, 20, 220)


def board(width: int = 400, height: int = 200, mode: str = "RGB") -> Image.Image:
    """Return an image that is red on the left and blue on the right."""
    image = Image.new("RGB", (width, height), BLUE)
    image.paste(RED, (0, 0, width // 2, height))
    return image.convert(mode)


def photo(image: Image.Image | None = None, kind: str = "JPEG", **options: Any) -> bytes:
    file = BytesIO()
    (image or board()).save(file, kind, **options)
    return file.getvalue()


def open_jpeg(content: bytes) -> Image.Image:
    return Image.open(BytesIO(content), formats=["JPEG"])


def is_like(pixel: Any, wanted: tuple[int, int, int]) -> bool:
    return all(abs(one - other) < 40 for one, other in zip(pixel, wanted, strict=True))


def png_of(width: int, height: int) -> bytes:
    """Return a PNG that claims this size and has no pixels."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


def test_a_photo_is_rotated_and_loses_its_location() -> None:
    exif = Image.Exif()
    exif[ORIENTATION], exif[0x010F] = 6, MAKER
    exif.get_ifd(GPS)[1] = "N"
    content = photo(exif=exif, comment=b"Secret comment", icc_profile=b"Secret profile")

    picture = make_picture(content)
    shown = open_jpeg(picture.large.content)

    assert MAKER.encode() in content
    assert shown.size == (picture.large.width, picture.large.height) == (200, 400)
    assert is_like(shown.getpixel((100, 20)), RED)
    assert is_like(shown.getpixel((100, 380)), BLUE)
    assert not shown.getexif()
    assert shown.info.keys() <= {"jfif", "jfif_version", "jfif_unit", "jfif_density", "progressive", "progression"}
    assert b"Secret" not in picture.large.content + picture.small.content


@pytest.mark.parametrize(
    ("kind", "mode"), [("PNG", "RGBA"), ("PNG", "P"), ("PNG", "L"), ("WEBP", "RGB"), ("JPEG", "CMYK")]
)
def test_other_formats_become_jpeg_in_two_sizes(kind: str, mode: str) -> None:
    picture = make_picture(photo(board(2000, 1000, mode), kind))

    assert (picture.large.width, picture.large.height) == (LARGE, LARGE // 2)
    assert (picture.small.width, picture.small.height) == (SMALL, SMALL // 2)
    assert open_jpeg(picture.large.content).mode == open_jpeg(picture.small.content).mode == "RGB"
    assert len(picture.digest) == 64


def test_transparency_becomes_white() -> None:
    shown = open_jpeg(make_picture(photo(Image.new("RGBA", (100, 100), (0, 0, 0, 0)), "PNG")).large.content)

    assert is_like(shown.getpixel((50, 50)), (255, 255, 255))


def test_processing_is_deterministic() -> None:
    assert make_picture(photo()).digest == make_picture(photo()).digest


TOO_LARGE: Final[dict[str, Callable[[], bytes]]] = {
    "10,000 x 10,000 pixels": lambda: png_of(10_000, 10_000),
    "a line of 60,000 pixels": lambda: png_of(60_000, 100),
    "a bomb": lambda: png_of(60_000, 60_000),
    "many megabytes": lambda: photo() + bytes(BYTES_MAX),
}
NO_PICTURES: Final[dict[str, Callable[[], bytes]]] = {
    "nothing": lambda: b"",
    "text": lambda: b"This is a table of El Grande.",
    "a page": lambda: b"<!doctype html><script>alert(1)</script>",
    "another kind": lambda: photo(kind="GIF"),
    "a vector drawing": lambda: b'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"/>',
    "a truncated photo": lambda: photo(board(2000, 1000))[:-2_000],
    "the head of a photo": lambda: photo()[:200],
    "pixels that are not there": lambda: png_of(500, 500),
    "a speck": lambda: photo(board(8, 8)),
    "a photo that is a script": lambda: photo() + b"<script>alert(1)</script>",
    "a photo with an archive behind it": lambda: photo() + b"PK\x05\x06" + bytes(18),
    "a photo that is a paper": lambda: photo(comment=b"%PDF-1.7"),
    "words that are a bomb": lambda: with_words("x" * 4_000_000),
}


def with_words(text: str) -> bytes:
    info = PngImagePlugin.PngInfo()
    info.add_text("Comment", text, zip=True)
    return photo(kind="PNG", pnginfo=info)


@pytest.mark.parametrize("what", TOO_LARGE)
def test_oversized_images_are_refused_before_decoding(what: str) -> None:
    with pytest.raises(PhotoTooLarge, match=r"bytes|pixels"):
        make_picture(TOO_LARGE[what]())


@pytest.mark.parametrize("what", NO_PICTURES)
def test_truncated_photos_are_refused(what: str) -> None:
    with pytest.raises(PhotoUnreadable, match="picture"):
        make_picture(NO_PICTURES[what]())


@given(st.integers(0, 10_000), st.binary(min_size=1, max_size=40), st.sampled_from(("JPEG", "PNG", "WEBP")))
def test_corrupt_photos_are_shown_or_refused(offset: int, spoilt: bytes, kind: str) -> None:
    content = bytearray(SMALL_PHOTOS[kind])
    offset %= len(content)
    content[offset : offset + len(spoilt)] = spoilt
    try:
        make_picture(bytes(content))
    except (PhotoUnreadable, PhotoTooLarge):
        return


SMALL_PHOTOS: Final = {kind: photo(board(80, 80), kind) for kind in ("JPEG", "PNG", "WEBP")}


def test_a_phone_photo_is_processed(tmp_path: Path) -> None:
    """Files of some phones end with a second image."""
    picture = make_picture(photo(board(2016, 1512)) + photo(board(100, 100)))

    assert (picture.large.width, picture.large.height) == (1600, 1200)
