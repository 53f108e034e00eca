"""Friends: follows, presence and challenges."""
