"""Names and texts printed on the titles' components, which are in data tables instead of source code."""

from collections.abc import Iterator

from domain.kernel.loading import find_part
from domain.titles import TITLES


def printed_texts() -> Iterator[tuple[str, str]]:
    """Yield (area, text) of everything printed, from the titles that have `ops/dev/titles/TITLE/printed.py`."""
    for name in TITLES:
        texts = find_part(f"ops.dev.titles.{name}.printed", "printed_texts")
        yield from ((name, text) for text in (texts() if texts else ()))
