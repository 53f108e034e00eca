"""Commands about leagues, and simulated seasons."""
