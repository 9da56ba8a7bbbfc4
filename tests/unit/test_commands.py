"""The commands over fakes: what they ask for, what they show, how they end."""

from typing import Any

import pytest

from fakes.pull_requests import NOON, REPOSITORY, pull_request
from fakes.session import Stage
from loopx.adapters.memory.checkout import MemoryCheckout
from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.memory.pull_requests import MemoryPullRequests
from loopx.domain.errors import LoopXError
from loopx.domain.pull_requests.record import State
from loopx.domain.remotes import Remote
from loopx.domain.repositories import PullRequestReference, Repository
from loopx.entrypoints.cli.capability_list import describe_capability, list_capabilities
from loopx.entrypoints.cli.capability_run import run_capability
from loopx.entrypoints.cli.demo_run import show_demo
from loopx.entrypoints.cli.pr_explain import explain_pull_request
from loopx.entrypoints.cli.pr_list import ListOptions, list_pull_requests
from loopx.entrypoints.cli.pr_show import ReferenceOptions, show_pull_request
from loopx.entrypoints.cli.session import Session

HERE = MemoryCheckout(Remote("origin", "git@github.com:octo/harbour.git"))


def stage(*numbers: int, **parts: Any) -> Stage:
    held = [pull_request(number) for number in numbers or (7,)]
    clock = MemoryClock(NOON.timestamp() + 86_400)
    return Stage(**{"source": MemoryPullRequests(held), "clock": clock, **parts})


def listed(*repositories: str, **parameters: object) -> Any:
    options = ListOptions(repositories, parameters)
    return lambda session: list_pull_requests(options, session)


def shown(reference: str, repository: str | None = None) -> Any:
    return lambda session: show_pull_request(ReferenceOptions(reference, repository), session)


def usage(stage: Stage, deed: Any, **choices: Any) -> tuple[str, str]:
    with pytest.raises(LoopXError) as caught:
        stage.run(deed, **choices)
    assert caught.value.code == "usage_error"
    assert stage.source.requests == []
    return caught.value.reason, caught.value.what


def test_the_queue_of_the_checkout_is_listed() -> None:
    here = stage(7, 8, checkout=HERE)
    assert here.run(listed()) == 0
    assert here.shown.startswith("octo/harbour · 2 pull requests\n")


def test_the_named_repository_comes_before_the_environment_and_that_before_the_checkout() -> None:
    other = Repository("github.com", "octo", "lock")
    reference = PullRequestReference(other, 3)
    source = MemoryPullRequests([pull_request(7), pull_request(3, reference=reference)])
    environment = {"GH_REPO": "octo/lock"}
    by_environment = stage(source=source, checkout=HERE, environment=environment)
    by_environment.run(listed(), "ndjson")
    assert by_environment.lines[0]["repository"] == "octo/lock"
    by_name = stage(source=source, checkout=HERE, environment=environment)
    by_name.run(listed("octo/harbour"), "ndjson")
    assert by_name.lines[0]["repository"] == "octo/harbour"


def test_a_bare_name_is_of_the_host_in_gh_host() -> None:
    enterprise = Repository("ghes.example", "octo", "harbour")
    held = pull_request(7, reference=PullRequestReference(enterprise, 7))
    source = MemoryPullRequests([held])
    here = stage(source=source, environment={"GH_HOST": "GHES.example"})
    assert here.run(listed("octo/harbour"), "ndjson") == 0
    assert here.lines[0]["host"] == "ghes.example"


def test_the_remote_on_gh_host_counts_before_others() -> None:
    remotes = MemoryCheckout(
        Remote("upstream", "https://github.com/octo/harbour"), Remote("origin", "https://ghes.example/o/r")
    )
    source = MemoryPullRequests(repositories=[Repository("ghes.example", "o", "r")])
    here = stage(source=source, checkout=remotes, environment={"GH_HOST": "ghes.example"})
    assert here.run(listed()) == 0
    assert here.source.requests[0][0] == "ghes.example/o/r"


def test_without_any_repository_the_error_says_how_to_name_one() -> None:
    assert usage(stage(), listed())[0] == "no_repository"


def test_parameters_are_checked_before_anything_is_asked() -> None:
    assert usage(stage(), listed("octo/harbour", limit="0")) == (
        "parameter",
        "a parameter is not usable: limit must be 1 or more",
    )
    assert "filter must be one of open" in usage(stage(), listed("octo/harbour", filter="x"))[1]
    assert "there is no field 'titel'" in usage(stage(), listed("octo/harbour"), fields="titel")[1]


def test_several_repositories_filter_limit_and_sort_are_passed_on() -> None:
    held = [pull_request(number, state=State.MERGED) for number in (1, 2, 3)] + [pull_request(4)]
    here = stage(source=MemoryPullRequests(held))
    deed = listed(
        "octo/harbour", "https://github.com/octo/harbour", filter="merged", limit="2", sort="number"
    )
    assert here.run(deed, "csv", fields="number") == 0
    assert here.shown.split() == ["number", "2", "3"]
    assert "stopped at the limit" in here.said


def test_a_run_without_records_is_done_and_said_kindly() -> None:
    here = stage(source=MemoryPullRequests(repositories=[REPOSITORY]))
    assert here.run(listed("octo/harbour")) == 0
    assert here.shown.startswith("No pull requests found.\n")


