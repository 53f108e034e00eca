"""Deterministic, recorded randomness: a stream of numbers per key and label (`docs/specifications/chance.md`)."""

import hmac
from collections.abc import Iterator, Sequence
from typing import Final, Protocol, TypeVar

from domain.kernel.hidden import Audience, Hidden
from domain.kernel.values import Value

Item = int | str
"""An item of a pool: a number or an id."""

I = TypeVar("I", bound=Item)

WORD_BYTES: Final = 4
WORD_LIMIT: Final = 1 << (8 * WORD_BYTES)
STREAM_BLOCKS_MAX: Final = 255
NUMBERS_MAX: Final = 8 * STREAM_BLOCKS_MAX
"""The maximum count of numbers from the stream of a label."""
HASH: Final = "sha256"


class ImpossibleDraw(ValueError):
    """The record of an impossible draw.

    Its pool is unknown or too small, its dice have no sides, or it needs more numbers than its stream has.
    """


class Draw(Value, frozen=True, omit_defaults=True):
    """A use of chance, as an entry records it.

    `kind` is `roll` (`count` dice of `pool_size` sides, no pool) or `draw` (`count` of `pool_size` items without
    replacement). Either `outcome` (and `pool`) are public, or the hidden fields replace them: the outcome for its
    audience, the pool for no seat, because the remaining pool reveals the items drawn.
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
    """The source of chance for rules. Labels are unique in a line and name the purpose of a draw."""

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...]:
        """Return `count` public dice, each from 1 to `sides`."""
        ...

    def draw(self, label: str, pool: Sequence[I], count: int, audience: Audience | None = None) -> tuple[I, ...]:
        """Return `count` items of the pool in the order drawn, public or visible to `audience` only."""
        ...


def hkdf_extract(salt: bytes, material: bytes) -> bytes:
    """Return HKDF-Extract with SHA-256 (RFC 5869, section 2.2)."""
    return hmac.digest(salt, material, HASH)


def hkdf_blocks(key: bytes, info: bytes) -> Iterator[bytes]:
    """Yield the 32-byte blocks of HKDF-Expand with SHA-256 (RFC 5869, section 2.3), at most 255."""
    block = b""
    for index in range(1, STREAM_BLOCKS_MAX + 1):
        block = hmac.digest(key, block + info + bytes((index,)), HASH)
        yield block


def hkdf_expand(key: bytes, info: bytes, length: int = 32) -> bytes:
    """Return the first `length` bytes (at most 32) of HKDF-Expand."""
    assert 0 < length <= 32
    return hmac.digest(key, info + b"\x01", HASH)[:length]


def match_key(server_seed: bytes, shares: Sequence[bytes], match_id: bytes) -> bytes:
    """Return the key of a match: HKDF-SHA256(server seed, then the seats' shares in seat order; salt = match id)."""
    return hkdf_expand(hkdf_extract(match_id, b"".join((server_seed, *shares))), b"")


def numbers(key: bytes, label: str) -> Iterator[int]:
    """Yield the stream of a label: big-endian 32-bit numbers of its blocks by `hkdf_blocks`, at most `NUMBERS_MAX`."""
    for block in hkdf_blocks(key, label.encode()):
        for start in range(0, len(block), WORD_BYTES):
            yield int.from_bytes(block[start : start + WORD_BYTES], "big")


def below(stream: Iterator[int], bound: int) -> int:
    """Return a number from 0 to bound - 1.

    Words at or above the largest multiple of `bound` are rejected, so that all numbers are equally likely. Raise
    `ImpossibleDraw` at the end of the stream.
    """
    assert 0 < bound <= WORD_LIMIT
    limit = WORD_LIMIT - WORD_LIMIT % bound
    for word in stream:
        if word < limit:
            return word % bound
    raise ImpossibleDraw(f"no number below {bound} in {STREAM_BLOCKS_MAX} blocks of the random stream")


def repeat_draw(key: bytes, draw: Draw) -> Draw:
    """Return the same draw computed again from the key; raise `ImpossibleDraw` for a record of a damaged log."""
    chance = SeededChance(key)
    if draw.kind == "roll":
        if draw.count < 0 or not 0 < draw.pool_size <= WORD_LIMIT:
            raise ImpossibleDraw(f"{draw.label!r} cannot be {draw.count} dice with {draw.pool_size} sides")
        chance.roll(draw.label, draw.count, draw.pool_size)
    else:
        pool, hidden = pool_of(draw), draw.hidden_outcome
        if not 0 <= draw.count <= len(pool):
            raise ImpossibleDraw(f"{draw.label!r} cannot be {draw.count} of {len(pool)} items")
        chance.draw(draw.label, pool, draw.count, None if hidden is None else hidden.audience)
    return chance.draws[0]


def pool_of(draw: Draw) -> tuple[Item, ...]:
    """Return the pool of a draw, hidden or not; raise `ImpossibleDraw` if its record does not show it."""
    pool = draw.pool
    if draw.hidden_outcome is not None:
        pool = None if draw.hidden_pool is None else draw.hidden_pool.known_or(None)
    if pool is None:
        raise ImpossibleDraw(f"the pool of {draw.label!r} is unknown")
    return pool


class SeededChance:
    """Chance from a key; records its draws in `draws`, in order."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._draws: list[Draw] = []

    @property
    def draws(self) -> tuple[Draw, ...]:
        """Return the draws made so far, in order."""
        return tuple(self._draws)

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...]:
        """Return `count` public dice and record the roll."""
        stream = numbers(self._key, label)
        outcome = tuple(1 + below(stream, sides) for _ in range(count))
        self._draws.append(Draw(label, "roll", sides, count, outcome=outcome))
        return outcome

    def draw(self, label: str, pool: Sequence[I], count: int, audience: Audience | None = None) -> tuple[I, ...]:
        """Return `count` items of the pool, each at most once, and record the draw; `AssertionError` if it has fewer.

        With an audience the outcome is hidden from others, and the pool from everyone.
        """
        assert count <= len(pool)
        stream, remaining = numbers(self._key, label), list(pool)
        outcome = tuple(remaining.pop(below(stream, len(remaining))) for _ in range(count))
        size = len(pool)
        if audience is None:
            self._draws.append(Draw(label, "draw", size, count, pool=tuple(pool), outcome=outcome))
        else:
            hidden_pool: Hidden[tuple[Item, ...]] = Hidden(tuple(pool), ())
            hidden_outcome: Hidden[tuple[Item, ...]] = Hidden(outcome, audience)
            self._draws.append(Draw(label, "draw", size, count, hidden_pool=hidden_pool, hidden_outcome=hidden_outcome))
        return outcome
