"""What everything promises that asks for a person's word, when no person is there."""

import io
from collections.abc import Callable

import pytest

from fakes.outcomes import outcome_of, pair_of
from loopx.adapters.memory.consent import StandingConsent
from loopx.application.ports.consent import Consent
from loopx.domain.consent import Question
from loopx.domain.context import CallContext, TraceContext
from loopx.entrypoints.cli.terminal_consent import TerminalConsent
from loopx.entrypoints.presentation.style import PLAIN_TEXT

QUESTION = Question("install quotes 1.0.0", ("it may call api.example",))
TRACE = TraceContext("a" * 32, "b" * 16)
PERSON = CallContext(trace=TRACE)
AGENT = CallContext(trace=TRACE, agent_id="agent-7")

Make = Callable[[bool], Consent]


def standing(assume_yes: bool) -> Consent:
    return StandingConsent(assume_yes=assume_yes, allowed_agents=["agent-9"])


def terminal(assume_yes: bool) -> Consent:
    return TerminalConsent(
        talk=io.StringIO(),
        terminal=PLAIN_TEXT,
        keyboard=io.StringIO("y\n"),
        assume_yes=assume_yes,
        allowed_agents=["agent-9"],
    )


@pytest.fixture(params=[standing, terminal], ids=["memory", "terminal"])
def make(request: pytest.FixtureRequest) -> Make:
    made: Make = request.param
    return made


def test_a_script_that_a_person_told_so_goes_on(make: Make) -> None:
    assert outcome_of(make(True).ask, QUESTION, PERSON) is None


def test_without_a_person_and_without_yes_nothing_goes_on(make: Make) -> None:
    assert pair_of(outcome_of(make(False).ask, QUESTION, PERSON)) == "consent_required/unattended"


@pytest.mark.parametrize("assume_yes", [True, False])
def test_an_agent_does_not_go_on_whatever_it_says(make: Make, assume_yes: bool) -> None:
    assert pair_of(outcome_of(make(assume_yes).ask, QUESTION, AGENT)) == "consent_required/agent"


def test_an_agent_that_the_users_policy_allows_goes_on(make: Make) -> None:
    allowed = CallContext(trace=TRACE, agent_id="agent-9")
    assert outcome_of(make(True).ask, QUESTION, allowed) is None
