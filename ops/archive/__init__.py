"""Continuous archives of databases, and their restoration."""
