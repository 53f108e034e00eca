"""Configuration of the witnesses that the service asks to cosign, and the policy that it publishes."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from domain.transparency.errors import Malformed
from domain.transparency.notes import COSIGNATURE, VerifierKey, parse_key
from domain.transparency.policy import Policy, PolicyGroup, PolicyLog, PolicyWitness

MAJORITY: Final = "majority"
QUORUM_WORDS: Final = (MAJORITY, "all", "any", "none")
QUORUM_GROUP: Final = b"quorum"
COUNT: Final = re.compile(r"[1-9][0-9]{0,2}")


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


def parse_quorum(text: str) -> str:
    """Return a quorum: one of `QUORUM_WORDS` or a number from 1 to 999; raise `Malformed` for another text."""
    if text not in QUORUM_WORDS and COUNT.fullmatch(text) is None:
        raise Malformed(f"{text[:60]!r} is not a quorum: expected {', '.join(QUORUM_WORDS)} or a number from 1 to 999")
    return text


def service_policy(log: VerifierKey, witnesses: Sequence[WitnessAddress], quorum: str) -> Policy:
    """Return the policy that a service publishes: its own key, its witnesses, and how many of them are required.

    Witnesses are named w1, w2, … A number above theirs counts as all. Their URLs stay private.
    """
    keys = [parse_key(witness.key) for witness in witnesses]
    members = tuple(PolicyWitness(f"w{number}".encode(), key) for number, key in enumerate(keys, start=1))
    if not members or quorum == "none":
        return Policy((PolicyLog(log),), members)
    counts = {MAJORITY: len(members) // 2 + 1, "all": len(members), "any": 1}
    threshold = min(counts.get(quorum) or int(quorum), len(members))
    group = PolicyGroup(QUORUM_GROUP, threshold, tuple(each.name for each in members))
    return Policy((PolicyLog(log),), members, (group,), QUORUM_GROUP)
