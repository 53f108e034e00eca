"""Balance: sources of points and value of components, measured on the effects of bot matches."""
