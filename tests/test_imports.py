"""The import contracts of pyproject.toml hold, and no files import each other in a circle."""

from graphlib import TopologicalSorter

from grimp import build_graph
from importlinter.cli import lint_imports


def test_imports_point_inwards() -> None:
    """Every contract of STYLE §6 is kept."""
    assert lint_imports(no_cache=True) == 0


def test_no_files_import_each_other_in_a_circle() -> None:
    """Also not where only the types are needed: of two such files neither can be read first."""
    graph = build_graph("domain", "projections", "api", "workers", "ops", cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}

    TopologicalSorter(imports).prepare()


def test_rankings_are_known_without_leagues() -> None:
    """Leagues seed their players by the rankings, so the rankings cannot be shown by what leagues know."""
    graph = build_graph("api", cache_dir=None)
    of_leagues = {module for module in graph.modules if module.startswith("api.leagues.")}

    for module in ("api.ratings.service", "api.ratings.wire"):
        assert not graph.find_upstream_modules(module) & of_leagues
