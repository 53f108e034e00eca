"""What a search for puzzles has found, a line for each match: a broken run goes on from it."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from domain.puzzles.shelf import Shelf
from ops.kept import read_lines
from ops.puzzles.finding import SearchedMatch


def read(path: Path) -> tuple[SearchedMatch, ...]:
    """The matches that were searched."""
    return read_lines(path, decode, "holds no search for puzzles") if path.exists() else ()


def decode(lines: Sequence[bytes]) -> tuple[SearchedMatch, ...]:
    return tuple(msgspec.json.decode(line, type=SearchedMatch) for line in lines)


def pack(searched: Iterable[SearchedMatch], command: str, shipped: Shelf | None = None) -> Shelf:
    """The file that is shipped: puzzles in the order of their ratings, with the matches they are from; beside what was
    `shipped` before of titles that were not searched."""
    kept: Sequence[SearchedMatch] = [each for each in searched if each.puzzles]
    titles = {each.match.title for each in kept}
    others = [each for each in (() if shipped is None else shipped.matches) if each.title not in titles]
    matches = {each.head: each for each in (*others, *(each.match for each in kept))}
    puzzles = {each.id: each for each in (() if shipped is None else shipped.puzzles) if each.match in matches}
    puzzles |= {found.puzzle.id: found.puzzle for each in kept for found in each.puzzles}
    provenance = {"command": command, "puzzles": str(len(puzzles)), "matches": str(len(matches))}
    ordered = sorted(puzzles.values(), key=lambda each: (each.rating, each.id))
    return Shelf(provenance, tuple(matches.values()), tuple(ordered))
