"""Requests, responses and every decision about them that needs no network."""
