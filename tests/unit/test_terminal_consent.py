"""Asking at the terminal; that keys and signals reach it is shown in tests/e2e/test_registry.py."""

import io
import signal
from dataclasses import replace

import pytest

from fakes.extensions import CONTEXT
from fakes.outcomes import outcome_of, pair_of
from loopx.domain.consent import Question
from loopx.entrypoints.cli.terminal_consent import TerminalConsent
from loopx.entrypoints.presentation.style import PLAIN_TEXT, Terminal

QUESTION = Question("Install quotes 1.0.0", ("sha256 abc", "may use GET https://api.example.com"))
AGENT = replace(CONTEXT, agent_id="agent-7")


class Keyboard(io.StringIO):
    """A terminal on which this is typed."""

    def isatty(self) -> bool:
        return True


def consent(keyboard: io.StringIO | None, *, assume_yes: bool = False, agents: tuple[str, ...] = ()) -> tuple[
    TerminalConsent, io.StringIO
]:  # fmt: skip
    talk = io.StringIO()
    asking = TerminalConsent(
        talk=talk, terminal=PLAIN_TEXT, keyboard=keyboard, assume_yes=assume_yes, allowed_agents=agents
    )
    return asking, talk


@pytest.mark.parametrize("typed", ["y\n", "Y\n", "yes\n", " YES \n"])
def test_a_yes_is_a_yes(typed: str) -> None:
    asking, talk = consent(Keyboard(typed))
    asking.ask(QUESTION, CONTEXT)
    assert talk.getvalue().splitlines()[:3] == [
        "Install quotes 1.0.0",
        "  sha256 abc",
        "  may use GET https://api.example.com",
    ]


@pytest.mark.parametrize("typed", ["n\n", "\n", "", "yep\n", "no\ny\n"])
def test_everything_else_is_a_no(typed: str) -> None:
    asking, _ = consent(Keyboard(typed))
    assert pair_of(outcome_of(asking.ask, QUESTION, CONTEXT)) == "consent_required/declined"


def test_yes_beforehand_asks_nothing_and_still_shows_what_was_agreed_to() -> None:
    asking, talk = consent(Keyboard(""), assume_yes=True)
    asking.ask(QUESTION, CONTEXT)
    assert "sha256 abc" in talk.getvalue()
    assert "[y/N]" not in talk.getvalue()


@pytest.mark.parametrize("keyboard", [None, io.StringIO("y\n")])
def test_without_a_terminal_nobody_is_asked(keyboard: io.StringIO | None) -> None:
    asking, talk = consent(keyboard)
    assert pair_of(outcome_of(asking.ask, QUESTION, CONTEXT)) == "consent_required/unattended"
    assert "[y/N]" not in talk.getvalue()


@pytest.mark.parametrize("assume_yes", [True, False])
def test_an_agent_is_refused_unless_the_users_policy_names_it(assume_yes: bool) -> None:
    asking, _ = consent(Keyboard("y\n"), assume_yes=assume_yes)
    assert pair_of(outcome_of(asking.ask, QUESTION, AGENT)) == "consent_required/agent"
    allowed, _ = consent(Keyboard("y\n"), assume_yes=assume_yes, agents=("agent-7",))
    allowed.ask(QUESTION, AGENT)


def test_what_an_extension_says_cannot_move_the_cursor_or_forge_a_line() -> None:
    asking, talk = consent(Keyboard("y\n"))
    asking.ask(Question("Install \x1b[2Jx", ("a\nDo you agree? [y/N] y", "b\u202ec")), CONTEXT)
    shown = talk.getvalue()
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert len(shown.splitlines()) == 4


def test_signals_are_handled_as_before_once_the_answer_is_there() -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    asking, _ = consent(Keyboard("y\n"))
    asking.ask(QUESTION, CONTEXT)
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_the_deed_stands_out_where_there_are_colours() -> None:
    talk = io.StringIO()
    terminal = Terminal(columns=80, colour=True)
    asking = TerminalConsent(talk=talk, terminal=terminal, keyboard=None, assume_yes=True)
    asking.ask(QUESTION, CONTEXT)
    assert talk.getvalue().startswith("\x1b[1mInstall quotes 1.0.0\x1b[0m\n")
