"""The part of the error table that only the status server gives: nothing was called yet, so nothing was sent."""

from typing import Final

_Row = tuple[str, int, int, bool, str, str]
"""Reason, exit code, HTTP status, whether to retry, what happened, what to do."""

_RETRY_LATER: Final = "Nothing is wrong on your side: try again later."

# fmt: off
SERVER_ERRORS: Final[dict[str, tuple[_Row, ...]]] = {
    "listen_error": (
        ("address_in_use", 69, 503, False, "another program listens at this address", "Stop it, or choose another --port (0 takes a free one)."),
        ("address_unusable", 69, 500, False, "this machine cannot listen at this address", "Use an address of this machine, and a port from 1024 on."),
        ("socket_path", 73, 500, False, "the socket cannot be made here", "Name a path in a folder that only you can change, where no other file is."),
    ),
    "bad_request": (
        ("syntax", 64, 400, False, "the request is not valid HTTP", "Send HTTP/1.1 as RFC 9112 has it."),
        ("framing", 64, 400, False, "where the request ends can be read in two ways", "Send one Content-Length or one Transfer-Encoding: chunked, and CRLF line ends."),
        ("target", 64, 400, False, "the request names another server than it was sent to", "Ask for a path, as in GET /status."),
        ("host", 64, 400, False, "the request must have exactly one Host, written as host:port", "Send one Host header."),
        ("marker", 64, 400, False, "a request that changes something must be marked", "Send the header X-LoopX: 1."),
        ("query", 64, 400, False, "a parameter of the address is not usable", "See /openapi.json."),
        ("header", 64, 400, False, "a header is not usable", "See /openapi.json."),
        ("body", 64, 400, False, "the body of the request cannot be read", "Send one JSON object as /openapi.json describes it."),
    ),
    "unauthorized": (
        ("missing", 77, 401, False, "the token is missing", "Send it in the Authorization header, behind the word Bearer; the server says at its start which file holds it."),
        ("wrong", 77, 401, False, "this is not the token of this server", "Read the token file of this very server again."),
    ),
    "origin_forbidden": (
        ("unusable", 77, 403, False, "the request names no single origin", "Ask from a page with an origin of its own, or from a program."),
        ("not_listed", 77, 403, False, "pages of this origin are not let in", "Start the server with --allow-origin ORIGIN if the page is yours."),
        ("cross_site", 77, 403, False, "pages of another site are not let in", "Start the server with --allow-origin ORIGIN if the page is yours, and fetch in mode cors."),
        ("preflight", 77, 403, False, "a page may not send this method or header here", "See /openapi.json for what may be sent."),
    ),
    "host_forbidden": (
        ("not_listed", 77, 421, False, "this server does not answer to that host", "Ask for the address it listens on, or start it with --allow-host HOST."),
    ),
    "not_found": (
        ("path", 64, 404, False, "there is nothing at this path", "See /openapi.json."),
        ("lines", 64, 404, False, "the run has not said as many lines yet", "Continue after the last line that you have."),
        ("run", 64, 404, False, "there is no such run, or it is forgotten by now", "Start it again: POST /v1/capabilities/NAME/runs."),
    ),
    "gone": (
        ("lines", 64, 410, False, "the first of the wanted lines are no longer kept", "Continue after a later line, or start the run again."),
    ),
    "method_not_allowed": (
        ("method", 64, 405, False, "this path does not take this method", "Use one of those in the Allow header."),
    ),
    "unsupported_media_type": (
        ("content_type", 64, 415, False, "the body must be JSON", "Send Content-Type: application/json."),
    ),
    "payload_too_large": (
        ("body", 64, 413, False, "the body of the request is too large", "Ask for less at once."),
    ),
    "headers_too_large": (
        ("request_line", 64, 414, False, "the first line of the request is too long", "Shorten the address."),
        ("headers", 64, 431, False, "the request has too many or too long headers", "Send fewer of them."),
    ),
    "request_timeout": (
        ("headers", 75, 408, True, "the headers did not arrive in time", "Send the request in one go."),
        ("body", 75, 408, True, "the body did not arrive in time", "Send the request in one go."),
    ),
    "too_many_connections": (
        ("requests", 75, 503, True, "too many requests are served at once", _RETRY_LATER),
    ),
    "too_many_runs": (
        ("running", 75, 503, True, "too many runs are under way at once", "Wait for one to end, or cancel one: DELETE /v1/runs/ID."),
        ("readers", 75, 503, True, "too many runs are read at once", "Read fewer of them at once."),
    ),
    "not_ready": (
        ("stopping", 75, 503, True, "the server is about to stop", "Ask again when it was started anew."),
    ),
}
# fmt: on
