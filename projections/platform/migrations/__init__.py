"""Numbered migrations of databases whose rows cannot be made again from the log, by Alembic."""
