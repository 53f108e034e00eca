"""Row compression with Zstandard and a dictionary of common content.

Dictionaries are package data and must be kept forever: rows can only be decompressed with the dictionary that
compressed them.
"""

import threading
from pathlib import Path
from typing import Final

import zstandard

LEVEL: Final = 3
BYTES_MAX: Final = 256 * 1024 * 1024
"""A row that states a longer length is corrupt."""


class Compressor:
    """Compression with one dictionary; thread-safe, although the library's objects are not."""

    def __init__(self, dictionary: Path) -> None:
        self._file = dictionary
        self._local = threading.local()

    def compress(self, plain: bytes) -> bytes:
        """Compress; deterministic for a given version of the library."""
        compressed: bytes = self._create_codec()[0].compress(plain)
        return compressed

    def decompress(self, compressed: bytes) -> bytes:
        """Decompress; raise `ValueError` unless the bytes are a compressed state of at most `BYTES_MAX`."""
        try:
            if not 0 <= zstandard.frame_content_size(compressed) <= BYTES_MAX:
                raise ValueError("invalid length in a compressed row")
            plain: bytes = self._create_codec()[1].decompress(compressed)
        except (zstandard.ZstdError, TypeError) as error:
            # A manipulated SQLite file may contain text instead of bytes.
            raise ValueError(str(error)) from error
        return plain

    def _create_codec(self) -> tuple[zstandard.ZstdCompressor, zstandard.ZstdDecompressor]:
        """Return this thread's compressor and decompressor for the dictionary, created on first use."""
        parts: tuple[zstandard.ZstdCompressor, zstandard.ZstdDecompressor] | None = getattr(self._local, "parts", None)
        if parts is None:
            dictionary = zstandard.ZstdCompressionDict(self._file.read_bytes())
            dictionary.precompute_compress(level=LEVEL)
            compressor = zstandard.ZstdCompressor(level=LEVEL, dict_data=dictionary, write_dict_id=False)
            parts = self._local.parts = (compressor, zstandard.ZstdDecompressor(dict_data=dictionary))
        return parts
