"""Bytes of rows made smaller, by Zstandard with a dictionary of what many such rows have in common.

A dictionary is data of the package and stays for ever: what was stored with it can be read with it alone.
"""

import threading
from pathlib import Path
from typing import Final

import zstandard

LEVEL: Final = 3
BYTES_MAX: Final = 256 * 1024 * 1024
"""A row that says it was longer is damaged."""


class Zipper:
    """What is stored with one dictionary. For any number of threads; the library's own parts are for one at a time."""

    def __init__(self, dictionary: Path) -> None:
        self._file = dictionary
        self._here = threading.local()

    def zip(self, plain: bytes) -> bytes:
        """The same bytes always, by one version of the library."""
        found: bytes = self._parts()[0].compress(plain)
        return found

    def unzip(self, zipped: bytes) -> bytes:
        """`ValueError` where these bytes are not what `zip` gave."""
        try:
            if not 0 <= zstandard.frame_content_size(zipped) <= BYTES_MAX:
                raise ValueError("the length that the row states is none of ours")
            found: bytes = self._parts()[1].decompress(zipped)
        except (zstandard.ZstdError, TypeError) as error:
            # A file that somebody has changed may hold text where bytes were.
            raise ValueError(str(error)) from error
        return found

    def _parts(self) -> tuple[zstandard.ZstdCompressor, zstandard.ZstdDecompressor]:
        parts: tuple[zstandard.ZstdCompressor, zstandard.ZstdDecompressor] | None = getattr(self._here, "parts", None)
        if parts is None:
            known = zstandard.ZstdCompressionDict(self._file.read_bytes())
            known.precompute_compress(level=LEVEL)
            compressor = zstandard.ZstdCompressor(level=LEVEL, dict_data=known, write_dict_id=False)
            parts = self._here.parts = (compressor, zstandard.ZstdDecompressor(dict_data=known))
        return parts
