"""How La Granja is drawn."""

from pathlib import Path
from typing import Final

from api.titles.drawing import Drawing, Gallery, Miniature
from api.titles.la_granja import drawing, farms, illustrating, miniature
from api.titles.la_granja.phases import PHASES
from api.titles.rulebook import Rulebook
from domain.titles.la_granja.parts import part_of

DRAWING: Final = Drawing(
    drawing.TEMPLATES,
    drawing.picture,
    drawing.heading,
    "/static/la_granja.css",
    target=part_of,
    closes=drawing.closes,
    script="/static/la_granja.js",
    prompt=drawing.prompt,
    phases=PHASES,
    gallery=Gallery("la_granja/gallery.html", "la_granja/catalogued.html", drawing.gallery),
    strips=farms.strips,
    rules=Rulebook(
        Path(__file__).parent / "rules", "la_granja/figures.html", "la_granja/symbols.html", illustrating.picture
    ),
    miniature=Miniature("la_granja/miniature.html", miniature.picture),
)
