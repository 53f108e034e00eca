"""What console commands do about tournaments."""
