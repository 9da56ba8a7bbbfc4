"""The one table of everything that can go wrong: exit code, HTTP status, what happened, what to do.

Codes are a public contract and never change; reasons may be added in a release.
Exit codes follow sysexits(3); HTTP statuses are those of the re-exposed problem (RFC 9457).
"""

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from loopx.domain.error_table_extensions import EXTENSION_ERRORS
from loopx.domain.error_table_registry import REGISTRY_ERRORS
from loopx.domain.error_table_server import SERVER_ERRORS
from loopx.domain.error_table_updates import UPDATE_ERRORS


class Sent(StrEnum):
    """Whether the request may have reached the other side."""

    NO = "no"
    MAYBE = "maybe"
    YES = "yes"


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """One documented failure."""

    code: str
    reason: str
    exit_code: int
    http_status: int
    retryable: bool
    sent: Sent
    what: str
    hint: str


_NO, _MAYBE, _YES = Sent
_Column = tuple[str, int, int, bool, Sent, str, str]

_RETRY_LATER = "Nothing is wrong on your side: try again later."
_CHECK_NETWORK = "Check the host name, your network and its firewall, then try again."
_REPORT = "This is a defect of LoopX: please report it with the output of the same command and --debug."
_SERVER_BROKEN = "Ask the operator of the server, or try again later."
_DAMAGED = "Fetch it again; when its checksum is right, tell its publisher."
_REPACK = "Pack it with `loopx extension pack`, or with tar --format=ustar."
_OUTSIZED = "Pack only what is needed, or ask its publisher to."

