"""The units that extension.toml promises."""

from urllib.parse import quote

from loopx.extension import Note, Record, Request, Steps

from .payload import record, rows

MOST_PAGES = 50


def filings(company: str, form: list[str] | None, limit: int, host: str, signed_in: bool) -> Steps:
    """Page after page, until there is no next one or enough was found."""
    base, cursor, found = f"https://{host}", None, 0
    for _ in range(MOST_PAGES):
        response = yield Request(
            "GET",
            f"{base}/v1/companies/{quote(company, safe='')}/filings",
            params={"cursor": cursor},
            headers={"Accept": "application/json"},
            credential="filings" if signed_in else None,
        )
        payload = response.json()
        for row in rows(payload):
            if form and row["form"] not in form:
                continue
            yield Record(record(row, payload["company"]["name"], base))
            found += 1
            if found == limit:
                return
        cursor = payload["next"]
        if cursor is None:
            return
    yield Note(f"there are more than {MOST_PAGES} pages; the rest was not read")


def company(company: str, host: str) -> Steps:
    """One record, or none for a company that the host does not know."""
    url = f"https://{host}/v1/companies/{quote(company, safe='')}"
    response = yield Request("GET", url, accept_status=[404])
    if response.status == 404:
        yield Note(f"{host} knows no company {company}")
        return
    known = response.json()["company"]
    yield Record({"id": known["id"], "name": known["name"], "tickers": known["tickers"]})


UNITS = {"finance_probe.filings": filings, "finance_probe.company": company}
