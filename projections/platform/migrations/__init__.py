"""Numbered migrations by Alembic of databases that cannot be rebuilt from the log."""
