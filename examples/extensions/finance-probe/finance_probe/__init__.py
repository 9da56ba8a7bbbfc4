"""Filings of companies, from a host with an invented API."""
