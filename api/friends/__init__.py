"""Friends: whom people follow, who is here, and who challenges whom."""
