"""Every threat in `docs/specifications/trust.md` has a test."""

import ast
import re
from typing import Final

import pytest

from tests.test_tidy import ROOT

CELLS: Final = r"^\| (?P<who>[^|]+) \| (?P<attack>[^|]+) \| [^|]+ \| [^|]+ \| `(?P<test>[^`]+)` \|$"
ROW: Final = re.compile(CELLS, re.MULTILINE)
ROWS: Final = [match.groupdict() for match in ROW.finditer((ROOT / "docs" / "specifications" / "trust.md").read_text())]
WHO: Final = {"operator", "player", "arbiter", "witness", "thief of the database"}


def test_every_kind_of_attacker_is_listed() -> None:
    named = " ".join(row["who"] for row in ROWS)

    assert len(ROWS) > 20
    assert not {attacker for attacker in WHO if attacker not in named}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["attack"][:40])
def test_an_attack_has_a_test(row: dict[str, str]) -> None:
    path, _, name = row["test"].partition("::")
    tree = ast.parse((ROOT / path).read_text())

    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
