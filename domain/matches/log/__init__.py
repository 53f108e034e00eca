"""The log format: entries, records, LOG files and proof files."""