# One row a line reads as a table; wrapped rows do not.
# fmt: off
_TABLE: Final[dict[str, tuple[_Column, ...]]] = {
    "provider_http_error": (
        ("unauthorized", 77, 502, False, _YES, "the server did not accept the credential", "Check that a credential is set for this host and has not expired."),
        ("forbidden", 77, 502, False, _YES, "the server refused access", "Check what the credential may read on this host."),
        ("not_found", 69, 502, False, _YES, "the server knows no such resource, or hides it", "Check the name, and that the credential may see it."),
        ("conflict", 69, 502, False, _YES, "the request conflicts with the state on the server", "Read the current state and decide again."),
        ("gone", 69, 502, False, _YES, "the resource was removed for good", "Remove the reference to it."),
        ("unavailable_for_legal_reasons", 69, 502, False, _YES, "the server may not show this resource for legal reasons", "It cannot be read from this provider."),
        ("unprocessable", 69, 502, False, _YES, "the server understood the request and refused its content", "Correct the parameters named in the excerpt."),
        ("client_error", 69, 502, False, _YES, "the server refused the request", "Correct the request as the excerpt says."),
        ("rate_limited", 75, 503, True, _YES, "the server's rate limit is used up", "Wait for the time in retry_after, or use a credential with a larger limit."),
        ("request_timeout", 69, 502, True, _YES, "the server gave up waiting for the request", _RETRY_LATER),
        ("too_early", 69, 502, True, _YES, "the server refused to risk a replayed request", _RETRY_LATER),
        ("server_error", 69, 502, True, _YES, "the server failed", _RETRY_LATER),
        ("redirect_not_followed", 76, 502, False, _YES, "the server answered with a redirect that is not followed", "Ask the final address directly."),
        ("unexpected_status", 76, 502, False, _YES, "the server answered with a status that means nothing here", "Check that the address is an API and not a page or a proxy."),
        ("undeclared_agent", 77, 502, False, _YES, "the server wants callers to declare who they are", "Set the contact that the connector's description asks for."),
        ("absent_object", 69, 502, False, _YES, "the store has no such object", "Check the identifier."),
    ),
    "provider_graphql_error": (
        ("forbidden", 77, 502, False, _YES, "the server refused a part of the query", "Check what the credential may read."),
        ("saml_required", 77, 502, False, _YES, "the organization wants the credential authorized for single sign-on", "Authorize the token for the organization in GitHub's token settings."),
        ("not_found", 69, 502, False, _YES, "the server knows no such resource, or hides it", "Check the name, and that the credential may see it."),
        ("rate_limited", 75, 503, True, _YES, "the server's rate limit is used up", "Wait for the time in retry_after, or use a credential with a larger limit."),
        ("resource_limits", 69, 502, True, _YES, "the query was too expensive for the server", "Ask for fewer records at once, or try again later."),
        ("server_error", 69, 502, True, _YES, "the server failed while it ran the query", _RETRY_LATER),
        ("query_rejected", 76, 502, False, _YES, "the server does not understand the query", "The server may be older than LoopX supports; see the excerpt."),
        ("withheld", 69, 502, False, _YES, "the server left entries out without saying why", "Most often the credential may not read them."),
        ("changed_meanwhile", 69, 502, True, _YES, "it changed on the server while it was read", "Read it again."),
        ("unknown", 69, 502, False, _YES, "the server answered the query with an error", "Its own words, if it gave any, are in the excerpt."),
    ),
    "provider_network_error": (
        ("dns", 69, 502, True, _NO, "the host name could not be resolved", _CHECK_NETWORK),
        ("connect_refused", 69, 502, True, _NO, "nothing accepts connections at this address", "Check host and port, and that the server is running."),
        ("connect_timeout", 75, 504, True, _NO, "the connection was not accepted in time", _CHECK_NETWORK),
        ("unreachable", 69, 502, True, _NO, "there is no route to the host", _CHECK_NETWORK),
        ("tls", 69, 502, True, _NO, "the TLS handshake failed", "Check that the port speaks TLS and which versions it allows."),
        ("tls_verify", 76, 502, False, _NO, "the server's certificate is not trusted", "Install the issuing authority in the system store, or set SSL_CERT_FILE."),
        ("proxy", 69, 502, True, _NO, "the proxy failed or refused the connection", "Check the proxy settings in the environment."),
        ("pool_timeout", 75, 503, True, _NO, "no connection became free in time", "Run fewer calls at once, or raise --timeout."),
        ("read_timeout", 75, 504, True, _MAYBE, "the server did not answer in time", "Try again, or raise --timeout."),
        ("write_timeout", 75, 504, True, _MAYBE, "the request could not be sent in time", "Try again, or raise --timeout."),
        ("reset", 69, 502, True, _MAYBE, "the connection was reset", _RETRY_LATER),
        ("disconnected", 69, 502, True, _MAYBE, "the server closed the connection without an answer", _RETRY_LATER),
        ("read", 69, 502, True, _MAYBE, "reading the answer failed", _RETRY_LATER),
        ("write", 69, 502, True, _MAYBE, "sending the request failed", _RETRY_LATER),
        ("closed", 69, 502, True, _MAYBE, "the connection broke while it was closed", _RETRY_LATER),
        ("protocol", 76, 502, True, _MAYBE, "the answer is not valid HTTP", "Check that host and port belong to an HTTP server."),
        ("truncated", 69, 502, True, _YES, "the answer ended before it was complete", _RETRY_LATER),
    ),
    "deadline_exceeded": (
        ("call", 75, 504, True, _MAYBE, "the call did not finish within its time", "Raise --timeout, or try again later."),
        ("run", 75, 504, True, _MAYBE, "the run did not finish within its time", "Raise --max-wait, or ask for less."),
    ),
    "retry_budget_exhausted": (
        ("quota", 75, 503, True, _MAYBE, "too many calls failed lately to try this one again", _RETRY_LATER),
    ),
    "provider_redirect_error": (
        ("too_many", 76, 502, False, _YES, "the server redirected too many times", _SERVER_BROKEN),
        ("loop", 76, 502, False, _YES, "the server redirects in a circle", _SERVER_BROKEN),
        ("bad_location", 76, 502, False, _YES, "the server redirected to something that is no address", _SERVER_BROKEN),
        ("downgrade", 76, 502, False, _YES, "the server redirected from https to http", _SERVER_BROKEN),
        ("cross_origin_denied", 76, 502, False, _YES, "the server wanted a request body sent on to another origin", _SERVER_BROKEN),
    ),
    "provider_response_invalid": (
        ("json", 65, 502, False, _YES, "the answer is not valid JSON", "Check that the address is an API and not a page or a proxy."),
        ("json_depth", 65, 502, False, _YES, "the answer is JSON nested too deeply", _SERVER_BROKEN),
        ("json_number", 65, 502, False, _YES, "the answer holds a number that JSON does not allow or that is too long", _SERVER_BROKEN),
        ("json_duplicate_key", 65, 502, False, _YES, "the answer names the same key twice in one object", _SERVER_BROKEN),
        ("charset", 65, 502, False, _YES, "the answer is not the text it claims to be", _SERVER_BROKEN),
        ("encoding", 65, 502, False, _YES, "the answer's compression is broken or unknown", _SERVER_BROKEN),
        ("content_type", 65, 502, False, _YES, "the answer is not of the type that was asked for", "Check that the address is an API and not a page or a proxy."),
        ("schema", 65, 502, False, _YES, "the answer does not have the documented shape", "The provider may have changed its API: the fields that do not fit are named with the error."),
    ),
    "provider_response_too_large": (
        ("wire", 65, 502, False, _YES, "the answer is larger than allowed", "Ask for less, or raise the limit of this call."),
        ("decoded", 65, 502, False, _YES, "the unpacked answer is larger than allowed", "Ask for less, or raise the limit of this call."),
        ("ratio", 65, 502, False, _YES, "the answer unpacks to suspiciously many bytes", _SERVER_BROKEN),
        ("headers", 65, 502, False, _YES, "the answer's headers are larger than allowed", _SERVER_BROKEN),
    ),
    "provider_pagination_error": (
        ("cursor_loop", 76, 502, False, _YES, "the server repeated a page cursor, so the listing would never end", _SERVER_BROKEN),
        ("missing_cursor", 76, 502, False, _YES, "the server promised another page and did not say which", _SERVER_BROKEN),
        ("no_progress", 76, 502, False, _YES, "page after page brought nothing new, so the listing would never end", _SERVER_BROKEN),
        ("link_loop", 76, 502, False, _YES, "the server's next-page links form a circle", _SERVER_BROKEN),
    ),
    "egress_blocked": (
        ("private_address", 77, 403, False, _NO, "the host is a private address", "List the host in your user-level private_hosts if it is yours."),
        ("link_local", 77, 403, False, _NO, "link-local and metadata addresses are never called", "Use the service's public name or address."),
        ("scheme", 77, 403, False, _NO, "only https is called, and http on loopback", "Use an https address."),
        ("port", 77, 403, False, _NO, "this port is not called", "Use the port of an HTTP service."),
        ("host_not_allowed", 77, 403, False, _NO, "this host may not be called from here", "Grant the host to the caller first."),
        ("redirect_target", 77, 403, False, _NO, "the server redirected to an address that is not called", _SERVER_BROKEN),
    ),
    "request_invalid": (
        ("url", 64, 400, False, _NO, "the address is not a usable URL", "Write it as https://host/path."),
        ("host", 64, 400, False, _NO, "the host name is not valid", "Write a DNS name or a plain IP address."),
        ("port", 64, 400, False, _NO, "the port is not valid", "Use a number from 1 to 65535."),
        ("method", 64, 400, False, _NO, "the HTTP method is not valid", "Use GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS."),
        ("header", 64, 400, False, _NO, "a header cannot be sent", "Use visible ASCII without line breaks, and no header that LoopX sets itself."),
        ("params", 64, 400, False, _NO, "the parameters cannot be sent", "Use text, numbers and booleans."),
        ("body_unserialisable", 64, 400, False, _NO, "the body cannot be written as JSON", "Use text, finite numbers, booleans, null, lists and objects."),
        ("timeout_value", 64, 400, False, _NO, "the timeout is not usable", "Use a number of seconds above 0."),
    ),
    "usage_error": (
        ("command_line", 2, 400, False, _NO, "the command line cannot be understood", "See `loopx --help`."),
        ("parameter", 2, 400, False, _NO, "a parameter is not usable", "See the parameters with `loopx capability describe NAME`."),
        ("repository", 2, 400, False, _NO, "this is not a repository", "Write owner/name, https://host/owner/name or git@host:owner/name.git."),
        ("reference", 2, 400, False, _NO, "this is not a pull request", "Write a number, owner/name#12 or the address of the pull request."),
        ("no_repository", 2, 400, False, _NO, "no repository was named and none can be told from here", "Name one with -R owner/name, set GH_REPO, or go to a checkout with a GitHub remote."),
        ("capability", 2, 404, False, _NO, "there is no such capability", "See them with `loopx capability list`."),
        ("packet", 2, 400, False, _NO, "the request packet cannot be read", "Write one JSON object with schema, capability and params."),
        ("origin", 2, 400, False, _NO, "this is no origin that can be allowed", "Name one page's scheme, host and port, as in https://app.example or http://localhost:3000."),
        ("allowed_host", 2, 400, False, _NO, "this is no host that can be allowed", "Write a host name or an address, with :PORT if it is asked for at another one."),
        ("open_address", 2, 400, False, _NO, "an address that other machines reach needs the names it is asked for by", "Add --allow-host NAME, or listen on 127.0.0.1."),
        ("checksum", 2, 400, False, _NO, "this is no SHA-256 checksum", "Give its 64 hexadecimal digits, as `sha256sum FILE` or `shasum -a 256 FILE` print them."),
        ("extension_name", 2, 400, False, _NO, "an extension cannot be called so", "Use lower-case words like finance-probe, at most 48 characters."),
        ("trace", 2, 400, False, _NO, "the agent, turn or trace id is not usable", "Use letters, digits and . _ : @ / + - (1 to 128 characters)."),
    ),
    "credential_error": (
        ("missing", 78, 500, False, _NO, "there is no credential for this host", "Set one for this host."),
        ("malformed", 78, 500, False, _NO, "the credential cannot be used as it is written", "Remove line breaks, blanks and non-ASCII characters from it."),
        ("too_short", 78, 500, False, _NO, "the credential is too short to be kept secret", "Use a credential of 8 characters or more."),
        ("exposed", 78, 500, False, _NO, "others can read or change the file with the credential", "Make it yours alone: chmod 600 FILE, in a folder that only you can change."),
        ("expired", 78, 500, False, _NO, "the credential has expired", "Renew it."),
    ),
    "config_invalid": (
        ("value", 78, 500, False, _NO, "a setting has a value that cannot be used", "Correct the setting."),
        ("ca_file", 78, 500, False, _NO, "the certificate file cannot be read", "Point SSL_CERT_FILE at a readable PEM file."),
        ("proxy_url", 78, 500, False, _NO, "the proxy address is not usable", "Write it as http://host:port."),
        ("proxy_scheme", 78, 500, False, _NO, "this kind of proxy is not supported", "Use an http or https proxy."),
        ("no_proxy", 78, 500, False, _NO, "NO_PROXY cannot be read", "Use host names, addresses and networks, separated by commas."),
    ),
    "state_error": (
        ("corrupt", 65, 500, False, _NO, "a file of LoopX's state does not parse", "Nothing was changed: repair or move away the named file."),
        ("locked", 75, 503, True, _NO, "another process holds the state", "Wait for it to finish, then try again."),
        ("unreadable", 66, 500, False, _NO, "a file cannot be read", "Check permissions and the named path."),
        ("unwritable", 73, 500, False, _NO, "a file cannot be written", "Check permissions and free space at the named place."),
        ("newer_version", 78, 500, False, _NO, "the state was written by a newer LoopX", "Update LoopX, or use another state home."),
    ),
    "audit_error": (
        ("unwritable", 73, 500, False, _NO, "the audit log cannot be written, so nothing is called", "Check the state home, or accept LOOPX_AUDIT=memory for this run."),
        ("outcome_unwritten", 73, 500, False, _YES, "the call was made, and its outcome cannot be written to the audit log", "Make room or access at the named place; `loopx audit show ID` shows what was sent."),
        ("chain_broken", 65, 500, False, _NO, "the audit log was changed after it was written", "Keep a copy and find out who changed it."),
        ("head_pruned", 65, 500, False, _NO, "the rows that this head vouches for were pruned", "Keep the head that `loopx audit head` prints now."),
    ),
    "integrity_error": (
        ("checksum", 65, 502, False, _YES, "the bytes are not the ones that were promised", "Do not use them: compare the checksum with its publisher."),
        ("size", 65, 502, False, _YES, "the size is not the one that was promised", "Do not use the file: fetch it again."),
        ("republished", 65, 502, False, _YES, "other bytes came under a version that was seen before", "Do not use them: ask the publisher. If the change is meant, `loopx registry remove NAME --forget`, then add it anew."),
        ("stored", 65, 500, False, _NO, "stored files are not the ones that were approved", "Fetch them again: `loopx registry install NAME`."),
    ),
    "archive_error": (
        ("format", 65, 502, False, _NO, "this is not a gzip-compressed tar archive", "Check that the address serves the .tar.gz itself, and no page about it."),
        ("empty", 65, 502, False, _NO, "the archive holds nothing", "Fetch it again, or ask its publisher."),
        ("truncated", 65, 502, False, _NO, "the archive ends before it is complete", _DAMAGED),
        ("corrupt", 65, 502, False, _NO, "the archive is damaged", _DAMAGED),
        ("trailing_data", 65, 502, False, _NO, "something follows the end of the archive", _DAMAGED),
        ("header", 65, 502, False, _NO, "the archive is not written in plain POSIX tar", _REPACK),
        ("metadata_too_large", 65, 502, False, _NO, "the archive describes its members at too great length", _REPACK),
        ("member_type", 65, 502, False, _NO, "the archive holds something that is neither file nor directory", "Replace links by what they point to, then pack again."),
        ("path_escape", 65, 502, False, _NO, "the archive names a place outside itself", "Do not use it: tell its publisher."),
        ("name", 65, 502, False, _NO, "the archive holds a name that cannot be used on every system", "Rename the file, then pack again."),
        ("collision", 65, 502, False, _NO, "two names in the archive mean the same place", "Rename one of them, then pack again."),
        ("layout", 65, 502, False, _NO, "the archive is not one directory with everything inside", _REPACK),
        ("depth", 65, 502, False, _NO, "the archive's directories are nested too deeply", "Use fewer levels, then pack again."),
        ("too_many_members", 65, 502, False, _NO, "the archive holds too many files and directories", _OUTSIZED),
        ("too_large", 65, 502, False, _NO, "the archive is larger than allowed", _OUTSIZED),
        ("ratio", 65, 502, False, _NO, "the archive unpacks to suspiciously many bytes", "Do not use it: tell its publisher."),
        ("changed", 75, 503, True, _NO, "the files changed while they were read", "Try again when nothing else writes there."),
    ),
    "consent_required": (
        ("agent", 77, 403, False, _NO, "an agent may not widen trust", "Ask the person to run the same command without an agent id."),
        ("unattended", 77, 403, False, _NO, "nobody is there to be asked", "Run it on a terminal, or pass --yes when a person has decided."),
        ("declined", 77, 403, False, _NO, "the person said no", "Nothing was changed."),
    ),
    "output_error": (
        ("unwritable", 74, 500, False, _NO, "the output cannot be written", "Check the free space and the target of the output."),
    ),
    "cancelled": (
        ("caller", 130, 503, False, _MAYBE, "the caller stopped the call", "Start it again when you want its result."),
        ("signal", 143, 503, False, _MAYBE, "a signal stopped the program", "Start it again when you want its result."),
    ),
    "transport_misuse": (
        ("stream", 70, 500, False, _NO, "a response was read in a way that is not possible", _REPORT),
        ("closed", 70, 500, False, _NO, "the transport was used after it was closed", _REPORT),
        ("mode", 70, 500, False, _NO, "blocking and asynchronous parts were mixed", _REPORT),
    ),
    "internal_error": (
        ("unclassified", 70, 500, False, _MAYBE, "something failed that LoopX has no name for", _REPORT),
        ("defect", 1, 500, False, _MAYBE, "LoopX itself failed", _REPORT),
    ),
}
# fmt: on

_SERVER_TABLE: Final[dict[str, tuple[_Column, ...]]] = {
    # The status server refuses before it does anything.
    code: tuple((*row[:4], _NO, *row[4:]) for row in rows)
    for code, rows in SERVER_ERRORS.items()
}

_EXTENSION_TABLE: Final[dict[str, tuple[_Column, ...]]] = {
    code: tuple((*row[:4], Sent(row[4]), *row[5:]) for row in rows)
    for code, rows in (EXTENSION_ERRORS | REGISTRY_ERRORS | UPDATE_ERRORS).items()
}

ERROR_TABLE: Final = MappingProxyType(
    {
        (code, column[0]): ErrorRow(code, *column)
        for code, columns in (_TABLE | _SERVER_TABLE | _EXTENSION_TABLE).items()
        for column in columns
    }
)
