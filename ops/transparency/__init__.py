"""A witness of other services' transparency logs, run as a separate service."""