def test_a_partial_run_ends_with_3_and_a_failed_one_with_its_error() -> None:
    partly = stage(7)
    assert partly.run(listed("octo/harbour", "octo/gone"), "ndjson") == 3
    failed = stage(7)
    with pytest.raises(LoopXError) as caught:
        failed.run(listed("octo/gone"), "ndjson")
    assert caught.value.reason == "not_found"
    assert [line["type"] for line in failed.lines] == ["error", "summary"]


@pytest.mark.parametrize("reference", ["7", "#7", "octo/harbour#7", "https://github.com/octo/harbour/pull/7"])
def test_a_pull_request_is_shown_however_it_is_named(reference: str) -> None:
    here = stage(7, checkout=HERE)
    assert here.run(shown(reference)) == 0
    assert here.shown.startswith("#7  Log every gate opening\n")


def test_a_bare_number_may_come_with_its_repository() -> None:
    here = stage(7)
    assert here.run(shown("7", "octo/harbour")) == 0
    assert usage(stage(7), shown("7"))[0] == "no_repository"
    assert usage(stage(7), shown("seven"))[0] == "reference"


@pytest.mark.parametrize("output", ["json", "ndjson", "csv", "markdown"])
def test_a_pull_request_is_shown_in_every_form(output: str) -> None:
    here = stage(7)
    assert here.run(shown("octo/harbour#7"), output) == 0
    assert "Log every gate opening" in here.shown


def test_one_pull_request_is_an_envelope_with_one_record() -> None:
    here = stage(7)
    here.run(shown("octo/harbour#7"), "json", fields="number")
    assert here.document["records"] == [{"number": 7}]
    assert here.document["summary"]["requests"] == 1


def test_fields_turn_a_page_into_a_table() -> None:
    here = stage(7)
    here.run(shown("octo/harbour#7"), fields="number,title")
    assert "number  title" in here.shown


@pytest.mark.parametrize("output", ["table", "json", "ndjson", "csv", "markdown"])
def test_an_explanation_comes_in_every_form(output: str) -> None:
    here = stage(7)
    options = ReferenceOptions("octo/harbour#7", None)
    assert here.run(lambda session: explain_pull_request(options, session), output) == 0
    assert "maintainer" in here.shown


def test_an_explanation_as_json_has_the_rules_and_the_verdict() -> None:
    here = stage(7)
    options = ReferenceOptions("octo/harbour#7", None)
    here.run(lambda session: explain_pull_request(options, session), "json")
    (record,) = here.document["records"]
    assert here.document["schema"] == "loopx.explanation/1"
    assert record["rules"][-1]["question"] == "Is it ready to merge?"
    assert record["attention"]["whose_turn"] == "maintainer"


def test_who_calls_is_carried_along() -> None:
    trace = f"00-{'a' * 32}-{'b' * 16}-01"
    here = stage(7, environment={"TRACEPARENT": trace})
    here.run(listed("octo/harbour"), agent_id="agent-7", turn_id="t1", timeout=5.0, max_wait=60.0)
    ((_, context),) = here.source.requests
    assert (context.agent_id, context.turn_id, context.trace.trace_id) == ("agent-7", "t1", "a" * 32)
    assert (context.timeout, context.deadline, context.capability) == (5.0, 60.0, "pr_review")


@pytest.mark.parametrize("parent", ["", "junk", f"00-{'0' * 32}-{'b' * 16}-01"])
def test_without_a_trace_a_new_one_begins(parent: str) -> None:
    here = stage(7, environment={"TRACEPARENT": parent})
    here.run(listed("octo/harbour"))
    ((_, context),) = here.source.requests
    assert context.trace.trace_id == f"{1:032x}"


def test_an_unusable_agent_id_is_a_usage_error() -> None:
    assert usage(stage(7), listed("octo/harbour"), agent_id="a b")[0] == "trace"


def test_an_unknown_capability_is_told_with_the_known_ones() -> None:
    assert "pr_review" in usage(stage(), lambda session: run_capability("nope", {}, session))[1]


@pytest.mark.parametrize("output", ["table", "json", "ndjson", "csv", "markdown"])
def test_capabilities_are_listed_and_described_in_every_form(output: str) -> None:
    for deed, words in ((list_capabilities, "Scan pull requests"), (_describe, "repo")):
        here = stage()
        assert here.run(deed, output) == 0
        assert words in here.shown
        assert here.source.requests == []


async def _describe(session: Session) -> int:
    return await describe_capability("pr_review", session)


def test_a_description_as_json_has_the_schemas_of_what_it_takes_and_gives() -> None:
    here = stage()
    here.run(_describe, "json")
    assert here.document["schema"] == "loopx.capability/1"
    assert here.document["parameters"]["required"] == ["repo"]
    assert here.document["record"]["title"] == "loopx.pull_request/1"


def test_the_demo_shows_the_sample_and_says_what_comes_next() -> None:
    here = stage()
    # The source stays the real one: the demo is about the whole way.
    session = here.session()
    session.container.pull_request_source.reset_override()

    async def deed(_: Session) -> int:
        return await show_demo(session)

    assert here.run(deed) == 0
    assert here.shown.startswith("loopx-demo/harbour · ")
    assert "loopx pr list -R owner/name" in here.said


def test_quiet_silences_talk_and_verbose_adds_to_it() -> None:
    quiet = stage(7, checkout=HERE)
    quiet.run(listed(), quiet=True, verbose=True)
    assert quiet.said == ""
    verbose = stage(7, checkout=HERE)
    verbose.run(listed(), verbose=True)
    assert "repository from the git remotes: github.com/octo/harbour" in verbose.said
    assert "trace " in verbose.said
