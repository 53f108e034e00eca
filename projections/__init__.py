"""Read models that follow the log; each module has a model's tables, how it follows, and its queries."""
