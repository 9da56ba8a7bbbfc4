"""The published description of the record holds for every record that is given."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from fakes.github import FakeGitHub, repository
from fakes.program import run, scan
from fakes.pull_requests import pull_request, review
from loopx.domain.pull_requests.data import PULL_REQUEST, to_data
from loopx.domain.pull_requests.query import Order
from loopx.domain.pull_requests.record import AutoMerge, Decision, MergeQueueEntry, ReviewRequest

VALIDATOR = Draft202012Validator(
    PULL_REQUEST.json_schema(), format_checker=Draft202012Validator.FORMAT_CHECKER
)
STRICT = Draft202012Validator({**PULL_REQUEST.json_schema(), "additionalProperties": False})


def test_the_description_is_valid_json_schema() -> None:
    Draft202012Validator.check_schema(PULL_REQUEST.json_schema())


def test_every_record_of_the_sample_is_as_described() -> None:
    records = run("demo", "-o", "ndjson").of_type("pull_request")
    assert len(records) >= 35
    for record in records:
        check(record)


def test_every_record_of_a_scan_is_as_described() -> None:
    with FakeGitHub(repository(open=40, closed=20, merged=20, oversized=1)) as github:
        records = run(*scan(github.url("octo-org/harbour"), "--filter", "all")).of_type("pull_request")
    assert len(records) == 81
    for record in records:
        check(record)


def check(record: dict[str, Any]) -> None:
    """A record has what is described and, of the record itself, nothing else."""
    assert record.pop("type") == "pull_request"
    problems = [*VALIDATOR.iter_errors(record), *STRICT.iter_errors(record)]
    assert not problems, (record["number"], problems[0].message)


def test_everything_optional_can_be_there() -> None:
    full = pull_request(
        merge_queue=MergeQueueEntry(3, "queued"),
        auto_merge=AutoMerge("squash", "lena"),
        milestone="next",
        merged_at=datetime(2026, 11, 30, 12, 0, 0, 999, UTC),
        review=review(
            Decision.REVIEW_REQUIRED, requested=(ReviewRequest("team", "octo/core", code_owner=True),)
        ),
    )
    data = json.loads(json.dumps(to_data(full)))
    assert not list(STRICT.iter_errors(data))
    assert data["merged_at"] == "2026-11-30T12:00:00Z"


@pytest.mark.parametrize("name", list(Order))
def test_every_named_order_sorts_records(name: Order) -> None:
    records = [to_data(pull_request(number)) for number in (3, 1, 2)]
    key = dict(PULL_REQUEST.orders)[name]
    assert [record["number"] for record in sorted(records, key=key)] == [1, 2, 3]
