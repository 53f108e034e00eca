"""Which witnesses a house asks, as a text says it."""

from typing import NamedTuple
from urllib.parse import urlsplit

from domain.transparency.errors import Malformed
from domain.transparency.notes import COSIGNATURE, parse_key


class WitnessAt(NamedTuple):
    """A witness that the house asks: its verifier key, and where it answers."""

    key: str
    url: str


def parse_witnesses(text: str) -> tuple[WitnessAt, ...]:
    """A key and an address on each line, or with commas between; lines that begin with `#` are for people.

    `Malformed` names what cannot be read, or a witness that stands there twice.
    """
    found = dict[str, WitnessAt]()
    for line in text.replace(",", "\n").splitlines():
        key, _, url = line.strip().partition(" ")
        if not key or key.startswith("#"):
            continue
        name, address = parse_key(key, [COSIGNATURE]).name, url.strip()
        if not is_address(address):
            raise Malformed(f"{address!r} is no address of a witness, http://… or https://…")
        if name in found:
            raise Malformed(f"{name!r} stands there twice")
        found[name] = WitnessAt(key, address)
    return tuple(found.values())


def is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
