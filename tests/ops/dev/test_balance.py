"""`esporles balance`: sources of points and value of components, reproducible by seed."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.kernel.chance import SeededChance
from domain.titles import TITLES
from domain.titles.la_granja.effects import CardsDrawn
from ops.cli import main
from ops.dev.balance.figures import difference, mean_of, spread_of
from ops.dev.balance.ledgers import load_ledger, load_ledgers
from ops.dev.balance.matches import MatchResult, SeatResult, WantedMatches, key_of, play, taking_of
from ops.dev.balance.report import report_of

RUN = ("balance", "--title", "la_granja", "--bots", "random", "--matches", "8", "--json")


def run(capsys: pytest.CaptureFixture[str], *args: str) -> Any:
    assert main(list(args)) == 0
    return json.loads(capsys.readouterr().out)


def make_parameters(
    title: str = "la_granja",
    matches: int = 4,
    players: tuple[int, ...] = (2,),
    bots: tuple[str, ...] = ("random",),
    seed: str = "t",
) -> WantedMatches:
    return WantedMatches(title, matches, players, bots, TITLES[title].rules.options({}).chosen, seed, {})


def result(number: int, *seats: tuple[int, dict[str, int]]) -> MatchResult:
    """Create a match with these scores and components."""
    scores = [score for score, _ in seats]
    ranks = [1 + sum(other > score for other in scores) for score in scores]
    return MatchResult(
        number,
        tuple(
            SeatResult(score, rank, "random", {"barrows": score}, components, {})
            for (score, components), rank in zip(seats, ranks, strict=True)
        ),
    )


def test_equal_arguments_give_equal_reports_in_any_number_of_processes(capsys: pytest.CaptureFixture[str]) -> None:
    report = run(capsys, *RUN)

    assert run(capsys, *RUN, "--jobs", "2") == report
    assert run(capsys, *RUN, "--seed", "other") != report
    assert report["players"] == [1, 2, 3, 4]


def test_an_interrupted_run_resumes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "balance.jsonl"
    report = run(capsys, *RUN)

    run(capsys, *RUN, "--matches", "5", "--out", str(out))
    out.write_bytes(out.read_bytes()[:-9])
    first_lines = out.read_bytes().splitlines(keepends=True)[:5]
    resumed = run(capsys, *RUN, "--jobs", "2", "--out", str(out))

    assert resumed == report
    assert out.read_bytes().splitlines(keepends=True)[:5] == first_lines
    assert len(out.read_bytes().splitlines()) == 1 + report["matches"]
    assert run(capsys, *RUN, "--matches", "3", "--out", str(out))["matches"] == 3


def test_the_matches_of_another_run_are_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "balance.jsonl"
    run(capsys, *RUN, "--matches", "1", "--out", str(out))
    content = out.read_bytes()

    assert main([*RUN, "--seed", "other", "--out", str(out)]) == 2
    assert "belongs to another balance run: random, la_granja, seed balance; different:" in capsys.readouterr().err
    assert main([*RUN, "--taking", "helper 61", "--out", str(out)]) == 2
    assert "different: taking ''" in capsys.readouterr().err
    assert out.read_bytes() == content


@pytest.mark.parametrize("title", sorted(load_ledgers(TITLES)))
def test_the_points_of_all_sources_are_the_scores(title: str) -> None:
    """`play` asserts it too; here the sources' names are checked as well."""
    options = TITLES[title].rules.options({})
    for seats in range(options.seats_min, options.seats_max + 1):
        match = play(make_parameters(title, players=(seats,)), 0)

        for seat in match.seats:
            assert sum(seat.sources.values()) == seat.score
            assert seat.sources.keys() <= set(load_ledger(title).sources)


