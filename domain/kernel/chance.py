"""Chance, decided once and recorded: one stream of numbers per (key, label). `docs/specifications/chance.md` is the
specification."""

import hmac
from collections.abc import Iterator, Sequence
from typing import Final, Protocol, TypeVar

from domain.kernel.hidden import Audience, Hidden
from domain.kernel.values import Value

Item = int | str
"""What a pool holds: a number or an id."""

I = TypeVar("I", bound=Item)

WORD_BYTES: Final = 4
WORD_LIMIT: Final = 1 << (8 * WORD_BYTES)
STREAM_BLOCKS_MAX: Final = 255
HASH: Final = "sha256"


class Draw(Value, frozen=True, omit_defaults=True):
    """One use of chance, as an entry lists it.

    `kind` is `roll` (`count` dice of `pool_size` sides, no pool) or `draw` (`count` of the `pool_size` items of the
    pool, without putting back). Either `outcome` (and `pool`) stand open, or the hidden ones take their place: the
    outcome for its audience, the pool for nobody, because what is left of a pile tells what was taken from it.
    """

    label: str
    kind: str
    pool_size: int
    count: int
    pool: tuple[Item, ...] | None = None
    outcome: tuple[Item, ...] | None = None
    hidden_pool: Hidden[tuple[Item, ...]] | None = None
    hidden_outcome: Hidden[tuple[Item, ...]] | None = None


class Chance(Protocol):
    """What rules may ask of luck. Labels are unique in a line and say what the draw is for."""

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...]:
        """`count` dice, each 1..sides, open to everybody."""
        ...

    def draw(self, label: str, pool: Sequence[I], count: int, audience: Audience | None = None) -> tuple[I, ...]:
        """`count` items of the pool in the order drawn; seen by everybody, or by `audience` alone."""
        ...


def hkdf_extract(salt: bytes, material: bytes) -> bytes:
    """HKDF-Extract with SHA-256 (RFC 5869, section 2.2)."""
    return hmac.digest(salt, material, HASH)


def hkdf_blocks(key: bytes, info: bytes) -> Iterator[bytes]:
    """The 32-byte blocks of HKDF-Expand with SHA-256 (RFC 5869, section 2.3), as far as they go."""
    block = b""
    for index in range(1, STREAM_BLOCKS_MAX + 1):
        block = hmac.digest(key, block + info + bytes((index,)), HASH)
        yield block


def hkdf_expand(key: bytes, info: bytes, length: int = 32) -> bytes:
    """The first `length` bytes (at most 32) of HKDF-Expand: of its first block."""
    assert 0 < length <= 32
    return hmac.digest(key, info + b"\x01", HASH)[:length]


def match_key(server_seed: bytes, shares: Sequence[bytes], match_id: bytes) -> bytes:
    """The key of a match's luck: HKDF-SHA256(server seed, then the seats' shares in seat order; salt = match id)."""
    return hkdf_expand(hkdf_extract(match_id, b"".join((server_seed, *shares))), b"")


def numbers(key: bytes, label: str) -> Iterator[int]:
    """The stream of a label: big-endian 32-bit numbers."""
    for block in hkdf_blocks(key, label.encode()):
        for start in range(0, len(block), WORD_BYTES):
            yield int.from_bytes(block[start : start + WORD_BYTES], "big")


def below(stream: Iterator[int], bound: int) -> int:
    """A number 0..bound-1; words at or over the largest multiple of `bound` are rejected, so none is likelier."""
    assert 0 < bound <= WORD_LIMIT
    limit = WORD_LIMIT - WORD_LIMIT % bound
    for word in stream:
        if word < limit:
            return word % bound
    raise AssertionError(f"a stream of {STREAM_BLOCKS_MAX} blocks held no number below {bound}")


def repeat_draw(key: bytes, draw: Draw) -> Draw:
    """The same use of chance made again from the key; its pool must be known here."""
    chance = SeededChance(key)
    if draw.kind == "roll":
        chance.roll(draw.label, draw.count, draw.pool_size)
    elif draw.hidden_outcome is None:
        chance.draw(draw.label, draw.pool or (), draw.count)
    else:
        pool = () if draw.hidden_pool is None else draw.hidden_pool.value
        chance.draw(draw.label, pool, draw.count, draw.hidden_outcome.audience)
    return chance.draws[0]


class SeededChance:
    """Chance from a key. The draws made are listed in `draws`, in order."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._draws: list[Draw] = []

    @property
    def draws(self) -> tuple[Draw, ...]:
        return tuple(self._draws)

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...]:
        stream = numbers(self._key, label)
        outcome = tuple(1 + below(stream, sides) for _ in range(count))
        self._draws.append(Draw(label, "roll", sides, count, outcome=outcome))
        return outcome

    def draw(self, label: str, pool: Sequence[I], count: int, audience: Audience | None = None) -> tuple[I, ...]:
        assert count <= len(pool)
        stream, left = numbers(self._key, label), list(pool)
        outcome = tuple(left.pop(below(stream, len(left))) for _ in range(count))
        size = len(pool)
        if audience is None:
            self._draws.append(Draw(label, "draw", size, count, pool=tuple(pool), outcome=outcome))
        else:
            hidden_pool: Hidden[tuple[Item, ...]] = Hidden(tuple(pool), ())
            hidden_outcome: Hidden[tuple[Item, ...]] = Hidden(outcome, audience)
            self._draws.append(Draw(label, "draw", size, count, hidden_pool=hidden_pool, hidden_outcome=hidden_outcome))
        return outcome
