"""Compare the sentences in the sources with the catalogue of each language.

`python -m ops.dev.catalogues` is the command (`ops/dev/catalogues/__main__.py`).
"""