def test_a_match_of_the_balance_equals_the_one_that_play_logs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parameters = make_parameters(players=(3,), seed="again")
    match = play(parameters, 5)
    args = ("--bots", "random", "--players", "3", "--seed", parameters.seed_of(5).hex())

    assert main(["play", "--title", "la_granja", *args, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"] == [seat.score for seat in match.seats]


def test_the_report_covers_every_component_of_an_edition(capsys: pytest.CaptureFixture[str]) -> None:
    report = run(capsys, *RUN[:-3], "--matches", "3", "--json", "--option", "edition=yucata")

    assert report["players"] == [2, 3, 4]
    kinds = [component["kind"] for component in report["components"]]
    assert {kind: kinds.count(kind) for kind in kinds} == {"helper": 66, "roof": 24, "building": 6}
    assert {each["id"][0] for each in report["components"] if each["kind"] == "roof"} == {"O"}
    shares = [source["share"] for source in report["sources"] if source["players"] == 2]
    assert abs(sum(shares) - 1) < 0.01


def test_a_margin_is_the_difference_from_the_mean_of_the_table() -> None:
    """With the helper 60 and 50, without it 40 and 50: means of 5 over and 5 under the table's mean."""
    matches = [result(0, (60, {"helper 1": 1}), (40, {})), result(1, (50, {"helper 1": 1}), (50, {}))]

    report = report_of(make_parameters(), matches)

    chef = next(each for each in report.components if (each.kind, each.id) == ("helper", "1"))
    assert (chef.seats, chef.rate, chef.with_it.mean, chef.without_it.mean, chef.difference.mean) == (2, 0.5, 5, -5, 10)
    assert report.scores[0].wins == 0.5
    assert [line.wins for line in report.scores[1:]] == [0.75, 0.25]


def test_significant_deviations_are_remarked() -> None:
    """Components are significantly over or under 6, never taken, worse when taken, or only different by chance."""
    rows = [(70 + number % 3, {"helper 1": 1}) for number in range(9)]
    matches = [result(number, row, (40, {"helper 2": 1}), (60, {})) for number, row in enumerate(rows)]
    by_chance = result(9, (90, {"helper 3": 1}), (10, {}), (50, {}))

    remarks = {
        each.id: each.remarks
        for each in report_of(make_parameters(players=(3,)), [*matches, by_chance]).components
        if each.kind == "helper"
    }

    assert remarks["1"] == ("more than 6 above the mean",)
    assert remarks["2"] == ("more than 6 below the mean", "worse with it")
    assert remarks["3"] == ()
    assert remarks["4"] == ("never taken",)


def test_solo_matches_have_no_margin() -> None:
    parameters = make_parameters(players=(1,), matches=2)
    matches = [play(parameters, number) for number in range(parameters.matches)]

    report = report_of(make_parameters(players=(1,)), matches)

    assert {line.margin.mean for line in report.scores} == {0.0}
    assert all(component.difference.mean == 0 for component in report.components)


def test_bots_change_seats_and_are_compared() -> None:
    parameters = make_parameters(bots=("greedy", "random"), players=(2,))
    assert [parameters.seats_of(number) for number in (0, 1)] == [("greedy", "random"), ("random", "greedy")]

    matches = [play(parameters, number) for number in range(parameters.matches)]
    by_bot = {each.bot: each for each in report_of(parameters, matches).by_bot}

    assert by_bot["greedy"].margin.mean > by_bot["random"].margin.mean


def test_the_balance_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["balance", "--title", "el_grande", "--bots", "random,greedy", "--matches", "2", "--players", "2"]) == 0

    output = capsys.readouterr().out
    assert "Castillo, special scorings" in output
    for heading in (
        "Scores",
        "Sources of points: points per seat, and share of all points",
        "action cards",
        "power cards",
        "Bots",
    ):
        assert f"\n{heading}" in output


def test_taking_forces_a_component_that_bots_avoid(capsys: pytest.CaptureFixture[str]) -> None:
    """No bot plays the Idler voluntarily; here one of two plays it in every match, at the first choice."""
    helper = "helper 61"
    parameters = msgspec.structs.replace(make_parameters(bots=("greedy",), matches=3), taking=helper)

    for number in range(parameters.matches):
        match = play(parameters, number)
        assert sorted(seat.taken.get(helper, 0) for seat in match.seats) == [0, 1]
        assert play(parameters, number) == match

    args = ("--title", "la_granja", "--players", "2", "--matches", "2", "--taking", helper)
    report = run(capsys, "balance", *args, "--json")
    idler = next(each for each in report["components"] if (each["kind"], each["id"]) == ("helper", "61"))
    assert (idler["seats"], report["taking"]) == (2, helper)
    assert main(["balance", *args]) == 0
    assert "; first choice helper 61\n" in capsys.readouterr().out


def test_taking_selects_deals_that_allow_it_at_once() -> None:
    """The card is in a dealt hand, whose owner may play it."""
    parameters = msgspec.structs.replace(make_parameters(), taking="helper 61")
    title = TITLES["la_granja"]
    taking = taking_of(title, parameters)
    assert taking is not None

    key = key_of(title, parameters, 0, ["bot:random@1"] * 2, taking)

    effects = title.rules.start(title.rules.options({}), 2, SeededChance(key))
    hands = [effect.cards.known_or(()) for effect in effects if isinstance(effect, CardsDrawn)]
    assert any(61 in hand for hand in hands)


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--matches", "0"), "invalid --matches 0: expected a number of at least 1"),
        (("--jobs", "0"), "invalid --jobs 0: expected a number from 1 to 64"),
        (("--players", "two"), "invalid --players 'two'"),
        (("--players", "5"), "la_granja has 1 to 4 seats, not 5"),
        (("--bots", "genius"), "unknown bot 'genius'"),
        (("--option", "edition=none"), "cannot be 'none'"),
        (("--taking", "helper 67"), "invalid --taking 'helper 67': expected a component, such as 'helper 1'"),
        (
            ("--taking", "building 1", "--players", "2"),
            "no player can take 'building 1' as a first choice in 1000 deals",
        ),
    ],
)
def test_unplayable_arguments_are_refused_before_the_first_match(
    capsys: pytest.CaptureFixture[str], args: tuple[str, ...], sentence: str
) -> None:
    assert main(["balance", "--title", "la_granja", *args]) == 2

    assert sentence in capsys.readouterr().err


def test_means_and_spreads() -> None:
    assert (mean_of([1, 2, 3]).mean, mean_of([1, 2, 3]).within) == (2.0, 1.13)
    assert (mean_of([]).count, mean_of([]).within, mean_of([4]).within) == (0, None, None)
    assert difference(mean_of([4]), mean_of([1, 2, 3])).within is None
    spread = spread_of([5, 1, 4, 2, 3])
    assert (spread.lowest, spread.quarter, spread.median, spread.three_quarters, spread.highest) == (1, 2, 3, 4, 5)
    assert spread_of([7]).deviation == 0
