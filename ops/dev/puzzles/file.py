"""The file of a search for puzzles, one line per match, and the packed file that is shipped."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from domain.puzzles.puzzle_file import PuzzleFile
from ops.console import WrongUsage
from ops.dev.puzzles.finding import SearchedMatch, WantedPuzzles
from ops.dev.resumable_runs import read_lines

COMMAND: Final = "esporles puzzles find, pack"


class Search(NamedTuple):
    """A search with its results by match."""

    wanted: WantedPuzzles
    matches: Sequence[SearchedMatch]

    @property
    def provenance(self) -> str:
        """Describe the search for the provenance of the shipped file."""
        versions = ", ".join(f"{name} {version}" for name, version in sorted(self.wanted.versions.items()))
        return f"{len(self.matches)} matches, seed {self.wanted.seed}, {versions}"


def read(path: Path) -> Search:
    """Read the file of a search; raise `WrongUsage` if it is missing or no such file."""
    if not path.is_file():
        raise WrongUsage(f"no such file: {path}")
    return read_lines(path, decode, "is not the result of a puzzle search")


def decode(lines: Sequence[bytes]) -> Search:
    """Decode the lines of a file: the parameters, then a line per match."""
    first, *match_lines = lines or [b""]
    plan = msgspec.json.decode(first, type=WantedPuzzles)
    return Search(plan, tuple(msgspec.json.decode(line, type=SearchedMatch) for line in match_lines))


def pack(searches: Iterable[Search], previous: PuzzleFile | None = None) -> PuzzleFile:
    """Merge searches into the file to ship, sorted by rating.

    Puzzles of titles that were not searched are kept from `previous`, if given.
    """
    searches = tuple(searches)
    searched_matches = [each for search in searches for each in search.matches if each.puzzles]
    titles = {search.wanted.title for search in searches}
    other_matches = [each for each in (() if previous is None else previous.matches) if each.title not in titles]
    matches = {each.head: each for each in (*other_matches, *(each.match for each in searched_matches))}
    puzzles = {each.id: each for each in (() if previous is None else previous.puzzles) if each.match in matches}
    puzzles |= {
        found_puzzle.puzzle.id: found_puzzle.puzzle for each in searched_matches for found_puzzle in each.puzzles
    }
    finders: Mapping[str, str] = {} if previous is None else previous.provenance
    found_by = {title: finders[title] for title in sorted({each.title for each in other_matches}) if title in finders}
    for search in searches:
        found_by[search.wanted.title] = "; ".join(filter(None, (found_by.get(search.wanted.title), search.provenance)))
    provenance = {"command": COMMAND, "puzzles": str(len(puzzles)), "matches": str(len(matches)), **found_by}
    ordered = sorted(puzzles.values(), key=lambda each: (each.rating, each.id))
    return PuzzleFile(provenance, tuple(matches.values()), tuple(ordered))
