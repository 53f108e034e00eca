"""Resource estimates for services of different sizes from measured costs; `python -m ops.capacity` prints them.

`python -m ops.capacity BENCH.json…` takes the rate of actions of one web process from the output of `esporles bench
service --json`, and the cost of a delivery to a reader from `esporles bench streams --json`. `--write` stores them in
`docs/operate/capacity.json` and the tables of `docs/operate/capacity.md`. The file has the other costs as well, each
with its source and whether it was measured.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import Any, Final

import msgspec

COSTS: Final = Path(__file__).parent.parent / "docs" / "operate" / "capacity.json"
PAGE: Final = COSTS.with_suffix(".md")
WRITE: Final = "--write"
PAGES: Final = re.compile(r"[\d,]+ spectators of a page: service")
"""The benchmark's name for the cost of this many readers of pages."""
DELIVERY: Final = re.compile(r"([\d,]+) µs a delivery, ([\d,]+) bytes")
RATE: Final = "POST with its view, 80 matches: actions"
"""The benchmark's name for the rate of actions."""
SPARE: Final = 0.5
"""Planned CPU utilisation; the rest is for peaks, restarts and rebuilds."""
DAY: Final = 86_400


class Cost(msgspec.Struct, frozen=True):
    """A cost with its unit and source; `kind` is `measured`, `estimate` or `assumption`."""

    value: float
    unit: str
    kind: str
    source: str


Costs = Mapping[str, Cost]


class ServiceSize(msgspec.Struct, frozen=True):
    """The size of a service."""

    name: str
    tables: int
    people: int


SERVICE_SIZES: Final = (
    ServiceSize("a club", 50, 2_000),
    ServiceSize("a federation", 1_000, 100_000),
    ServiceSize("the aim", 10_000, 1_000_000),
)


def read_costs(path: Path = COSTS) -> dict[str, Cost]:
    """Read the costs from the file."""
    return msgspec.json.decode(path.read_bytes(), type=dict[str, Cost])


def with_bench(costs: Costs, bench: Any) -> dict[str, Cost]:
    """Return the costs, with those that the benchmark has replaced: rate of actions, time and size of a delivery.

    The delivery is taken from the run with the most readers. Raises `ValueError` if it has neither.
    """
    figures = {figure["what"]: figure["absolute"] for section in bench["sections"] for figure in section["figures"]}
    measured_costs = dict[str, Cost]()

    def add_cost(name: str, value: float, unit: str, label: str) -> None:
        measured_costs[name] = Cost(value, unit, "measured", f"`esporles bench`: {label}; {bench['machine']}")

    if RATE in figures:
        add_cost("actions_rate", number_in(figures[RATE].partition("/s")[0]), "actions/s", RATE)
    deliveries = ((label, DELIVERY.search(absolute)) for label, absolute in figures.items() if PAGES.fullmatch(label))
    matches = [(label, match) for label, match in deliveries if match is not None]
    if matches:
        label, match = max(matches, key=lambda each: number_in(each[0].partition(" ")[0]))
        add_cost("web_per_delivery", number_in(match[1]) / 1_000, "ms of a processor", label)
        add_cost("delivery_bytes", number_in(match[2]) / 1_000, "kB", label)
    if not measured_costs:
        raise ValueError(f"the bench holds no figure {RATE!r}, and none of readers of pages")
    return {**costs, **measured_costs}


def number_in(text: str) -> float:
    """Parse a number with thousands separators."""
    return float(text.replace(",", ""))


def actions_of(costs: Costs, tables: float) -> float:
    """Return the actions per second at this many tables of people."""
    return tables / costs["seconds_between_actions"].value


def needs(costs: Costs, size: ServiceSize) -> dict[str, str]:
    """Return the needs of a service as formatted text by name, such as cores, processes, memory and yearly growth."""
    actions = actions_of(costs, size.tables)
    readers = costs["readers_per_table"].value
    per_action = costs["web_per_action"].value + readers * costs["web_per_delivery"].value
    web, follower = actions * per_action / 1_000, actions * costs["follower_per_action"].value / 1_000
    matches = size.tables * DAY * costs["share_of_day"].value / costs["match_seconds"].value
    memory = processes(web) * costs["web_memory"].value + size.tables * costs["table_memory"].value / 1_000
    memory += (processes(follower) + 2) * costs["worker_memory"].value
    return {
        "actions a second": f"{actions:,.0f}",
        "deliveries to readers a second": f"{actions * readers:,.0f}",
        "cores of web processes": f"{web:,.1f}",
        "web processes at half load": f"{processes(web):,}",
        "follower processes": f"{processes(follower):,}",
        "memory of all processes": f"{memory / 1_000:,.1f} GB",
        "matches a day": f"{matches:,.0f}",
        "log and read models, a year": f"{matches * 365 * costs['match_bytes'].value / 1e6:,.0f} GB",
        "people": f"{size.people * costs['person_bytes'].value / 1e6:,.1f} GB",
        "network to readers": f"{actions * readers * costs['delivery_bytes'].value * 8 / 1_000:,.1f} Mbit/s",
    }


