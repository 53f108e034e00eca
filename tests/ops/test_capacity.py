"""The page about capacity has the computed tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from ops.capacity import COSTS, RATE, SERVICE_SIZES, Cost, main, needs, processes, read_costs, tables, with_bench

PAGE: Final = Path(__file__).parent.parent.parent / "docs" / "operate" / "capacity.md"


def test_the_page_has_the_computed_tables() -> None:
    assert tables(read_costs()) in PAGE.read_text()


def test_every_cost_has_a_source() -> None:
    assert {cost.kind for cost in read_costs().values()} == {"measured", "estimate", "assumption"}
    assert all(cost.source and cost.unit and cost.value > 0 for cost in read_costs().values())


def test_ten_times_the_tables_need_ten_times_the_actions() -> None:
    costs = read_costs()
    few, many = (needs(costs, size)["actions a second"] for size in SERVICE_SIZES[1:])

    assert float(many.replace(",", "")) == 10 * float(few.replace(",", ""))
    assert [processes(cores) for cores in (0.1, 0.5, 0.6)] == [1, 1, 2]


def test_the_rate_of_a_benchmark_is_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figure = {"what": RATE, "absolute": "1,234/s, p50 3.0 ms"}
    bench = {"machine": "a machine", "sections": [{"figures": [{"what": "other", "absolute": "1 s"}, figure]}]}
    path = tmp_path / "bench.json"
    path.write_text(json.dumps(bench))

    assert with_bench(read_costs(), bench)["actions_rate"] == Cost(
        1234.0, "actions/s", "measured", f"`esporles bench`: {RATE}; a machine"
    )
    assert main([str(path)]) == 0
    assert "1234 actions/s" in capsys.readouterr().out
    with pytest.raises(ValueError, match="holds no figure"):
        with_bench(read_costs(), {"machine": "", "sections": []})


def test_measured_costs_are_written_to_file_and_page(tmp_path: Path) -> None:
    """Of several numbers of readers the largest is used; costs that no benchmark measures stay."""
    costs, page = tmp_path / "capacity.json", tmp_path / "capacity.md"
    costs.write_bytes(COSTS.read_bytes())
    page.write_text(PAGE.read_text())
    assert main(["--write"], costs, page) == 0
    assert (costs.read_text(), page.read_text()) == (COSTS.read_text(), PAGE.read_text())
    measurements = {
        200: "9 % of a core; 90 µs a delivery, 700 bytes",
        1_000: "27 % of a core; 54 µs a delivery, 1,250 bytes",
    }
    stream_figures = [
        {"what": f"{count:,} spectators of a page: service", "absolute": each} for count, each in measurements.items()
    ]
    for name, figures in (("service", [{"what": RATE, "absolute": "1,234/s"}]), ("streams", stream_figures)):
        (tmp_path / name).write_text(json.dumps({"machine": "a machine", "sections": [{"figures": figures}]}))

    assert main(["--write", str(tmp_path / "service"), str(tmp_path / "streams")], costs, page) == 0

    measured_costs = read_costs(costs)
    assert (measured_costs["actions_rate"].value, measured_costs["web_per_delivery"].value) == (1234.0, 0.054)
    assert (measured_costs["delivery_bytes"].value, measured_costs["delivery_bytes"].kind) == (1.25, "measured")
    assert measured_costs["match_bytes"] == read_costs()["match_bytes"]
    assert tables(measured_costs) in page.read_text()
    page.write_text("nothing")
    with pytest.raises(ValueError, match="does not have the tables"):
        main(["--write"], costs, page)
