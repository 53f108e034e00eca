"""The catalogues of sentences: what the sources say, compared with what each language has.

`python -m ops.catalogues` is the command (`ops/catalogues/__main__.py`).
"""
