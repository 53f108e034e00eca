"""The operators' page about metrics is complete."""

from pathlib import Path
from typing import Any, Final

from litestar.testing import TestClient

from tests.projections.platform.telemetry.collector import families, names_in

PAGE: Final = Path(__file__).parents[4] / "docs" / "operate" / "metrics.md"


def test_the_page_lists_exactly_the_existing_metrics(client: TestClient[Any], tmp_path: Path, redis_url: str) -> None:
    metrics = families(client, tmp_path, redis_url)
    shown = {f"{name}_total" if family.type == "counter" else name for name, family in metrics.items()}

    assert names_in(PAGE.read_text()) == shown


def test_every_metric_has_a_description(client: TestClient[Any], tmp_path: Path, redis_url: str) -> None:
    assert not [name for name, family in families(client, tmp_path, redis_url).items() if not family.documentation]
