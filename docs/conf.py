"""Configure Sphinx for the documentation site. `ops/docs` builds it."""

from __future__ import annotations

project = "Esporles"
author = "The Esporles project"
html_title = "Esporles"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_*"]
master_doc = "index"

myst_enable_extensions = ["attrs_block", "colon_fence", "deflist"]
myst_heading_anchors = 4
nitpicky = True

html_theme = "furo"
html_theme_options = {"top_of_page_buttons": []}
html_static_path = ["_static"]
templates_path = ["_templates"]
html_css_files = ["variables.css"]
html_copy_source = False
html_show_copyright = False
html_use_index = False
