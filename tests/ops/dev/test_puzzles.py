"""Puzzles are found reproducibly and packed by difficulty, and searches are not mixed up."""

from pathlib import Path

import msgspec
import pytest

from domain.puzzles.puzzle_file import Puzzle, PuzzleFile, load_puzzles, replay_match
from domain.titles import TITLES
from ops.cli import main
from ops.dev.puzzles.file import Search, pack, read
from ops.dev.puzzles.finding import FoundPuzzle, SearchedMatch, current_parameters, moments_of, puzzle_at
from ops.dev.puzzles.measuring import measure
from tests.workers.matches.backend import EVALUATIONS
from workers.bots import BOTS


def test_pack_replaces_searched_titles_and_keeps_the_others() -> None:
    """Puzzles of a title that is searched again are replaced."""
    shelf = load_puzzles()
    played = shelf.matches[0]
    own = tuple(each for each in shelf.puzzles if each.match == played.head)
    searched = SearchedMatch(0, played, len(own), tuple(FoundPuzzle(each, True) for each in own))
    search = Search(current_parameters(BOTS, played.title, 1, "any"), [searched])
    titles = {each.head: each.title for each in shelf.matches}

    alone, beside = pack([search, search]), pack([search], shelf)

    def is_kept(puzzle: Puzzle) -> bool:
        return puzzle in own or titles[puzzle.match] != played.title

    assert (alone.matches, alone.puzzles) == ((played,), own)
    assert beside.puzzles == tuple(filter(is_kept, shelf.puzzles))
    assert {each.head for each in beside.matches} == {puzzle.match for puzzle in beside.puzzles}
    assert beside.provenance["puzzles"] == str(len(beside.puzzles)) != str(len(shelf.puzzles))


def test_shipped_puzzles_have_provenance_and_reasons() -> None:
    shelf = load_puzzles()

    for title in {each.title for each in shelf.matches}:
        assert "seed" in shelf.provenance[title]
    assert all(puzzle.reasons for puzzle in shelf.puzzles)
    assert shelf.provenance["puzzles"] == str(len(shelf.puzzles))


@pytest.mark.parametrize("title", ["el_grande", "la_granja"])
def test_both_deep_analyses_find_a_puzzle_again(title: str) -> None:
    """A replay of the match from its choices gives the same puzzle."""
    shelf = load_puzzles()
    played = min((each for each in shelf.matches if each.title == title), key=lambda each: len(each.choices))
    first = min((each for each in shelf.puzzles if each.match == played.head), key=lambda each: each.entry)
    ((puzzle, moment),) = moments_of(TITLES, replay_match(TITLES, played), [first])

    again = puzzle_at(EVALUATIONS[title], moment, played.head)

    assert again is not None
    assert (again.id, bytes(again.best)) == (puzzle.id, bytes(puzzle.best))
    assert puzzle.chance > puzzle.second_chance


def test_puzzles_found_by_the_standard_budget_are_counted() -> None:
    """`esporles bench` measures many more, with a threshold."""
    shelf = load_puzzles()
    played = min(shelf.matches, key=lambda each: len(each.choices))
    first, second = [each for each in shelf.puzzles if each.match == played.head][:2]
    other = next(each.action for each in first.line[1:])
    wrong = msgspec.structs.replace(first, best=other)
    told = list[int]()

    measured = measure(TITLES, PuzzleFile(shelf.provenance, (played,), (wrong, second)), 1, told.append)

    assert told == [1, 2]
    assert (measured.puzzles, measured.found, measured.percent, measured.missed) == (2, 1, 50, (first.id,))


def test_a_search_resumes_only_from_a_file_with_its_parameters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, other = tmp_path / "found.jsonl", ["--seed", "b"]
    wanted = current_parameters(BOTS, "la_granja", 1, "a")
    searched = SearchedMatch(0, load_puzzles().matches[0], 0, ())
    out.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in (wanted, searched)))
    find = ["puzzles", "find", "--title", "la_granja", "--matches", "1", "--out", str(out)]

    assert main([*find, "--seed", "a"]) == 0
    assert "0 puzzles in 1 matches" in capsys.readouterr().out
    assert main([*find, *other]) == 2
    assert "different: seed 'a'" in capsys.readouterr().err
    assert read(out) == Search(wanted, (searched,))


def test_a_file_without_a_search_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, wrong = str(tmp_path / "out.json"), tmp_path / "wrong.jsonl"
    wrong.write_text("{}\n")

    assert main(["puzzles", "pack", str(tmp_path / "none.jsonl"), "--out", out]) == 2
    assert "no such file: " in capsys.readouterr().err
    assert main(["puzzles", "pack", str(wrong), "--out", out]) == 2
    assert "wrong.jsonl is not the result of a puzzle search" in capsys.readouterr().err
