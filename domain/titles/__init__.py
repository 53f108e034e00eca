"""Registry of game titles, in the order in which they are offered.

To add a title, create a folder of its name on each floor and add its `Title` here; mypy checks in its `title.py` that
it satisfies the rules protocol.
"""

from typing import Final

from domain.kernel.title import Titles, titles_by_name
from domain.titles.el_grande.title import EL_GRANDE
from domain.titles.la_granja.title import LA_GRANJA

TITLES: Final[Titles] = titles_by_name(LA_GRANJA, EL_GRANDE)
