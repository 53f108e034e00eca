"""The phases of the rulebook, a module each: legal actions, their effects, and automatic steps."""
