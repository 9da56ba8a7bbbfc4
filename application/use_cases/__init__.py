"""What LoopX does, one deed a file."""