def processes(cores: float) -> int:
    """Return the number of single-core processes at the planned utilisation."""
    return max(1, ceil(cores / SPARE))


def one_machine(costs: Costs) -> dict[str, str]:
    """Return the actions per second and tables of one machine of two cores, half used: name -> "rate, tables".

    The limit is given for programs alone, for people with pages, and for the follower.
    """
    readers, delivery = costs["readers_per_table"].value, costs["web_per_delivery"].value
    stored = costs["actions_rate"].value * SPARE
    page_rate = SPARE * 1_000 / (costs["web_per_action"].value + readers * delivery)
    follower_rate = SPARE * 1_000 / costs["follower_per_action"].value
    limits = {"programs alone": stored, "people with pages": min(stored, page_rate), "the follower": follower_rate}
    action_interval = costs["seconds_between_actions"].value
    return {
        f"{label}: actions a second, tables": f"{rate:,.0f}, {rate * action_interval:,.0f}"
        for label, rate in limits.items()
    }


def rows(values: Mapping[str, str]) -> list[str]:
    """Format table rows."""
    return [f"| {name} | {value} |" for name, value in values.items()]


def tables(costs: Costs) -> str:
    """Format the costs, the capacity of one machine and the needs of all `SERVICE_SIZES` as Markdown tables."""
    needs_by_size = [needs(costs, size) for size in SERVICE_SIZES]
    lines = ["| cost | value | | source |", "|---|---|---|---|"]
    lines += [
        f"| {name.replace('_', ' ')} | {cost.value:g} {cost.unit} | {cost.kind} | {cost.source} |"
        for name, cost in costs.items()
    ]
    lines += ["", "| one machine of two cores, SQLite, half used | |", "|---|---|", *rows(one_machine(costs))]
    lines += [
        "",
        "| | " + " | ".join(f"{h.name}: {h.tables:,} tables, {h.people:,} people" for h in SERVICE_SIZES) + " |",
    ]
    lines += ["|---|" + "---|" * len(SERVICE_SIZES)]
    lines += [f"| {name} | " + " | ".join(need[name] for need in needs_by_size) + " |" for name in needs_by_size[0]]
    return "\n".join(lines)


def encode_cost(cost: Cost) -> dict[str, Any]:
    """Convert a cost into JSON, with whole numbers as integers."""
    value = int(cost.value) if cost.value.is_integer() else cost.value
    return {**msgspec.to_builtins(cost), "value": value}


def write(costs: Costs, file: Path = COSTS, page: Path = PAGE) -> None:
    """Write the costs to the file, and replace its tables on the page by the new ones.

    Raises `ValueError`, writing nothing, if the page does not have the tables of the old file.
    """
    text, old_tables = page.read_text(), tables(read_costs(file))
    if old_tables not in text:
        raise ValueError(f"{page.name} does not have the tables of {file.name}")
    rows_of_file = [
        f" {json.dumps(name)}: {json.dumps(encode_cost(cost), ensure_ascii=False)}" for name, cost in costs.items()
    ]
    file.write_text("{\n" + ",\n".join(rows_of_file) + "\n}\n")
    page.write_text(text.replace(old_tables, tables(costs)))


def main(arguments: Sequence[str], file: Path = COSTS, page: Path = PAGE) -> int:
    """Print the tables with the values of the benchmark files in `arguments`; later files replace earlier ones.

    With `--write` also update file and page. Returns 0; raises `ValueError` if a benchmark has no known figure or the
    page lacks the old tables.
    """
    costs: Costs = read_costs(file)
    for path in arguments:
        if path != WRITE:
            costs = with_bench(costs, msgspec.json.decode(Path(path).read_bytes()))
    if WRITE in arguments:
        write(costs, file, page)
    sys.stdout.write(tables(costs) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
