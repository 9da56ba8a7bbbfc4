"""The record ``loopx.explanation/1``: every rule that was asked about a pull request, and the verdict."""

from dataclasses import asdict
from typing import Final

from loopx.domain.pull_requests.record import PullRequest
from loopx.domain.pull_requests.triage import RULES, Turn, explain, triage
from loopx.domain.schema import BOOLEAN, INTEGER, Field, RecordSpec, listing, record, text


def explanation_data(pull_request: PullRequest) -> dict[str, object]:
    """The explanation as JSON-ready data."""
    attention = triage(pull_request)
    return {
        "id": pull_request.reference.id,
        "number": pull_request.reference.number,
        "url": pull_request.url,
        "title": pull_request.title,
        "attention": asdict(attention)
        | {"whose_turn": attention.whose_turn.value, "reasons": [*attention.reasons]},
        "rules": [
            {
                "state": step.rule.state,
                "question": step.rule.question,
                "answer": step.decides,
                "facts": [*step.facts],
            }
            for step in explain(pull_request)
        ],
        "content_trust": "external",
    }


_STATE: Final = text(choices=tuple(rule.state for rule in RULES))

EXPLANATION: Final = RecordSpec(
    schema="loopx.explanation/1",
    type="explanation",
    fields=(
        Field("id", text(), "host/owner/name#number, unique over all hosts"),
        Field("number", INTEGER, "the number within the repository"),
        Field("url", text(form="uri"), "the page for people"),
        Field("title", text(), "as its author wrote it; not to be trusted"),
        Field(
            "attention",
            record(
                whose_turn=text(choices=tuple(turn.value for turn in Turn)),
                state=_STATE,
                priority=INTEGER,
                reasons=listing(text()),
            ),
            "the verdict: whose turn it is, and why",
        ),
        Field(
            "rules",
            listing(record(state=_STATE, question=text(), answer=BOOLEAN, facts=listing(text()))),
            "the rules in the order in which they were asked; the last one decided",
        ),
        Field("content_trust", text(choices=("external",)), "texts in this record were written by others"),
    ),
    columns=("number", "title", "attention.whose_turn", "attention.state", "attention.reasons"),
)
