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
    collection = load_puzzles()
    match = collection.matches[0]
    replaced = tuple(each for each in collection.puzzles if each.match == match.head)
    searched = SearchedMatch(0, match, len(replaced), tuple(FoundPuzzle(each, True) for each in replaced))
    search = Search(current_parameters(BOTS, match.title, 1, "any"), [searched])
    titles = {each.head: each.title for each in collection.matches}

    alone, merged = pack([search, search]), pack([search], collection)

    def is_kept(puzzle: Puzzle) -> bool:
        return puzzle in replaced or titles[puzzle.match] != match.title

    assert (alone.matches, alone.puzzles) == ((match,), replaced)
    assert merged.puzzles == tuple(filter(is_kept, collection.puzzles))
    assert {each.head for each in merged.matches} == {puzzle.match for puzzle in merged.puzzles}
    assert merged.provenance["puzzles"] == str(len(merged.puzzles)) != str(len(collection.puzzles))


def test_shipped_puzzles_have_provenance_and_reasons() -> None:
    collection = load_puzzles()

    for title in {each.title for each in collection.matches}:
        assert "seed" in collection.provenance[title]
    assert all(puzzle.reasons for puzzle in collection.puzzles)
    assert collection.provenance["puzzles"] == str(len(collection.puzzles))


@pytest.mark.walk
@pytest.mark.parametrize("title", ["el_grande", "la_granja"])
def test_both_deep_analyses_find_a_puzzle_again(title: str) -> None:
    """A replay of the match from its choices gives the same puzzle."""
    collection = load_puzzles()
    match = min((each for each in collection.matches if each.title == title), key=lambda each: len(each.choices))
    first = min((each for each in collection.puzzles if each.match == match.head), key=lambda each: each.entry)
    ((puzzle, moment),) = moments_of(TITLES, replay_match(TITLES, match), [first])

    second_find = puzzle_at(EVALUATIONS[title], moment, match.head)

    assert second_find is not None
    assert (second_find.id, bytes(second_find.best)) == (puzzle.id, bytes(puzzle.best))
    assert puzzle.chance > puzzle.second_chance


def test_puzzles_found_by_the_standard_budget_are_counted() -> None:
    """`esporles bench` measures many more, with a threshold."""
    collection = load_puzzles()
    match = min(collection.matches, key=lambda each: len(each.choices))
    first, second = [each for each in collection.puzzles if each.match == match.head][:2]
    other_action = next(each.action for each in first.line[1:])
    altered = msgspec.structs.replace(first, best=other_action)
    progress = list[int]()

    result = measure(TITLES, PuzzleFile(collection.provenance, (match,), (altered, second)), 1, progress.append)

    assert progress == [1, 2]
    assert (result.puzzles, result.found, result.percent, result.missed) == (2, 1, 50, (first.id,))


def test_a_search_resumes_only_from_a_file_with_its_parameters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, other_seed = tmp_path / "found.jsonl", ["--seed", "b"]
    parameters = current_parameters(BOTS, "la_granja", 1, "a")
    searched = SearchedMatch(0, load_puzzles().matches[0], 0, ())
    out.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in (parameters, searched)))
    find = ["puzzles", "find", "--title", "la_granja", "--matches", "1", "--out", str(out)]

    assert main([*find, "--seed", "a"]) == 0
    assert "0 puzzles in 1 matches" in capsys.readouterr().out
    assert main([*find, *other_seed]) == 2
    assert "different: seed 'a'" in capsys.readouterr().err
    assert read(out) == Search(parameters, (searched,))


def test_a_file_without_a_search_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, invalid = str(tmp_path / "out.json"), tmp_path / "wrong.jsonl"
    invalid.write_text("{}\n")

    assert main(["puzzles", "pack", str(tmp_path / "none.jsonl"), "--out", out]) == 2
    assert "no such file: " in capsys.readouterr().err
    assert main(["puzzles", "pack", str(invalid), "--out", out]) == 2
    assert "wrong.jsonl is not the result of a puzzle search" in capsys.readouterr().err
