"""`esporles train`: reproducible weights, which differ from the prior only on sufficient evidence."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from ops.cli import main
from ops.dev.training.fitting import MOST, fit
from ops.dev.training.samples import Sample

RUN = ("train", "--title", "el_grande", "--bot", "random", "--matches", "8", "--json")


def train(capsys: pytest.CaptureFixture[str], *args: str) -> Any:
    assert main([*RUN, *args]) == 0
    return json.loads(capsys.readouterr().out)


def samples(count: int, *weights: float) -> list[Sample]:
    """Create samples whose margins are the weighted sums of their parts, with noise."""
    luck = random.Random(1)
    created = []
    for match in range(count):
        parts = tuple(luck.randrange(-1_000, 1_000) for _ in weights)
        margin = sum(round(weight * part) for weight, part in zip(weights, parts, strict=True))
        created.append(Sample(match, 2, 1, parts, margin + luck.randrange(-300, 300)))
    return created


def test_equal_arguments_give_equal_weights_in_any_number_of_processes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    document = train(capsys, "--jobs", "1", "--out", str(tmp_path / "one.json"))

    assert train(capsys, "--jobs", "2") == document
    assert train(capsys, "--jobs", "1", "--seed", "other") != document
    assert json.loads((tmp_path / "one.json").read_bytes()) == document
    assert document["provenance"]["command"] == "esporles train --title el_grande --matches 8 --bot random --seed train"
    assert {stage.partition("/")[0] for stage in document["weights"]} == {"2", "3", "4", "5"}
    assert all(len(weights) == len(document["names"]) for weights in document["weights"].values())
    assert document["provenance"]["error before"] != "0.00 points"


def test_weights_are_learnt_and_errors_measured_on_held_back_matches() -> None:
    model = fit(samples(4_000, 2.0, 0.5, 1.0))

    assert model.weights["2/1"] == pytest.approx((2_000, 500, 1_000), abs=30)
    assert model.after == pytest.approx(1.73, abs=0.1)
    assert model.before > 5


def test_a_few_matches_change_little() -> None:
    """Consistent samples change little too, if their margins are mostly noise."""
    few, many = fit(noisy(4)).weights["2/1"], fit(noisy(40_000)).weights["2/1"]

    assert 950 < few[0] < 1_050
    assert many[0] > 1_700


def noisy(count: int) -> list[Sample]:
    """Create samples of a part with weight 2, in margins dominated by noise."""
    luck = random.Random(2)
    parts = [luck.randrange(-200, 200) for _ in range(count)]
    return [Sample(match, 2, 1, (part,), 2 * part + luck.randrange(-3_000, 3_000)) for match, part in enumerate(parts)]


def test_weights_are_bounded() -> None:
    assert fit(samples(4_000, -2.0, 9.0)).weights["2/1"] == (0, MOST)


def test_a_constant_part_keeps_its_prior_weight() -> None:
    constant = [Sample(match, 3, 2, (match * 10, 70), match * 30) for match in range(500)]

    assert fit(constant).weights["3/2"][1] == 1_000


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (("--title", "el_grande", "--matches", "1"), "invalid --matches 1: expected a number of at least 2"),
        (("--title", "el_grande", "--bot", "deep"), "unknown bot 'deep'"),
        (("--title", "el_grande", "--jobs", "0"), "invalid --jobs 0: expected a number from 1 to"),
        (("--title", "chess"), "invalid choice"),
    ],
)
def test_unusable_arguments_are_refused(args: tuple[str, ...], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status = main(["train", *args])
    except SystemExit as system_exit:
        status = int(system_exit.code or 0)

    assert status == 2
    assert reason in capsys.readouterr().err
