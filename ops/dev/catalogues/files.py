"""Update and check the files of the catalogues."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from string import Formatter
from tempfile import NamedTemporaryFile
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from api.http.languages import AREAS, ENGLISH, LANGUAGES, path_of
from ops.dev.catalogues.scan import Sentence, sentences

TRANSLATED: Final = tuple(language for language in LANGUAGES if language != ENGLISH)
PLURAL_FORMS: Final[Mapping[str, int]] = {"cs": 3, "uk": 3, "pl": 3, "de": 2}
WIDTH: Final = 120
BEGUN: Final = datetime(2026, 11, 20, tzinfo=UTC)
"""Creation date in every header; a current date would change every file at every run."""
OUT_OF_ORDER: Final = "not in the order of the sources; run this command"
ENDS: Final = re.compile(r"[.:?!…]$")
ABBREVIATED: Final = re.compile(r"\b[^\W\d_]\.\s?[^\W\d_]\.$")
"""The dot of an abbreviation by initials ("p. b.") ends no sentence."""


def read(language: str, area: str) -> Catalog:
    """Read a catalogue; empty if its file does not exist."""
    path = path_of(language, area)
    if path.exists():
        with path.open("rb") as file:
            return read_po(file, locale=language)
    return Catalog(locale=language)


def write(language: str, area: str, catalogue: Catalog) -> None:
    """Write a catalogue atomically, because two translators may run the command at the same time."""
    path = path_of(language, area)
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=f".{area}", delete=False) as file:
        file.write(content_of(catalogue))
    Path(file.name).chmod(0o644)
    Path(file.name).replace(path)


def content_of(catalogue: Catalog) -> bytes:
    """Encode a catalogue; equal messages in equal order give equal bytes."""
    file = BytesIO()
    write_po(file, catalogue, width=WIDTH, no_location=True)
    return file.getvalue()


def messages_of(area: str, source_sentences: Iterable[Sentence]) -> tuple[Sentence, ...]:
    """Return the messages of an area."""
    return tuple(sentence for sentence in source_sentences if sentence.area == area)


def forms_of(message: Message) -> tuple[str, ...]:
    """Return the translation in all its plural forms."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def first_id(message: Message) -> str:
    """Return the id of a message, in the singular."""
    return str(message.id if isinstance(message.id, str) else message.id[0])


def renew(language: str, area: str, source_sentences: Iterable[Sentence], *, prune: bool) -> Catalog:
    """Return the catalogue with the current messages in order; translations are kept, unused ones become obsolete.

    A message that has moved to another area keeps its translation. With `prune` unused ones are dropped.
    """
    previous = read(language, area)
    strings = translations(language)
    catalogue = Catalog(
        locale=language,
        header_comment=f"# Esporles: {area}, {LANGUAGES[language]}",
        project="Esporles",
        version="1",
        creation_date=BEGUN,
        revision_date=BEGUN,
        last_translator="Esporles",
        language_team=LANGUAGES[language],
        fuzzy=False,
    )
    area_sentences = messages_of(area, source_sentences)
    for sentence in area_sentences:
        ids = (sentence.id, sentence.plural) if sentence.plural is not None else sentence.id
        string = strings.get((sentence.id, sentence.plural))
        catalogue.add(ids, string if string is not None else None)
    if not prune:
        area_ids = {sentence.id for sentence in area_sentences}
        all_ids = {sentence.id for sentence in source_sentences}
        unused = [*previous, *previous.obsolete.values()]
        catalogue.obsolete.update(
            (first_id(message), message)
            for message in unused
            if message.id and first_id(message) not in area_ids | all_ids and any(forms_of(message))
        )
    return catalogue


def translations(language: str) -> dict[tuple[str, str | None], str | tuple[str, ...]]:
    """Return all translations into a language, of every area, by (id, plural), obsolete ones included.

    Within an area a current translation takes precedence over an obsolete one; between areas the later one does.
    """
    strings: dict[tuple[str, str | None], str | tuple[str, ...]] = {}
    for area in AREAS:
        catalogue = read(language, area)
        for message in (*catalogue.obsolete.values(), *catalogue):
            if message.id and any(forms_of(message)):
                plural = None if isinstance(message.id, str) else message.id[1]
                strings[first_id(message), plural] = message.string
    return strings


