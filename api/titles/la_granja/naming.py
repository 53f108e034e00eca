"""How cards, tiles and buildings of a box are named in an address."""

from __future__ import annotations

from urllib.parse import urlencode

from domain.titles.la_granja.boxes import AND, DEFAULT_DECK


def query_of(box: str) -> str:
    """What an address of a thing has behind its question mark; "" for the usual box."""
    deck, _, components = box.partition(AND)
    asked = {"deck": deck if deck != DEFAULT_DECK else "", "components": components}
    named = {name: value for name, value in asked.items() if value}
    return f"?{urlencode(named)}" if named else ""
