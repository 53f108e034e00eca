"""Puzzles are found again, packed in the order of difficulty, and a search is not taken for another."""

from pathlib import Path

import msgspec
import pytest

from domain.puzzles.shelf import Puzzle, Shelf, load_shelf, play_again
from domain.titles import TITLES
from ops.cli import main
from ops.dev.puzzles.file import Search, pack, read
from ops.dev.puzzles.finding import FoundPuzzle, SearchedMatch, moments_of, puzzle_at, wanted_of
from ops.dev.puzzles.measuring import measure
from tests.workers.matches.house import EVALUATIONS
from workers.bots import BOTS


def test_what_was_found_is_packed_once_beside_what_is_shipped_of_other_titles() -> None:
    """A title that is searched anew begins anew: the puzzles before were found by another search."""
    shelf = load_shelf()
    played = shelf.matches[0]
    own = tuple(each for each in shelf.puzzles if each.match == played.head)
    searched = SearchedMatch(0, played, len(own), tuple(FoundPuzzle(each, True) for each in own))
    search = Search(wanted_of(BOTS, played.title, 1, "any"), [searched])
    titles = {each.head: each.title for each in shelf.matches}

    alone, beside = pack([search, search]), pack([search], shelf)

    def is_kept(puzzle: Puzzle) -> bool:
        return puzzle in own or titles[puzzle.match] != played.title

    assert (alone.matches, alone.puzzles) == ((played,), own)
    assert beside.puzzles == tuple(filter(is_kept, shelf.puzzles))
    assert {each.head for each in beside.matches} == {puzzle.match for puzzle in beside.puzzles}
    assert beside.provenance["puzzles"] == str(len(beside.puzzles)) != str(len(shelf.puzzles))


def test_what_is_shipped_says_how_each_title_was_searched_and_why_each_choice_is_best() -> None:
    shelf = load_shelf()

    for title in {each.title for each in shelf.matches}:
        assert "seed" in shelf.provenance[title]
    assert all(puzzle.reasons for puzzle in shelf.puzzles)
    assert shelf.provenance["puzzles"] == str(len(shelf.puzzles))


@pytest.mark.parametrize("title", ["el_grande", "la_granja"])
def test_a_puzzle_is_found_again_by_both_deep_looks(title: str) -> None:
    """The match is played again from its choices; the first of its puzzles is still one, with the same choice."""
    shelf = load_shelf()
    played = min((each for each in shelf.matches if each.title == title), key=lambda each: len(each.choices))
    first = min((each for each in shelf.puzzles if each.match == played.head), key=lambda each: each.entry)
    ((puzzle, moment),) = moments_of(TITLES, play_again(TITLES, played), [first])

    again = puzzle_at(EVALUATIONS[title], moment, played.head)

    assert again is not None
    assert (again.id, bytes(again.best)) == (puzzle.id, bytes(puzzle.best))
    assert puzzle.chance > puzzle.second_chance


def test_what_the_standard_budget_finds_is_counted() -> None:
    """`esporles bench` looks for many more, and says when they are too few."""
    shelf = load_shelf()
    played = min(shelf.matches, key=lambda each: len(each.choices))
    first, second = [each for each in shelf.puzzles if each.match == played.head][:2]
    other = next(each.action for each in first.line[1:])
    wrong = msgspec.structs.replace(first, best=other)
    told = list[int]()

    measured = measure(TITLES, Shelf(shelf.provenance, (played,), (wrong, second)), 1, told.append)

    assert told == [1, 2]
    assert (measured.puzzles, measured.found, measured.percent, measured.missed) == (2, 1, 50, (first.id,))


def test_a_search_goes_on_in_its_own_file_and_in_no_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, other = tmp_path / "found.jsonl", ["--seed", "b"]
    wanted = wanted_of(BOTS, "la_granja", 1, "a")
    searched = SearchedMatch(0, load_shelf().matches[0], 0, ())
    out.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in (wanted, searched)))
    find = ["puzzles", "find", "--title", "la_granja", "--matches", "1", "--out", str(out)]

    assert main([*find, "--seed", "a"]) == 0
    assert "0 puzzles in 1 matches" in capsys.readouterr().out
    assert main([*find, *other]) == 2
    assert "other than asked: seed 'a'" in capsys.readouterr().err
    assert read(out) == Search(wanted, (searched,))


def test_what_holds_no_search_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, wrong = str(tmp_path / "out.json"), tmp_path / "wrong.jsonl"
    wrong.write_text("{}\n")

    assert main(["puzzles", "pack", str(tmp_path / "none.jsonl"), "--out", out]) == 2
    assert "none.jsonl is no file" in capsys.readouterr().err
    assert main(["puzzles", "pack", str(wrong), "--out", out]) == 2
    assert "wrong.jsonl holds no search for puzzles" in capsys.readouterr().err
