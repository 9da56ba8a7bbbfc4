"""The forms in which a result can be had."""

from enum import StrEnum


class Output(StrEnum):
    """For people: table and markdown; for programs: json, ndjson and csv."""

    TABLE = "table"
    JSON = "json"
    NDJSON = "ndjson"
    MARKDOWN = "markdown"
    CSV = "csv"

    @property
    def is_json(self) -> bool:
        """Whether errors, too, are told as JSON."""
        return self in {Output.JSON, Output.NDJSON}
