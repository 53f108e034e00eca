"""The archive of ended matches and its statistics."""
