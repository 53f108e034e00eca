"""Registration of La Granja's pages."""

from pathlib import Path
from typing import Final

from api.titles.drawing import Drawing, Miniature
from api.titles.gallery import Gallery
from api.titles.la_granja import drawing, farms, figures, gallery, miniature, prompts
from api.titles.la_granja.phases import PHASES
from api.titles.rulebook import Rulebook
from domain.titles.la_granja.parts import part_of

DRAWING: Final = Drawing(
    drawing.TEMPLATES,
    drawing.picture,
    drawing.heading,
    "/static/la_granja.css",
    target=part_of,
    closes=drawing.ends_step,
    script="/static/la_granja.js",
    prompt=drawing.prompt,
    brief=drawing.brief,
    paragraph=prompts.paragraph,
    phases=PHASES,
    gallery=Gallery(
        "la_granja/gallery.html",
        "la_granja/large.html",
        gallery.gallery_items,
        gallery.picture,
        Path(__file__).parent / "examples.json",
    ),
    strips=farms.strips,
    cover="/static/la_granja.webp",
    details=("mine", "farms", "part-farm", "part-own", "part-hand"),
    rules=Rulebook(
        Path(__file__).parent / "rules", "la_granja/figures.html", "la_granja/symbols.html", figures.picture
    ),
    miniature=Miniature("la_granja/miniature.html", miniature.picture),
)
