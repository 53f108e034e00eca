"""People and services that sign in tests, with keys derived from their names."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final

import pytest

from domain.eventstore.application import Matches
from domain.matches.aggregate import Match
from domain.matches.errors import OrderUnsigned
from domain.matches.signatures.signing import act_of
from domain.signatures.acts import ServiceKey, Signed, SignedAct, act_text, order_text
from domain.signatures.keys import NamedKey, vouching_text


class Pen(ServiceKey):
    """A key that can sign acts and vouch for other keys."""

    def __init__(self, name: str) -> None:
        super().__init__(sha256(f"pen {name}".encode()).digest())

    @property
    def named_key(self) -> NamedKey:
        """The key, vouched for only by sign-in."""
        return NamedKey(self.key)

    def vouches_for(self, other: "Pen", person: str) -> NamedKey:
        return NamedKey(other.key, self.key, self.sign(vouching_text(other.key, person)))

    def signs(self, match: Match, fact: Any, seen: Match | None = None) -> SignedAct:
        """Return the act of a player who saw this position, or an earlier one, and wants that fact."""
        then = seen or match
        act = SignedAct(match.id, then.version, then.head_digest, act_of(fact), self.key, "")
        return replace_signature(act, self.sign(act_text(act.match_id, act.version, act.digest, act.act)))


def replace_signature(act: SignedAct, signature: str) -> SignedAct:
    return SignedAct(act.match_id, act.version, act.digest, act.act, act.key, signature)


class NoPast:
    """The past of a player who has always seen the latest entry."""

    def at(self, version: int) -> Match:
        raise LookupError(version)

    def since(self, version: int) -> list[Any]:
        raise LookupError(version)


NO_PAST: Final = NoPast()


def signing(matches: Matches, pen: ServiceKey, command: Callable[[], Any]) -> Any:
    """Run an official's command like a browser: sign the requested act and repeat."""
    with pytest.raises(OrderUnsigned) as refusal:
        command()
    wanted = refusal.value
    text = order_text(wanted.stream, wanted.stream_version, wanted.digest, wanted.act)
    matches.dependencies.order = lambda: Signed(pen.key, pen.sign(text))
    try:
        return command()
    finally:
        matches.dependencies.order = lambda: None
