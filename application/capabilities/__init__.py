"""The catalogue: what LoopX can do for an agent, by name."""
