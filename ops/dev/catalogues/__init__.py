"""The catalogues of sentences: what the sources say, compared with what each language has.

`python -m ops.dev.catalogues` is the command (`ops/dev/catalogues/__main__.py`).
"""
