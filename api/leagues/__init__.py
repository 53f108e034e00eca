"""Leagues on the wire and on pages."""
