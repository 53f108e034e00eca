"""Rankings and players' ratings."""
