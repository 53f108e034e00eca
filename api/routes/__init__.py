"""The HTTP routes under `/api`: handlers of at most ten lines."""
