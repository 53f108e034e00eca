"""Continuous archives of the databases in files, and what is brought back from them."""
