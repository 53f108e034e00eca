"""What is printed on the components of the titles: names and texts that stand in tables of data, not in the sources."""

from collections.abc import Iterator

from domain.kernel.loading import find_part
from domain.titles import TITLES


def printed_texts() -> Iterator[tuple[str, str]]:
    """Area and text of everything that is printed, of the titles that say so in `ops/dev/titles/TITLE/printed.py`."""
    for name in TITLES:
        texts = find_part(f"ops.dev.titles.{name}.printed", "printed_texts")
        yield from ((name, text) for text in (texts() if texts else ()))
