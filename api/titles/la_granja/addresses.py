"""Query strings that identify a box in addresses."""

from __future__ import annotations

from urllib.parse import urlencode

from domain.titles.la_granja.boxes import DEFAULT_DECK, NAME_SEPARATOR


def query_of(box: str) -> str:
    """Return the query string of a box, with question mark; "" for the standard box."""
    deck, _, components = box.partition(NAME_SEPARATOR)
    parameters = {"deck": deck if deck != DEFAULT_DECK else "", "components": components}
    non_empty = {name: value for name, value in parameters.items() if value}
    return f"?{urlencode(non_empty)}" if non_empty else ""
