"""Configuration of the witnesses that the service asks to cosign."""

from typing import NamedTuple
from urllib.parse import urlsplit

from domain.transparency.errors import Malformed
from domain.transparency.notes import COSIGNATURE, parse_key


class WitnessAddress(NamedTuple):
    """A witness: its verifier key and its URL."""

    key: str
    url: str


def parse_witnesses(text: str) -> tuple[WitnessAddress, ...]:
    """Parse a key and a URL per line, or separated by commas; lines with `#` are comments.

    Raise `Malformed` for a bad key or URL, or a repeated name.
    """
    by_name = dict[str, WitnessAddress]()
    for line in text.replace(",", "\n").splitlines():
        key, _, url = line.strip().partition(" ")
        if not key or key.startswith("#"):
            continue
        name, address = parse_key(key, [COSIGNATURE]).name, url.strip()
        if not is_address(address):
            raise Malformed(f"{address!r} is not the address of a witness: it must begin with http:// or https://")
        if name in by_name:
            raise Malformed(f"{name!r} appears twice")
        by_name[name] = WitnessAddress(key, address)
    return tuple(by_name.values())


def is_address(url: str) -> bool:
    """Return whether a URL is http or https with a host."""
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
