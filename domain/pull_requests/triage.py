"""Whose turn it is, and why: ordered rules, the first that applies decides.

Unknown is never good: a pull request is ready only when its checks, reviews and threads were read,
and when GitHub says in a word that is known that it can be merged.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from loopx.domain.pull_requests.record import Decision, PullRequest, State, Verdict

_MERGEABLE: Final = frozenset({"mergeable", "unknown"})
_GOOD_MERGE_STATES: Final = frozenset({"clean", "unstable", "has_hooks"})


class Turn(StrEnum):
    """Who has to act next."""

    AUTHOR = "author"
    REVIEWER = "reviewer"
    MAINTAINER = "maintainer"
    CI = "ci"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Attention:
    """The verdict of the triage; ``priority`` sorts the queue, 1 comes first."""

    whose_turn: Turn
    state: str
    priority: int
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """One question to a pull request; the facts that answer it with yes are the reasons."""

    state: str
    question: str
    whose_turn: Turn
    priority: int
    facts: Callable[[PullRequest], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Step:
    """One line of an explanation: the rule, the facts found and whether it decided."""

    rule: Rule
    facts: tuple[str, ...]

    @property
    def decides(self) -> bool:
        """Whether this rule gave the verdict."""
        return bool(self.facts)


def triage(pull_request: PullRequest) -> Attention:
    """Say whose turn it is."""
    *_, last = explain(pull_request)
    return Attention(last.rule.whose_turn, last.rule.state, last.rule.priority, last.facts)


def explain(pull_request: PullRequest) -> Iterator[Step]:
    """Every rule that was asked, in order; the last one decides."""
    for rule in RULES:
        step = Step(rule, rule.facts(pull_request))
        yield step
        if step.decides:
            return


def _merged(pull_request: PullRequest) -> tuple[str, ...]:
    return ("it was merged",) if pull_request.state is State.MERGED else ()


def _closed(pull_request: PullRequest) -> tuple[str, ...]:
    return ("it was closed without merge",) if pull_request.state is State.CLOSED else ()


def _queued(pull_request: PullRequest) -> tuple[str, ...]:
    entry = pull_request.merge_queue
    if entry is None:
        return ()
    return (f"number {entry.position} in the merge queue" if entry.position else "in the merge queue",)


def _draft(pull_request: PullRequest) -> tuple[str, ...]:
    return ("it is a draft",) if pull_request.draft else ()


def _conflicting(pull_request: PullRequest) -> tuple[str, ...]:
    clashes = pull_request.mergeable == "conflicting" or pull_request.merge_state == "dirty"
    return ("it conflicts with its base branch",) if clashes else ()


def _needs_approval_to_run(pull_request: PullRequest) -> tuple[str, ...]:
    failing = pull_request.checks.failing
    waiting = [check.name for check in failing if check.state == "action_required"]
    # With other failures beside it the author has work to do first.
    return (f"a maintainer must act on {_some(waiting)}",) if waiting and len(waiting) == len(failing) else ()


def _checks_failing(pull_request: PullRequest) -> tuple[str, ...]:
    checks = pull_request.checks
    failed = tuple(f"{check.name} ended as {check.state}" for check in (*checks.failing, *checks.cancelled))
    return failed if checks.verdict is Verdict.FAIL else ()


def _changes_requested(pull_request: PullRequest) -> tuple[str, ...]:
    review = pull_request.review
    if review.decision is not Decision.CHANGES_REQUESTED and not review.changes_requested_by:
        return ()
    who = _some([login or "a deleted account" for login in review.changes_requested_by])
    return (f"changes were requested by {who or 'a reviewer'}",)


def _asked_again(pull_request: PullRequest) -> tuple[str, ...]:
    """Whoever wanted changes and is among the requested again has the next word."""
    asked = {request.name for request in pull_request.review.requested}
    again = [
        login for login in pull_request.review.changes_requested_by if login is not None and login in asked
    ]
    everyone = len(again) == len(pull_request.review.changes_requested_by)
    return (f"{_some(again)} wanted changes and was asked again",) if again and everyone else ()


def _unresolved(pull_request: PullRequest) -> tuple[str, ...]:
    count = pull_request.threads.unresolved
    return (f"{count} review thread{'s' if count > 1 else ''} not resolved",) if count else ()


def _checks_pending(pull_request: PullRequest) -> tuple[str, ...]:
    checks = pull_request.checks
    if checks.verdict is not Verdict.PENDING:
        return ()
    running = (f"{_some([check.name for check in checks.pending])} not finished",) if checks.pending else ()
    missing = (f"required but never reported: {_some(list(checks.missing_required))}",)
    unlisted = ("GitHub says that its checks have not finished, and lists none that runs",)
    return running + (missing if checks.missing_required else ()) or unlisted


def _awaiting_review(pull_request: PullRequest) -> tuple[str, ...]:
    review = pull_request.review
    if review.decision is Decision.APPROVED or (review.decision is Decision.NONE and review.approved_by):
        return ()
    asked = _some([request.name or "somebody hidden" for request in review.requested])
    wanted = {
        Decision.REVIEW_REQUIRED: "a review is required",
        Decision.UNKNOWN: "whether it is approved could not be read",
    }.get(review.decision, "nobody has approved it")
    return (wanted, f"asked: {asked}" if asked else "nobody was asked")


def _all_stale(pull_request: PullRequest) -> tuple[str, ...]:
    review = pull_request.review
    stale = len(review.stale_approvals)
    all_stale = stale and stale == len(review.approved_by)
    return ("every approval was given to an older commit",) if all_stale else ()


def _checks_unclear(pull_request: PullRequest) -> tuple[str, ...]:
    checks = pull_request.checks
    facts = {
        Verdict.UNAVAILABLE: ("its checks could not be read",),
        Verdict.UNKNOWN: ("its checks give no clear result",),
    }.get(checks.verdict, ())
    told = facts and not checks.truncated and checks.provider_state not in {None, "success"}
    return (*facts, f"GitHub's own summary of them is {checks.provider_state}") if told else facts


def _threads_unclear(pull_request: PullRequest) -> tuple[str, ...]:
    return ("not all of its review threads could be read",) if pull_request.threads.truncated else ()


def _auto_merge(pull_request: PullRequest) -> tuple[str, ...]:
    return ("it merges by itself once everything is met",) if pull_request.auto_merge else ()


def _behind(pull_request: PullRequest) -> tuple[str, ...]:
    return ("its branch is behind the base branch",) if pull_request.merge_state == "behind" else ()


def _blocked(pull_request: PullRequest) -> tuple[str, ...]:
    return ("the branch rules do not allow the merge yet",) if pull_request.merge_state == "blocked" else ()


def _merge_unclear(pull_request: PullRequest) -> tuple[str, ...]:
    # Asking is what makes GitHub compute it, so the next reading usually knows.
    waits = pull_request.merge_state == "unknown" and pull_request.mergeable in _MERGEABLE
    return ("GitHub has not computed yet whether it can be merged",) if waits else ()


def _merge_unrecognized(pull_request: PullRequest) -> tuple[str, ...]:
    mergeable, state = pull_request.mergeable, pull_request.merge_state
    words = ([] if mergeable in _MERGEABLE else [mergeable]) + (
        [] if state in _GOOD_MERGE_STATES else [state]
    )
    return (f"whether it can be merged is told in words not known here: {_some(words)}",) if words else ()


def _ready(pull_request: PullRequest) -> tuple[str, ...]:
    approved = _some([login or "a deleted account" for login in pull_request.review.approved_by])
    has_checks = pull_request.checks.verdict is Verdict.PASS
    checks = "its checks passed" if has_checks else "no check tells against it"
    return (f"approved by {approved}" if approved else "it is approved", checks)


def _some(names: list[str], most: int = 3) -> str:
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


RULES: Final = (
    Rule("merged", "Is it merged?", Turn.NOBODY, 9, _merged),
    Rule("closed", "Is it closed without merge?", Turn.NOBODY, 9, _closed),
    Rule("merge_queued", "Is it in the merge queue?", Turn.CI, 6, _queued),
    Rule("draft", "Is it a draft?", Turn.AUTHOR, 8, _draft),
    Rule("conflicting", "Does it conflict with its base?", Turn.AUTHOR, 5, _conflicting),
    Rule(
        "needs_approval_to_run",
        "Does a check wait for a maintainer?",
        Turn.MAINTAINER,
        2,
        _needs_approval_to_run,
    ),
    Rule("checks_failing", "Has a check failed?", Turn.AUTHOR, 5, _checks_failing),
    Rule("review_again", "Were those who wanted changes asked again?", Turn.REVIEWER, 2, _asked_again),
    Rule("changes_requested", "Does a reviewer want changes?", Turn.AUTHOR, 5, _changes_requested),
    Rule("unresolved_threads", "Is a review thread unresolved?", Turn.AUTHOR, 5, _unresolved),
    Rule("checks_pending", "Is a check still missing?", Turn.CI, 6, _checks_pending),
    Rule("awaiting_review", "Is an approval missing?", Turn.REVIEWER, 3, _awaiting_review),
    Rule("stale_approval", "Are all approvals for older commits?", Turn.REVIEWER, 3, _all_stale),
    Rule("checks_unclear", "Are its checks unreadable or unclear?", Turn.MAINTAINER, 4, _checks_unclear),
    Rule("threads_unclear", "Are there threads that were not read?", Turn.MAINTAINER, 4, _threads_unclear),
    Rule("auto_merge", "Will it merge by itself?", Turn.CI, 6, _auto_merge),
    Rule("behind", "Is its branch behind?", Turn.AUTHOR, 5, _behind),
    Rule("blocked", "Do branch rules block it?", Turn.MAINTAINER, 4, _blocked),
    Rule("merge_unclear", "Is it still unknown whether it can merge?", Turn.CI, 6, _merge_unclear),
    Rule("merge_unrecognized", "Is its merge state no known word?", Turn.MAINTAINER, 4, _merge_unrecognized),
    Rule("ready", "Is it ready to merge?", Turn.MAINTAINER, 1, _ready),
)
"""The last rule always applies, so every pull request gets a verdict."""
