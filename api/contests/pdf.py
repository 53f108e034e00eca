"""Lists and certificates as PDF with embedded fonts for Latin, Greek and Cyrillic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple
from xml.sax.saxutils import escape

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from api.http.languages import _, localize_decimal, ngettext

FONTS: Final = Path(__file__).parent / "fonts"
PLAIN, BOLD = "DejaVuSans", "DejaVuSans-Bold"
WIDE_COLUMNS: Final = 8
"""Columns above which a list is in landscape format."""
NAME_SHARE: Final = 0.3
OWN_COLUMNS: Final = 2
"""Columns repeated in every part of a list: rank and name."""
COLUMNS_MAX: Final = 12
"""Maximum number of round columns; more rounds continue in another table below."""


@cache
def load_fonts() -> None:
    """Load the fonts once; files embed only the letters in use."""
    for name in (PLAIN, BOLD):
        pdfmetrics.registerFont(TTFont(name, FONTS / f"{name}.ttf"))


def render_list(contest: str, name: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> bytes:
    """Return a list as PDF, with its heading on each page.

    Landscape, and split into several tables, if it has many columns.
    """
    load_fonts()
    size = landscape(A4) if len(columns) > WIDE_COLUMNS else A4
    cell_style = ParagraphStyle("cell", fontName=PLAIN, fontSize=9, leading=11)
    title_style = ParagraphStyle("title", fontName=BOLD, fontSize=15, leading=19)
    file, title_text = BytesIO(), f"{contest} · {name}"
    document = SimpleDocTemplate(
        file,
        pagesize=size,
        title=title_text,
        author="Esporles",
        invariant=1,
        leftMargin=14 * mm,
        rightMargin=14 * mm,
        topMargin=14 * mm,
        bottomMargin=14 * mm,
    )
    story: list[Any] = [escape_paragraph(title_text, title_style), Spacer(1, 4 * mm)]
    for first_column in range(OWN_COLUMNS, max(len(columns), OWN_COLUMNS + 1), COLUMNS_MAX):
        column_indices = [*range(OWN_COLUMNS), *range(first_column, min(first_column + COLUMNS_MAX, len(columns)))]
        texts = [[escape_paragraph(row[index], cell_style) for index in column_indices] for row in [columns, *rows]]
        story += [table_of(texts, float(document.width)), Spacer(1, 6 * mm)]
    document.build(story)
    return file.getvalue()


def table_of(texts: list[list[Paragraph]], width: float) -> Table:
    """Return a table with fixed widths for rank and name; the other columns share the rest equally."""
    rank, person, other_count = 13 * mm, NAME_SHARE * width, len(texts[0]) - OWN_COLUMNS
    column_width = (width - rank - person) / max(1, other_count)
    table = Table(texts, colWidths=[rank, person, *[column_width] * other_count], repeatRows=1)
    grid, shade = ("GRID", (0, 0), (-1, -1), 0.4, colors.grey), ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke)
    table.setStyle(TableStyle([grid, shade, ("VALIGN", (0, 0), (-1, -1), "TOP")]))
    return table


def escape_paragraph(text: object, style: ParagraphStyle) -> Paragraph:
    """Return a paragraph with markup in the text escaped."""
    return Paragraph(escape(str(text)), style)


class Certificate(NamedTuple):
    """The lines of a certificate: the contest, the player, the place reached, and the results."""

    contest: str
    player: str
    place: str
    results: str
    place_and_date: str
    organiser: str


def render_certificates(contest: str, certificates: Iterable[Certificate]) -> bytes:
    """Return certificates as PDF, one on each page; the same certificates give the same bytes."""
    load_fonts()
    file, (width, height) = BytesIO(), landscape(A4)
    canvas = Canvas(file, pagesize=(width, height), invariant=1)
    canvas.setTitle(f"{contest} · {_('Certificates')}")
    for each in certificates:
        canvas.setLineWidth(2)
        canvas.rect(12 * mm, 12 * mm, width - 24 * mm, height - 24 * mm)
        canvas.setLineWidth(0.5)
        canvas.rect(14 * mm, 14 * mm, width - 28 * mm, height - 28 * mm)
        for text, font, at, size in (
            (_("Certificate"), BOLD, 165, 30),
            (each.contest, PLAIN, 147, 18),
            (each.player, BOLD, 115, 36),
            (each.place, BOLD, 92, 26),
            (each.results, PLAIN, 78, 14),
            (each.place_and_date, PLAIN, 55, 12),
        ):
            draw_centred(canvas, text, font, at * mm, size, width)
        canvas.line(width - 100 * mm, 34 * mm, width - 30 * mm, 34 * mm)
        canvas.setFont(PLAIN, 10)
        canvas.drawString(width - 100 * mm, 29 * mm, each.organiser)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def place_text(rank: int, count: int) -> str:
    """Return the place of a player on a certificate, in the reader's language."""
    return _("place {rank} of {count}", rank=rank, count=count)


def results_text(points: str, played: int) -> str:
    """Return the points and the number of tables of a player on a certificate, in the reader's language."""
    with_points = _("with {points} points", points=localize_decimal(points))
    after_tables = ngettext("after {count} table", "after {count} tables", played)
    return f"{with_points}, {after_tables}"


def cell_text(cell: Any) -> str:
    """Return a crosstable cell: place, points and table.

    "…" for a missing place, "–" without a table, byes with points.
    """
    if cell.is_bye:
        return f"{_('bye')} {localize_decimal(cell.points)}"
    if cell.table is None:
        return "–"
    place = "…" if cell.place is None else f"{cell.place}. {localize_decimal(cell.points)}"
    return f"{place} ({cell.table})"


def draw_centred(canvas: Canvas, text: str, font: str, at: float, size: float, width: float) -> None:
    """Draw a line of text centred on the page at height `at`, in a smaller size if it is too wide."""
    width_max = width - 50 * mm
    text_width = pdfmetrics.stringWidth(text, font, size)
    canvas.setFont(font, size * min(1.0, width_max / max(text_width, 1.0)))
    canvas.drawCentredString(width / 2, at, text)
