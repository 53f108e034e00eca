"""Fast pseudo-random numbers for imagined positions, many times faster than the chance of a match.

As in a match, each label has an independent stream, so that two lines of play that reach the same draw get the same
result.
"""

from collections.abc import Iterator, Sequence
from typing import Final
from zlib import crc32

from domain.kernel.chance import I
from domain.kernel.hidden import Audience

MASK: Final = (1 << 64) - 1
FACTOR: Final = 6_364_136_223_846_793_005
STEP: Final = 1_442_695_040_888_963_407
"""Knuth's linear congruential generator modulo 2 ** 64; the upper half of its state is used."""
SPREAD: Final = 0x9E3779B97F4A7C15
FIRST_MIX: Final = 0xBF58476D1CE4E5B9
SECOND_MIX: Final = 0x94D049BB133111EB
"""Constants of SplitMix64 (Steele, Lea and Flood, 2014); they decorrelate streams of different labels and seeds."""


SEED_BYTES: Final = 8
"""Bytes of the seed that are used."""


class Luck:
    """A chance source from a seed that records nothing."""

    def __init__(self, seed: bytes) -> None:
        self._seed = int.from_bytes(seed[:SEED_BYTES], "big")

    def roll(self, label: str, count: int, sides: int) -> tuple[int, ...]:
        """Roll `count` dice with the numbers of the label."""
        stream = self._numbers(label)
        return tuple([1 + next(stream) % sides for _ in range(count)])

    def draw(self, label: str, pool: Sequence[I], count: int, audience: Audience | None = None) -> tuple[I, ...]:  # noqa: ARG002  # nothing is recorded
        """Draw `count` items without replacement with the numbers of the label; nothing is recorded or hidden."""
        assert count <= len(pool)
        remaining, stream = list(pool), self._numbers(label)
        return tuple([remaining.pop(next(stream) % len(remaining)) for _ in range(count)])

    def _numbers(self, label: str) -> Iterator[int]:
        """Yield the numbers of a label, 0..2 ** 32 - 1."""
        state = (self._seed + crc32(label.encode()) * SPREAD) & MASK
        state = (state ^ state >> 30) * FIRST_MIX & MASK
        state = (state ^ state >> 27) * SECOND_MIX & MASK
        state ^= state >> 31
        while True:
            state = (state * FACTOR + STEP) & MASK
            yield state >> 32
