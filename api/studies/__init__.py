"""Studies: annotations on matches."""
