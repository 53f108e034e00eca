"""Circuits: rankings over several contests, with a final for the best."""
