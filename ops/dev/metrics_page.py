"""Generate the reference of the metrics: `python -m ops.dev.metrics_page` writes `docs/operate/metrics.md`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "operate" / "metrics.md"
PREFIX: Final = "esporles_"
KINDS: Final = {
    "Counter": "counter",
    "CounterMetricFamily": "counter",
    "Gauge": "gauge",
    "GaugeMetricFamily": "gauge",
    "Histogram": "histogram",
    "Summary": "summary",
}
PROCESSES: Final = {"api": "Web process", "workers": "Follower and workers", "projections": "Every process"}
"""The folder that declares a metric -> the processes that expose it."""
HEAD: Final = """# Metrics

Every process exposes metrics in the Prometheus text format; [Monitoring](monitoring.md) says at
which address. The standard `process_*` and `python_gc_*` metrics are exposed too. Metrics that are
read from a database are missing while that database is unavailable.

No metric contains a name, a match id or user input. Labels are route templates and the names of
commands, jobs, titles, bots, followers and queues.

Generated from the sources by `python -m ops.dev.metrics_page`. Do not edit by hand.
"""
TABLE: Final = "| metric | kind | labels | meaning |\n|---|---|---|---|"


class Declared(msgspec.Struct, frozen=True, order=True):
    """A metric as the sources declare it."""

    name: str
    kind: str
    meaning: str
    labels: tuple[str, ...]


def strings_in(node: ast.expr | None) -> tuple[str, ...]:
    """Return the string constants of a list or tuple."""
    elements = node.elts if isinstance(node, ast.List | ast.Tuple) else []
    return tuple(each.value for each in elements if isinstance(each, ast.Constant) and isinstance(each.value, str))


def declarations_in(path: Path) -> Iterator[Declared]:
    """Yield the metrics that a source declares with a constant name and meaning; others are left out.

    The name begins with `PREFIX`; counters get the suffix `_total`.
    """
    for node in ast.walk(ast.parse(path.read_text())):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KINDS):
            continue
        texts = [each.value for each in node.args[:2] if isinstance(each, ast.Constant)]
        if len(texts) == 2 and str(texts[0]).startswith(PREFIX):
            keywords = {each.arg: each.value for each in node.keywords}
            labels = keywords.get("labels", keywords.get("labelnames", node.args[2] if len(node.args) > 2 else None))
            kind = KINDS[node.func.id]
            name = f"{texts[0]!s}_total" if kind == "counter" else str(texts[0])
            yield Declared(name, kind, str(texts[1]), strings_in(labels))


def row(metric: Declared) -> str:
    """Return a metric as a row of the table."""
    return f"| `{metric.name}` | {metric.kind} | {', '.join(metric.labels)} | {metric.meaning} |"


def page() -> str:
    """Return the reference page, with the metrics of each group of processes sorted by name."""
    parts = [HEAD]
    for folder, title in PROCESSES.items():
        metrics = {metric for path in sorted((ROOT / folder).rglob("*.py")) for metric in declarations_in(path)}
        parts.append("\n".join((f"## {title}", "", TABLE, *map(row, sorted(metrics)))) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page())
