"""The help of the commands that read every setting lists all of them."""

import pytest

from ops.cli import main
from ops.settings_help import SECTIONS, settings_by_section
from projections.platform.settings import VARIABLES


@pytest.mark.parametrize("command", ["serve", "run"])
def test_the_help_names_every_setting_with_its_default(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])

    lines = capsys.readouterr().out.splitlines()
    for variable in VARIABLES.values():
        (line,) = [line for line in lines if line.startswith(f"  {' or '.join(variable.names)}: ")]
        assert line.endswith(f" (default: {variable.default_word})")


def test_the_option_of_a_setting_has_the_same_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", "--help"])

    assert f"{VARIABLES['port'].meaning} (ESPORLES_PORT, 8000)" in capsys.readouterr().out


def test_every_setting_is_in_one_section() -> None:
    settings = [variable for variables in settings_by_section().values() for variable in variables]

    assert {variable.names for variable in settings} == {variable.names for variable in VARIABLES.values()}
    assert len(settings) == len(VARIABLES)
    assert set(SECTIONS) <= set(VARIABLES)
