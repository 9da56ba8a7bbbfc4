"""Whatever secret goes into a call, none of its forms is in a row."""

import asyncio
from dataclasses import replace
from urllib.parse import quote

from hypothesis import given
from hypothesis import strategies as st

from fakes.audited import PlayedWire, audited
from fakes.secrets import TOKENS
from loopx.adapters.memory.audit import MemoryAuditLog
from loopx.domain.context import CallContext, TraceContext
from loopx.domain.http.credentials import Credential
from loopx.domain.http.message import Headers, HttpRequest
from loopx.domain.redaction import encodings
from loopx.domain.secrets import Secret

CONTEXT = CallContext(trace=TraceContext("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"))
VISIBLE = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=8, max_size=40)
SECRETS = VISIBLE | st.sampled_from(TOKENS)
# A form that is a word of the row itself gives nothing away.
PLAIN = "https://api.example/v1/do POST api.example agent-7 loopx.audit_row"


@given(SECRETS, st.sampled_from(["credential", "header", "query", "process"]), st.data())
def test_no_row_holds_a_secret_of_its_call(secret: str, source: str, data: st.DataObject) -> None:
    forms = [form for form in encodings(secret) if form not in PLAIN]
    quoted = quote(secret, safe="")
    places = [
        "https://api.example/v1/{}",
        "https://api.example/v1/do?{}",
        "https://api.example/v1/do?page={}#{}",
    ]
    url = data.draw(st.sampled_from(places)).replace("{}", quoted)
    request = HttpRequest(method="POST", url=url)
    secrets: tuple[Secret, ...] = ()
    match source:
        case "credential":
            request = replace(request, credential=Credential(Secret(secret), "test"))
        case "header":
            request = replace(request, headers=Headers((("X-Api-Key", secret),)))
        case "query":
            request = replace(request, url=f"https://api.example/v1/do?access_token={quoted}")
        case _:
            secrets = (Secret(secret),)
    log = MemoryAuditLog()
    asyncio.run(audited(PlayedWire(), log, secrets=secrets).send(request, CONTEXT))
    # Not identifiers and times, which are drawn by chance and may be anything.
    subjects = [row.entry.subject for row in log.rows]
    said = " ".join(
        f"{each.method} {each.host} {each.url} {each.agent_id} {each.turn_id}" for each in subjects
    )
    assert [form for form in forms if form in said] == []
