"""Tournaments on the wire and on pages."""
