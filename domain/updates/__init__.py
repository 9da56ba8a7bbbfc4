"""LoopX's own releases: which may take over, what an interrupted update left, and who installed this copy."""
