"""What a search for puzzles has found is packed in the order of difficulty, alone or beside what is shipped."""

from domain.puzzles.shelf import Puzzle, load_shelf
from ops.puzzles.file import pack
from ops.puzzles.finding import FoundPuzzle, SearchedMatch


def test_what_was_found_is_packed_once_beside_what_is_shipped_of_other_titles() -> None:
    """A title that is searched anew begins anew: the puzzles before were found by another search."""
    shelf = load_shelf()
    played = shelf.matches[0]
    own = tuple(each for each in shelf.puzzles if each.match == played.head)
    searched = SearchedMatch(0, played, len(own), tuple(FoundPuzzle(each, True) for each in own))
    titles = {each.head: each.title for each in shelf.matches}

    alone, beside = pack([searched, searched], "found"), pack([searched], "found", shelf)

    def is_kept(puzzle: Puzzle) -> bool:
        return puzzle in own or titles[puzzle.match] != played.title

    assert (alone.matches, alone.puzzles) == ((played,), own)
    assert beside.puzzles == tuple(filter(is_kept, shelf.puzzles))
    assert {each.head for each in beside.matches} == {puzzle.match for puzzle in beside.puzzles}
    assert beside.provenance["puzzles"] == str(len(beside.puzzles)) != str(len(shelf.puzzles))
