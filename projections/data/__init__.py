"""Compression dictionaries of read models."""

from pathlib import Path
from typing import Final

from domain.eventstore.compression import Compressor

DATA: Final = Path(__file__).parent
VIEWS: Final = Compressor(DATA / "views-1.zdict")
"""A new dictionary requires a new `SHAPE` of every projection that stores views."""
