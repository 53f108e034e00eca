"""Pages of ranking lists."""
