"""Values and decisions of LoopX: standard library only, no I/O, no clock, no logging, no async."""