def update(languages: Iterable[str] = TRANSLATED, areas: Iterable[str] = AREAS, *, prune: bool = False) -> None:
    """Update the files from the sources, with `prune` as in `renew`; all are read before the first is written.

    Raises `AssertionError`, writing none, if a message has two plurals.
    """
    source_sentences = sentences()
    renewals = {
        (language, area): renew(language, area, source_sentences, prune=prune)
        for language in languages
        for area in areas
    }
    for (language, area), catalogue in renewals.items():
        write(language, area, catalogue)


def faults(source_sentences: Iterable[Sentence]) -> Iterator[str]:
    """Yield the faults of all catalogues, one line each; a file without faults must also be as `update` writes it."""
    all_sentences = tuple(source_sentences)
    for language in TRANSLATED:
        for area in AREAS:
            expected = {sentence.id: sentence for sentence in messages_of(area, all_sentences)}
            file_faults = tuple(faults_of(language, read(language, area), expected))
            if not file_faults and content_of(renew(language, area, all_sentences, prune=False)) != file_of(
                language, area
            ):
                file_faults = (OUT_OF_ORDER,)
            yield from (f"{language}/{area}.po: {fault}" for fault in file_faults)


def file_of(language: str, area: str) -> bytes:
    """Return the content of a catalogue's file; empty if it does not exist."""
    path = path_of(language, area)
    return path.read_bytes() if path.exists() else b""


def faults_of(language: str, catalogue: Catalog, expected: Mapping[str, Sentence]) -> Iterator[str]:
    """Yield the faults of one catalogue: wrong, missing, unused, obsolete or fuzzy messages."""
    if catalogue.num_plurals != PLURAL_FORMS[language]:
        yield f"{catalogue.num_plurals} plural forms, not {PLURAL_FORMS[language]}"
    messages_by_id = {first_id(message): message for message in catalogue if message.id}
    yield from (f"missing: {id}" for id in expected if id not in messages_by_id)
    yield from (f"unused: {id}" for id in messages_by_id if id not in expected)
    yield from (f"set aside: {first_id(message)}" for message in catalogue.obsolete.values())
    for id, message in messages_by_id.items():
        if message.fuzzy:
            yield f"fuzzy: {id}"
        if id in expected:
            yield from (f"{fault}: {id}" for fault in _faults_in(message, expected[id], PLURAL_FORMS[language]))


def _faults_in(message: Message, sentence: Sentence, plural_forms: int) -> Iterator[str]:
    """Yield the faults of a translation: missing forms, a wrong number of them, and the faults of each form.

    If a form is missing, nothing else is examined.
    """
    forms = forms_of(message)
    if not all(forms):
        yield "missing" if not any(forms) else "a plural form is missing"
        return
    if (len(forms) > 1) != (sentence.plural is not None):
        yield "plural forms do not match the sources"
    if len(forms) not in {1, plural_forms}:
        yield f"{len(forms)} plural forms, not {plural_forms}"
    for form in forms:
        yield from _faults_of_form(form, sentence)


def _faults_of_form(form: str, sentence: Sentence) -> Iterator[str]:
    """Yield the faults of a plural form: braces, placeholders, outer spaces and the final punctuation mark.

    It must have the placeholders of its message, but may spell out the count.
    """
    try:
        placeholders = places_in(form)
    except ValueError:
        yield f"the braces of {form!r} do not match"
        return
    allowed = places_in(sentence.id) | places_in(sentence.plural or "")
    optional = {"count"} if sentence.plural is not None else set()
    if not allowed - optional <= placeholders <= allowed:
        yield f"places {sorted(placeholders)}, not {sorted(allowed)}"
    if form != form.strip():
        yield "leading or trailing space differs"
    if (actual_end := end_of(form)) != (expected_end := end_of(sentence.id)):
        yield f"ends with {actual_end!r}, not {expected_end!r}"


def end_of(text: str) -> str:
    """Return the final punctuation mark; empty if there is none."""
    match = None if ABBREVIATED.search(text) else ENDS.search(text)
    return match[0] if match else ""


def places_in(pattern: str) -> set[str]:
    """Return the names of placeholders."""
    return {name for _, name, _, _ in Formatter().parse(pattern) if name is not None}
