"""Deck and component files for the options of a title."""

from pathlib import Path

import pytest

from domain.kernel.component_data import DataFault
from domain.matches.data_files import register_files
from domain.titles import TITLES


def test_every_file_must_be_for_an_option_of_the_title_and_readable(tmp_path: Path) -> None:
    title, missing = TITLES["la_granja"], tmp_path / "missing.toml"

    assert register_files(title, {}) == {}
    with pytest.raises(DataFault, match="does not support rulebook files"):
        register_files(title, {"rulebook": missing})
    with pytest.raises(DataFault, match=r"cannot read .*missing\.toml: No such file"):
        register_files(title, dict.fromkeys(title.shelves, missing))
