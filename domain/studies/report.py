"""Studies as Markdown reports: entry by entry, variations indented where they branch off."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from domain.kernel.messages import say
from domain.kernel.texts import one_line
from domain.matches.aggregate import Match
from domain.matches.facts import Actor
from domain.studies.facts import GLYPH_SIGNS, Shape, StudyPlace
from domain.studies.state import Study, Variation


def report(study: Study, match: Match, names: Mapping[Actor, str]) -> str:
    """Return the whole study in Markdown, by entry; `names` maps people to names, missing ones to their ids."""
    places = [*(each.at for each in study.comments), *(each.at for each in study.marks)]
    places += [each.at for each in study.variations]
    entries = sorted({place.entry for place in places} | {each.entry for each in study.chapters})
    lines = [
        f"# {escape(study.title)}",
        "",
        f"{match.title}, match `{study.match}`, by {escape(names.get(study.owner, study.owner))}.",
        f"Entry {study.entries} has the digest `{study.head}`.",
        "",
    ]
    for entry in entries:
        if chapter := study.chapter(entry):
            lines += [f"# {escape(chapter.title)}", ""]
        lines += [f"## After entry {entry}{marks_text(study, StudyPlace(entry))}", ""]
        lines += report_place(study, StudyPlace(entry), names, "")
    return "\n".join(lines).rstrip("\n") + "\n"


def report_place(study: Study, place: StudyPlace, names: Mapping[Actor, str], indent: str) -> Iterator[str]:
    """Yield lines with the shapes, comments and variations of one place, nested ones included."""
    shapes = [each for marks in study.marks if marks.at == place for each in marks.shapes]
    if shapes:
        yield f"{indent}*On the board: {', '.join(map(describe_shape, shapes))}.*"
        yield ""
    for comment in study.comments:
        if comment.at == place:
            yield f"{indent}**{escape(names.get(comment.by, comment.by))}:**"
            yield ""
            for line in escape_comment(comment.text).splitlines():
                yield f"{indent}> {line}".rstrip()
            yield ""
    for variation in study.variations:
        if variation.at == place:
            yield from list_variation(study, variation, names, indent)


def list_variation(study: Study, variation: Variation, names: Mapping[Actor, str], indent: str) -> Iterator[str]:
    """Yield the lines of a variation as a numbered list, with the content of its steps."""
    yield f"{indent}- Variation {variation.number}:"
    inner = f"{indent}  "
    yield from report_place(study, StudyPlace(variation.at.entry, variation.number, 0), names, inner)
    for number, step in enumerate(variation.steps, start=1):
        place = StudyPlace(variation.at.entry, variation.number, number)
        player = "The server" if step.seat < 0 else f"Player {step.seat + 1}"
        yield f"{inner}{number}. {player}: {escape(say(step.told))}{marks_text(study, place)}"
        yield from report_place(study, place, names, f"{inner}   ")
    yield ""


def marks_text(study: Study, place: StudyPlace) -> str:
    """Return the marks of a place in annotators' notation."""
    signs = [GLYPH_SIGNS[glyph] for marks in study.marks if marks.at == place for glyph in marks.glyphs]
    return f" {' '.join(signs)}" if signs else ""


def describe_shape(shape: Shape) -> str:
    """Describe a ring or an arrow; green, the usual colour, is not named."""
    colour = "" if shape.colour == "green" else f"{shape.colour} "
    return (
        f"{colour}circle around {shape.part}" if shape.to is None else f"{colour}arrow from {shape.part} to {shape.to}"
    )


UNSAFE_TEXT: Final = (
    (re.compile("<"), "&lt;"),
    (re.compile(r"!(?=\[)"), "&#33;"),
    (re.compile(r"\](?=:)"), "&#93;"),
    (re.compile(r"\](?=\(\s*(?!https?://|/(?!/)|#))", re.IGNORECASE), "&#93;"),
)
"""Text that could be read as HTML, an image or a script link, none of which comments support."""


def escape_comment(text: str) -> str:
    """Escape a comment for any Markdown viewer with entities, which a preceding backslash cannot undo."""
    for pattern, entity in UNSAFE_TEXT:
        text = pattern.sub(entity, text)
    return text


ENTITIES: Final = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}


def escape(text: str) -> str:
    """Return words as one line that no program takes for Markdown or HTML.

    Angle brackets become entities: a program that shows the report without reading Markdown ignores backslashes.
    """
    return "".join(ENTITIES.get(each) or (f"\\{each}" if each in "\\`*_[]#" else each) for each in one_line(text))
