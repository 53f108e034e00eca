"""`esporles ladder`: rotated seats, shared chance, resumed runs, and intervals over whole deals."""

import json
from pathlib import Path
from typing import Any

import pytest

from domain.matches.play.in_memory import play_to_end, seeded_origins, table_of_bots
from domain.titles import TITLES
from ops.cli import main
from ops.dev.ladder.matches import PlayedMatch, WantedLadder, play
from ops.dev.ladder.report import report_of, share_of
from ops.dev.ladder.strengths import strengths
from ops.players import load_players
from workers.bots import BOTS

RUN = ("ladder", "--title", "el_grande", "--bots", "greedy,random", "--seats", "2", "--option", "short=yes", "--json")


def run(capsys: pytest.CaptureFixture[str], *args: str) -> Any:
    """Return the report without times, which differ between runs."""
    assert main([*RUN, *args]) == 0
    report = json.loads(capsys.readouterr().out)
    for figures in report["figures"]:
        del figures["times"]
    return report


def ladder(*bots: str, title: str = "el_grande", matches: int = 4) -> WantedLadder:
    return WantedLadder(title, bots, matches, TITLES[title].rules.options({}).chosen, "t", dict.fromkeys(bots, 1))


def match(number: int, bots: tuple[str, ...], *scores: int) -> PlayedMatch:
    places = tuple(1 + sum(other > score for other in scores) for score in scores)
    return PlayedMatch(number, bots, scores, places, ((1_000,),) * len(bots))


def test_every_rotation_of_a_deal_has_the_same_seed() -> None:
    parameters = ladder("greedy", "random", "random")
    keys = [
        table_of_bots(
            TITLES["el_grande"],
            [BOTS[bot].actor for bot in parameters.line_up(number)],
            {},
            seeded_origins(parameters.seed_of(number)),
        ).match.key
        for number in range(4)
    ]

    assert keys[0] == keys[1] == keys[2] != keys[3]
    assert [parameters.line_up(number).index("greedy") for number in range(3)] == [0, 2, 1]


def test_periodic_line_ups_have_fewer_rotations() -> None:
    assert len(ladder("greedy", "random", "greedy", "random").rotations) == 2
    assert len(ladder("greedy", "greedy").rotations) == 1


def test_a_match_of_the_ladder_equals_the_one_of_play() -> None:
    parameters = ladder("greedy", "random")

    played = play(parameters, load_players, 1)

    actors = [BOTS[bot].actor for bot in ("random", "greedy")]
    table = table_of_bots(TITLES["el_grande"], actors, {}, seeded_origins(b"t/0"))
    result = play_to_end(table, {kind.actor: kind.choose for kind in BOTS.values()}).match.result
    assert result is not None
    assert (played.bots, played.scores, played.places) == (("random", "greedy"), result.scores, result.ranking)
    assert all(len(times) > 0 for times in played.times)


def test_an_interrupted_run_resumes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "ladder.jsonl"
    report = run(capsys, "--matches", "6", "--jobs", "1")

    run(capsys, "--matches", "3", "--jobs", "1", "--out", str(out))
    out.write_bytes(out.read_bytes()[:-9])
    first_lines = out.read_bytes().splitlines(keepends=True)[:4]
    resumed = run(capsys, "--matches", "6", "--jobs", "2", "--out", str(out))

    assert resumed == report
    assert out.read_bytes().splitlines(keepends=True)[:4] == first_lines
    assert run(capsys, "--matches", "2", "--jobs", "1", "--out", str(out))["matches"] == 2


