"""Run with pytest in this folder: a unit is a generator, so no network and no process is needed."""

import json

from finance_probe.units import company, filings

from loopx.extension import Note, Record, Request, Response


def page(*accessions: str, following: str | None = None) -> Response:
    count = len(accessions)
    payload = {
        "company": {"id": "7", "name": "Acme Corp", "tickers": ["ACME"]},
        "filings": {
            "accession": list(accessions),
            "form": ["10-K", "8-K"][:count],
            "filed_on": ["2026-02-03"] * count,
            "accepted_at": [""] * count,
            "document": ["main.htm"] * count,
            "items": ["1.01,9.01"] * count,
        },
        "next": following,
    }
    return Response(body=json.dumps(payload).encode())


def test_pages_are_read_until_there_are_no_more() -> None:
    steps = filings(company="A/B", form=None, limit=10, host="h", signed_in=False)
    first = next(steps)
    assert isinstance(first, Request)
    assert first.url == "https://h/v1/companies/A%2FB/filings"
    record = steps.send(page("1", following="c2"))
    assert isinstance(record, Record)
    assert record.data["document_url"] == "https://h/documents/1/main.htm"
    assert record.data["items"] == ["1.01", "9.01"]
    second = next(steps)
    assert isinstance(second, Request)
    assert second.url.endswith("?cursor=c2")
    assert isinstance(steps.send(page("2")), Record)
    assert list(steps) == []


def test_only_the_wanted_forms_are_given() -> None:
    steps = filings(company="ACME", form=["8-K"], limit=1, host="h", signed_in=True)
    request = next(steps)
    assert isinstance(request, Request)
    assert request.credential == "filings"
    record = steps.send(page("1", "2", following="never asked for"))
    assert isinstance(record, Record)
    assert record.data["accession"] == "2"
    assert list(steps) == []


def test_an_unknown_company_is_no_failure() -> None:
    steps = company(company="NONE", host="h")
    next(steps)
    assert steps.send(Response(404)) == Note("h knows no company NONE")
    assert list(steps) == []
