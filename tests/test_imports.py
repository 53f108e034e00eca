"""The import contracts of pyproject.toml hold."""

from importlinter.cli import lint_imports


def test_imports_point_inwards() -> None:
    """Every contract of STYLE §6 is kept."""
    assert lint_imports(no_cache=True) == 0
