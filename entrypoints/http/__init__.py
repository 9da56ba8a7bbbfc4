"""The HTTP door: the status server."""
