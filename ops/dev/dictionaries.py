"""Train the dictionaries that compress rows, on bot matches: `python -m ops.dev.dictionaries FOLDER`.

A released dictionary is never retrained under its name (`domain/eventstore/data/README.md`).
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final

import msgspec
import zstandard

from domain.eventstore.mapper import plain_state
from domain.matches.aggregate import Match, view
from domain.matches.apply import apply, begin
from domain.matches.log.entries import Entry
from domain.matches.titles import read_fact
from domain.titles import TITLES
from ops.dev.bench.match_log import play_match
from projections.follow import FollowedStep
from projections.matches.replay import stored_line

MATCHES: Final = 600
BYTES: Final = 32 * 1024
SAMPLES: Final = 30_000
LEVEL: Final = 9
VIEW_EVERY: Final = 25
"""Number of entries between two views of a match that become samples."""


def steps_of(entries: Sequence[Entry]) -> Iterator[FollowedStep]:
    """Yield the steps of a match, as projections receive them."""
    match: Match | None = None
    for entry in entries:
        match = begin(TITLES, entry) if match is None else apply(match, entry)
        yield FollowedStep(entry.version, entry, read_fact(match.definition, entry), match)


def train_dictionary(samples: list[bytes]) -> bytes:
    """Train a dictionary on at most `SAMPLES` of the samples, which are shuffled in place.

    The same samples give the same dictionary.
    """
    Random(1).shuffle(samples)
    chosen_samples = list[bytes | bytearray | memoryview[int]](samples[:SAMPLES])
    return zstandard.train_dictionary(BYTES, chosen_samples, level=LEVEL).as_bytes()


def main(folder: Path) -> None:
    """Play matches and write the dictionaries of log rows, stored lines and views into the folder."""
    rows, lines, views = list[bytes](), list[bytes](), list[bytes]()
    for number in range(MATCHES):
        entries = play_match(number)
        for step in steps_of(entries):
            rows.append(plain_state(step.entry))
            lines.append(msgspec.json.encode(stored_line(step), order="deterministic"))
            if step.version % VIEW_EVERY == 0 or step.match.is_over:
                readers = (None, *range(len(step.match.seats)))
                views += [msgspec.json.encode(view(step.match, reader)) for reader in readers]
    for name, samples in (("rows-1", rows), ("lines-1", lines), ("views-1", views)):
        (folder / f"{name}.zdict").write_bytes(train_dictionary(samples))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
