"""Adapters without a machine under them, for tests, demonstrations and authors of skills."""
