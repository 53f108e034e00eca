"""Pictures of pages for the documentation, written by the tests of these pages."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Final

from PIL import Image

from tests.pages.browsing import Player

PICTURES: Final = os.environ.get("ESPORLES_PICTURES", "")
"""The folder of the pictures; without one none are written."""
DESK: Final = {"width": 960, "height": 720}
QUALITY: Final = 55


def check_page(player: Player, name: str) -> None:
    """Check the page's width, and take a screenshot if wanted."""
    assert not player.is_wider_than_the_window, f"{player.here} is wider than the window"
    if PICTURES:
        player.page.evaluate("scrollTo(0, 0)")
        picture = Image.open(io.BytesIO(player.page.screenshot()))
        Path(PICTURES).mkdir(parents=True, exist_ok=True)
        picture.save(Path(PICTURES) / f"{name}.webp", quality=QUALITY, method=6)
