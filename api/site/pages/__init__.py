"""Pages that combine several subjects."""
