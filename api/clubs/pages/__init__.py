"""Pages of clubs."""