@pytest.mark.parametrize("content", ["", "no ladder\n", '{"title": "el_grande"}\n'])
def test_a_file_without_a_ladder_is_refused(content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "ladder.jsonl"
    out.write_text(content)

    assert main([*RUN, "--matches", "2", "--out", str(out)]) == 2
    assert "is not a ladder" in capsys.readouterr().err
    assert out.read_text() == content


def test_another_ladder_in_the_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "ladder.jsonl"
    run(capsys, "--matches", "2", "--jobs", "1", "--out", str(out))

    assert main([*RUN, "--matches", "2", "--seed", "other", "--out", str(out)]) == 2
    assert "belongs to another ladder: greedy, random, el_grande, seed ladder; different:" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (("--title", "chess", "--bots", "greedy"), "unknown game 'chess'"),
        (("--title", "el_grande", "--bots", "deep,greedy"), "unknown bot 'deep'"),
        (("--title", "el_grande", "--bots", "greedy", "--seats", "9"), "9"),
        (("--title", "el_grande", "--bots", "greedy,random,random", "--seats", "2"), "--bots lists 3 bots for 2 seats"),
        (
            ("--title", "el_grande", "--bots", "greedy,random", "--matches", "0"),
            "invalid --matches 0: expected a number of at least 1",
        ),
        (
            ("--title", "el_grande", "--bots", "greedy,random", "--jobs", "0"),
            "invalid --jobs 0: expected a number from 1 to",
        ),
    ],
)
def test_unplayable_arguments_are_refused(
    args: tuple[str, ...], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ladder", *args]) == 2
    assert reason in capsys.readouterr().err


def test_the_ladder_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    args = [arg for arg in RUN if arg != "--json"]

    assert main([*args, "--matches", "2", "--jobs", "1"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("el_grande: 2 matches (1 deals) of greedy, random, seed ladder")
    assert [line.split()[0] for line in lines[2:]] == ["bot", "greedy", "random"]


def test_the_report_counts_whole_deals_and_shares_victories() -> None:
    line_up, reversed_line_up = ("greedy", "random"), ("random", "greedy")
    played = [match(0, line_up, 90, 60), match(1, reversed_line_up, 70, 70), match(2, line_up, 50, 60)]

    report = report_of(ladder("greedy", "random"), played)

    greedy, random = report.figures
    assert (report.matches, report.deals, greedy.bot, greedy.seats, greedy.even) == (2, 1, "greedy", 2, 0.5)
    assert (greedy.wins.share, random.wins.share) == (0.75, 0.25)
    assert (greedy.score.mean, greedy.margin.mean, random.margin.mean) == (80.0, 15.0, -15.0)
    assert (greedy.times.count, greedy.times.mean, greedy.times.longest) == (2, 1.0, 1.0)


def test_a_report_without_a_whole_deal_is_empty() -> None:
    assert report_of(ladder("greedy", "random"), [match(0, ("greedy", "random"), 2, 1)]).figures == ()


def test_intervals_account_for_correlation_within_deals() -> None:
    alike = share_of([1.0, 0.0] * 50, 200)
    # Both matches of a deal end alike, so 100 deals carry no more information than 100 matches.
    mixed = share_of([0.5] * 100, 200)

    assert (alike.low, alike.high) == pytest.approx((0.4038, 0.5962), abs=0.001)
    assert (mixed.low, mixed.high) == pytest.approx((0.4314, 0.5686), abs=0.001)


def test_a_bot_that_always_wins_has_an_interval() -> None:
    share = share_of([1.0] * 30, 60)

    assert (share.share, share.high) == (1.0, 1.0)
    assert share.low == pytest.approx(0.9398, abs=0.001)


def test_strengths_follow_the_odds() -> None:
    """Three wins in four are odds of 3 to 1: 191 points, slightly reduced by the prior of equal strength."""
    bots = ("a", "b")
    deals = [[match(number, bots, *((1, 2) if number % 4 == 0 else (2, 1)))] for number in range(400)]

    ratings = strengths(deals)

    assert ratings["a"][0] - ratings["b"][0] == pytest.approx(190.8, abs=0.5)
    assert ratings["a"][1] == ratings["b"][1] == pytest.approx(19.7, abs=0.5)


def test_a_tie_means_equal_strength() -> None:
    assert strengths([[match(0, ("a", "b"), 5, 5)]])["a"][0] == pytest.approx(0)
    assert strengths([[match(0, ("a", "a"), 5, 4)]]) == {"a": (0.0, 0.0)}
