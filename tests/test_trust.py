"""Every threat in `docs/specifications/trust.md` has a test."""

import ast
import re
from typing import Final

import pytest

from tests.test_tidy import ROOT

CELLS: Final = r"^\| (?P<who>[^|]+) \| (?P<attack>[^|]+) \| [^|]+ \| [^|]+ \| `(?P<test>[^`]+)` \|$"
ROW: Final = re.compile(CELLS, re.MULTILINE)
PAGE: Final = (ROOT / "docs" / "specifications" / "trust.md").read_text()
ROWS: Final = [match.groupdict() for match in ROW.finditer(PAGE)]
PLAIN_CELLS: Final = r"^\| (?!who \|)[^|]+ \|(?: [^|]+ \|){3} "
"""The start of any row but the heading. A row whose test has another form would be left out of `ROWS`."""
WHO: Final = {
    "operator",
    "player",
    "arbiter",
    "witness",
    "monitor",
    "thief of the database",
    "thief of the service's key",
    "operator of another service",
}


def test_every_kind_of_attacker_is_listed() -> None:
    named = ", ".join(row["who"] for row in ROWS)

    assert len(ROWS) > 20
    assert not {attacker for attacker in WHO if attacker not in named}


def test_every_row_of_the_threats_names_one_test() -> None:
    """Neither a row in another form nor an attack that is listed twice is overlooked."""
    threats = PAGE.partition("\n## ")[0]

    assert len(re.findall(PLAIN_CELLS, threats, re.MULTILINE)) == len(ROWS)
    assert len({(row["who"], row["attack"]) for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["attack"][:40])
def test_an_attack_has_a_test(row: dict[str, str]) -> None:
    path, _, name = row["test"].partition("::")
    tree = ast.parse((ROOT / path).read_text())

    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
