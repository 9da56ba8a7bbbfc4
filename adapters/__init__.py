"""How LoopX touches the world: one folder per technology, each implements ports."""
