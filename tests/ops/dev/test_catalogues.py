"""The command for catalogues finds every message, keeps translations, and marks unused ones as obsolete."""

from pathlib import Path

import pytest

from ops.dev.catalogues.__main__ import main
from ops.dev.catalogues.files import first_id, forms_of, renew, translations
from ops.dev.catalogues.scan import Sentence, area_of, in_python, in_template, sentences


def test_the_catalogues_have_every_message_and_no_fault(capsys: pytest.CaptureFixture[str]) -> None:
    """`--check` finds missing, unused and fuzzy messages, wrong placeholders and wrong plural forms."""
    status = main(["--check"])

    assert (capsys.readouterr().out, status) == ("0 faults\n", 0)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('Message("Draw 1 card")', [("Draw 1 card", None)]),
        ('Message("{count} hat", {"count": n}, plural="{count} hats", count=n)', [("{count} hat", "{count} hats")]),
        ('Message("Go on" if may else "Wait")', [("Go on", None), ("Wait", None)]),
        ('one, many = plural("{count} hat", "{count} hats")', [("{count} hat", "{count} hats")]),
        ('WORDS = {"a": N_("Round" " table")}', [("Round table", None)]),
        (
            '_("Sit down") + languages.ngettext("{count} hat", "{count} hats", 2)',
            [("Sit down", None), ("{count} hat", "{count} hats")],
        ),
        ("Message(WORDS[key]); _(name); for_(x)", []),
    ],
)
def test_sentences_are_found_in_python(source: str, expected: list[tuple[str, str | None]]) -> None:
    extracted = [(sentence.id, sentence.plural) for sentence in in_python(source, "http")]

    assert sorted(extracted) == sorted(expected)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('<p title="{{ _("Round") }}">{{ _("Take {good}", good=good) }}</p>', ["Round", "Take {good}"]),
        ('{{ ngettext("{count} hat", "{count} hats", n) }}', ["{count} hat"]),
        ('{{ _("Open" if is_open else "Shut") }}{% set a %}{{ _("In") }}{% endset %}', ["Open", "Shut", "In"]),
        ("{{ _(name) }} {{ name | say }}", []),
    ],
)
def test_sentences_are_found_in_templates(source: str, expected: list[str]) -> None:
    assert sorted(sentence.id for sentence in in_template(source, "http")) == sorted(expected)


@pytest.mark.parametrize(
    ("path", "area"),
    [
        ("domain/titles/la_granja/words.py", "la_granja"),
        ("api/titles/el_grande/templates/map.html", "el_grande"),
        ("projections/roles.py", "roles"),
        ("domain/standings/points.py", "tournaments"),
        ("api/site/templates/lobby.html", "site"),
    ],
)
def test_the_area_of_a_source_follows_from_its_path(path: str, area: str) -> None:
    assert area_of(Path(path)) == area


def test_a_message_belongs_to_the_first_of_its_areas_only() -> None:
    ids = [sentence.id for sentence in sentences()]

    assert len(ids) == len(set(ids))
    assert {sentence.area for sentence in sentences() if sentence.id == "Player {number}"} == {"http"}


def test_translations_move_with_messages_and_unused_ones_become_obsolete() -> None:
    moved, new = Sentence("Take {good}", None, "http"), Sentence("Never said before", None, "http")
    catalogue = renew("cs", "http", (moved, new), prune=False)
    strings = {first_id(message): forms_of(message) for message in catalogue if message.id}

    assert strings == {"Take {good}": (translations("cs")["Take {good}", None],), "Never said before": ()}
    assert "Language" in {first_id(message) for message in catalogue.obsolete.values()}
    assert not renew("cs", "http", (moved, new), prune=True).obsolete
