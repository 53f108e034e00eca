"""What a search for puzzles has found is packed in the order of difficulty, alone or beside what is shipped."""

from domain.puzzles.shelf import load_shelf
from ops.puzzles.file import pack
from ops.puzzles.finding import FoundPuzzle, SearchedMatch


def test_what_was_found_is_packed_once_beside_what_is_shipped() -> None:
    shelf = load_shelf()
    played = shelf.matches[0]
    own = tuple(each for each in shelf.puzzles if each.match == played.head)
    searched = SearchedMatch(0, played, len(own), tuple(FoundPuzzle(each, True) for each in own))

    alone, beside = pack([searched], "found"), pack([searched], "found", shelf)

    assert (alone.matches, alone.puzzles) == ((played,), own)
    assert (beside.matches, beside.puzzles) == (shelf.matches, shelf.puzzles)
    assert beside.provenance["puzzles"] == str(len(shelf.puzzles))
