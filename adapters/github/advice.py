"""What a person can do about a failure of GitHub, in GitHub's own terms."""

from loopx.domain.errors import LoopXError
from loopx.domain.http.credentials import is_github_cloud
from loopx.domain.repositories import Repository

_UNSEEN = frozenset({("provider_http_error", "not_found"), ("provider_graphql_error", "not_found")})
_REFUSED = frozenset({("provider_http_error", "forbidden"), ("provider_graphql_error", "forbidden")})


def advise(error: LoopXError, repository: Repository) -> LoopXError:
    """The same error, with a hint that names the repository and the variables to set."""
    pair = (error.code, error.reason)
    token = _token_advice(repository)
    if pair == ("provider_http_error", "unauthorized"):
        return error.with_hint(f"{token} GitHub answers no GraphQL query without a valid one.")
    if pair in _UNSEEN:
        return error.with_hint(
            f"Check the spelling of {repository.full_name}; if it is private, the token must be one "
            f"that may read it. {token}"
        )
    if pair in _REFUSED:
        return error.with_hint(
            f"The token may not read this of {repository.full_name}: give it read access to pull requests, "
            "checks, commit statuses and contents."
        )
    return error


def _token_advice(repository: Repository) -> str:
    if is_github_cloud(repository.host):
        return "Set GH_TOKEN to a token for github.com."
    return f"Set GH_HOST={repository.host} and GH_ENTERPRISE_TOKEN to a token of that host."
