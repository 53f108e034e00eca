"""Dashboard, alerts and runbook refer to existing metrics."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from litestar.testing import TestClient

from tests.projections.platform.telemetry.collector import families, names_in, series_of
from tests.projections.platform.telemetry.conftest import client, redis_url, service

__all__ = ["client", "redis_url", "service"]

ROOT: Final = Path(__file__).parent.parent.parent
HERE: Final = ROOT / "ops" / "monitoring"
BY: Final = re.compile(r"by \(([^)]*)\)")
MATCHED: Final = re.compile(r"(\w+)\s*(?:=~|!~|!=|=)\s*\"")
LABELS_OF_PROMETHEUS: Final = {"le", "instance", "job"}


def expressions() -> list[str]:
    """Return all queries of the dashboard and the alerts."""
    panels = json.loads((HERE / "dashboard.json").read_text())["panels"]
    queries = [target["expr"] for panel in panels for target in panel.get("targets", ())]
    return queries + [rule["expr"] for rule in rules()]


def rules() -> list[dict[str, Any]]:
    groups = yaml.safe_load((HERE / "alerts.yml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def test_every_queried_metric_exists(client: TestClient[Any], tmp_path: Path, redis_url: str) -> None:
    metrics = families(client, tmp_path, redis_url)
    known = set().union(*map(series_of, metrics.values()))

    queried = names_in("\n".join(expressions()))
    assert queried
    assert not queried - known


def test_every_queried_label_exists(client: TestClient[Any], tmp_path: Path, redis_url: str) -> None:
    page = (ROOT / "docs" / "operate" / "metrics.md").read_text()
    cells = [line.split("|")[3] for line in page.splitlines() if line.startswith("| `")]
    known = {label.strip() for cell in cells for label in cell.split(",")} | LABELS_OF_PROMETHEUS
    queried = {label.strip() for each in expressions() for labels in BY.findall(each) for label in labels.split(",")}
    queried |= {label for each in expressions() for label in MATCHED.findall(each)}

    assert not queried - known


def test_every_alert_is_in_the_runbook() -> None:
    runbook = (ROOT / "docs" / "operate" / "runbook.md").read_text()
    headings = [rule["annotations"]["runbook"] for rule in rules()]

    assert not [heading for heading in headings if f"### {heading}\n" not in runbook]


def test_panels_do_not_overlap() -> None:
    panels = json.loads((HERE / "dashboard.json").read_text())["panels"]
    cells = [
        (x, y)
        for panel in panels
        for x in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
    ]

    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24
    assert len({panel["id"] for panel in panels}) == len(panels)


@pytest.mark.parametrize("args", [("check", "rules", "alerts.yml"), ("check", "config", "prometheus.yml")])
def test_prometheus_accepts_the_files(args: tuple[str, ...]) -> None:
    promtool = shutil.which(os.environ.get("ESPORLES_PROMTOOL", "promtool"))
    assert promtool is not None, "`ops/test` finds promtool or installs it"
    process = subprocess.run([promtool, *args], cwd=HERE, capture_output=True, text=True, check=False)

    assert process.returncode == 0, process.stdout + process.stderr
