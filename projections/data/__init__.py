"""Where the dictionaries of read models lie."""

from pathlib import Path
from typing import Final

from domain.eventstore.compression import Zipper

DATA: Final = Path(__file__).parent
VIEWS: Final = Zipper(DATA / "views-1.zdict")
"""With another dictionary the `SHAPE` of whoever stores views is another one, too."""
