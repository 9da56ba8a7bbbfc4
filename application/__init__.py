"""Use cases and the ports they need; knows the domain only."""
