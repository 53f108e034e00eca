"""The phases of the rulebook, a module each: legal actions, their effects, and automatic steps.

All functions return effects, which `evolve` applies to the state.
"""
