"""Read what the host answers: columns, one list a field, as registries of filings like to send them."""

from collections.abc import Iterator
from typing import Any

COLUMNS = ("accession", "form", "filed_on", "accepted_at", "document", "items")


def rows(payload: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """One dict a filing.

    Raises:
        ValueError: the columns are not of one length, so nobody knows what belongs together.
    """
    filings = payload["filings"]
    columns = [filings[name] for name in COLUMNS]
    for values in zip(*columns, strict=True):
        yield dict(zip(COLUMNS, values, strict=True))


def record(row: dict[str, Any], company: str, base: str) -> dict[str, Any]:
    """A filing as extension.toml declares it."""
    return {
        "accession": row["accession"],
        "company": company,
        "form": row["form"],
        "filed_on": row["filed_on"],
        "accepted_at": row["accepted_at"] or None,
        "document_url": f"{base}/documents/{row['accession']}/{row['document']}",
        "items": [item for item in row["items"].split(",") if item],
    }
