"""Balance: matches of bots, read effect by effect for where points come from and what each component is worth."""
