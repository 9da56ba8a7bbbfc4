"""Who is let in: the decision itself, question by question."""

from collections.abc import Mapping
from typing import Any

import pytest

from fakes.access import CHANGE, DATA, HOST, LISTED, OPEN, POLICY, access, change
from loopx.domain.access import CHECKS, decide
from loopx.domain.access_request import AccessPolicy, Allow, Options, Refuse, Resource


def refusal(request: Any, resource: Resource | None = DATA, policy: AccessPolicy = POLICY) -> Refuse:
    verdict = decide(request, resource, policy)
    assert isinstance(verdict, Refuse), verdict
    return verdict


def test_the_questions_are_asked_in_the_documented_order() -> None:
    names = [name for name, _ in CHECKS]
    assert names == [
        "target", "host", "origin", "fetch_site", "preflight", "path", "method", "token", "content_type",
        "marker",
    ]  # fmt: skip


def test_a_program_with_the_token_is_let_in_and_no_page_may_read_the_answer() -> None:
    assert decide(access(), DATA, POLICY) == Allow(())


@pytest.mark.parametrize(
    ("changes", "check", "status"),
    [
        ({"target": "http://evil.test/status"}, "target", 400),
        ({"target": "*"}, "target", 400),
        ({"hosts": ()}, "host", 400),
        ({"hosts": (HOST, HOST)}, "host", 400),
        ({"hosts": ("evil.test",)}, "host", 421),
        ({"origins": ("null",)}, "origin", 403),
        ({"origins": (LISTED, LISTED)}, "origin", 403),
        ({"origins": ("https://evil.test",)}, "origin", 403),
        ({"fetch_sites": ("cross-site",)}, "fetch_site", 403),
        ({"fetch_sites": ("same-site",)}, "fetch_site", 403),
        ({"fetch_modes": ("no-cors",)}, "fetch_site", 403),
        ({"method": "POST"}, "method", 405),
        ({"method": "get"}, "method", 405),
        ({"authorized": None}, "token", 401),
        ({"authorized": False}, "token", 401),
    ],
)
def test_one_wrong_thing_is_enough(changes: Mapping[str, Any], check: str, status: int) -> None:
    verdict = refusal(access(**changes))
    assert (verdict.check, verdict.status) == (check, status)


@pytest.mark.parametrize(
    ("changes", "check", "status"),
    [
        ({"authorized": None}, "token", 401),
        ({"content_types": ("text/plain",)}, "content_type", 415),
        ({"content_types": ("application/json; charset=utf-16",)}, "content_type", 415),
        ({"content_types": ("application/json", "application/json")}, "content_type", 415),
        ({"content_types": ()}, "content_type", 415),
        ({"markers": ()}, "marker", 400),
        ({"markers": ("0",)}, "marker", 400),
    ],
)
def test_a_change_must_be_one_that_no_page_can_send_unasked(
    changes: Mapping[str, Any], check: str, status: int
) -> None:
    verdict = refusal(change(**changes), CHANGE)
    assert (verdict.check, verdict.status) == (check, status)


@pytest.mark.parametrize("content_type", ["application/json", "Application/JSON;charset=UTF-8"])
def test_a_marked_change_in_json_with_the_token_is_let_in(content_type: str) -> None:
    assert decide(change(content_types=(content_type,)), CHANGE, POLICY) == Allow(())


def test_a_deletion_without_a_body_needs_no_content_type() -> None:
    request = access(method="DELETE", markers=("1",))
    assert decide(request, Resource(is_open=False, methods=frozenset({"DELETE"})), POLICY) == Allow(())


def test_an_open_path_needs_no_token_and_still_the_right_host() -> None:
    assert decide(access(authorized=None), OPEN, POLICY) == Allow(())
    assert refusal(access(authorized=None, hosts=("evil.test:8765",)), OPEN).check == "host"


def test_a_listed_page_may_read_the_answer_and_its_refusal() -> None:
    page = {"origins": (LISTED,), "fetch_sites": ("cross-site",), "fetch_modes": ("cors",)}
    verdict = decide(access(**page), DATA, POLICY)
    assert isinstance(verdict, Allow)
    assert ("Access-Control-Allow-Origin", LISTED) in verdict.headers
    refused = refusal(access(**page, authorized=None))
    assert ("Access-Control-Allow-Origin", LISTED) in refused.headers


def test_a_listed_page_must_ask_in_a_mode_in_which_it_may_read() -> None:
    page = {"origins": (LISTED,), "fetch_sites": ("cross-site",), "fetch_modes": ("no-cors",)}
    assert refusal(access(**page)).check == "fetch_site"


def test_a_page_of_this_server_is_its_own() -> None:
    request = change(origins=(f"http://{HOST}",), fetch_sites=("same-origin",))
    assert decide(request, CHANGE, POLICY) == Allow(())


def test_behind_a_socket_any_host_will_do_and_no_page_is_its_own() -> None:
    policy = AccessPolicy(hosts=frozenset(), any_host=True)
    assert decide(access(hosts=("anything",)), DATA, policy) == Allow(())
    assert (
        refusal(access(hosts=("evil.test",), origins=("http://evil.test",)), policy=policy).check == "origin"
    )


class TestPreflight:
    """What a browser asks before it sends the request itself."""

    ASKED: Mapping[str, Any] = {
        "method": "OPTIONS",
        "origins": (LISTED,),
        "fetch_sites": ("cross-site",),
        "fetch_modes": ("cors",),
        "wanted_methods": ("POST",),
        "wanted_headers": ("authorization,content-type,x-loopx",),
        "authorized": None,
    }

    def test_is_answered_for_a_listed_page_without_a_token(self) -> None:
        verdict = decide(access(**self.ASKED), CHANGE, POLICY)
        assert isinstance(verdict, Options)
        given = dict(verdict.headers)
        assert given["Access-Control-Allow-Origin"] == LISTED
        assert given["Access-Control-Allow-Methods"] == "OPTIONS, POST"
        assert "x-loopx" in given["Access-Control-Allow-Headers"].split(", ")
        assert given["Access-Control-Max-Age"] == "600"

    @pytest.mark.parametrize(
        ("changes", "resource"),
        [
            ({"wanted_methods": ("DELETE",)}, CHANGE),
            ({"wanted_methods": ("POST", "POST")}, CHANGE),
            ({"wanted_headers": ("x-anything",)}, CHANGE),
            ({}, None),
            ({"origins": ("https://evil.test",)}, CHANGE),
        ],
    )
    def test_is_denied_without_any_word_that_shares(
        self, changes: Mapping[str, Any], resource: Resource | None
    ) -> None:
        verdict = refusal(access(**{**self.ASKED, **changes}), resource)
        assert (verdict.status, verdict.headers) == (403, ())

    def test_is_not_what_a_program_sends(self) -> None:
        verdict = decide(access(method="OPTIONS", authorized=None), CHANGE, POLICY)
        assert verdict == Options((("Allow", "OPTIONS, POST"),))


def test_a_refusal_says_what_would_be_right() -> None:
    assert ("Allow", "GET, HEAD, OPTIONS") in refusal(access(method="PUT")).headers
    assert ("WWW-Authenticate", 'Bearer realm="loopx"') in refusal(access(authorized=None)).headers


def test_a_path_that_leads_nowhere_is_not_found_but_only_for_who_was_let_in() -> None:
    assert refusal(access(), None).status == 404
    assert refusal(access(origins=("https://evil.test",)), None).status == 403
