"""Fuzzed forms, live streams and partial requests cause no server error."""

from __future__ import annotations

import gc
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.service import behind_sockets
from tests.fuzzing import Distant, Hunt, Used, impatient

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")
"""The framework leaves the files of a form to the garbage collector when middleware rejects the request."""


@pytest.fixture(scope="module")
def hunt(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hunt]:
    folder = tmp_path_factory.mktemp("fuzzed")
    with behind_sockets(folder, impatient(folder)) as sockets, Distant(sockets) as client:
        yield Hunt(Used(client), Path(folder) / "report.txt")


def test_fuzzed_forms_cause_no_server_error(hunt: Hunt) -> None:
    hunt.send_forms(0, math.inf)
    gc.collect()

    assert len(hunt.used.pages) > 100
    assert hunt.found == {}


def test_fuzzed_streams_and_partial_requests_are_answered_or_closed(hunt: Hunt) -> None:
    hunt.send_pieces(0, math.inf)
    gc.collect()

    assert len(hunt.used.streams) > 10
    assert hunt.found == {}
