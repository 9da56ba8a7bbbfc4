"""The GraphQL documents sent to GitHub; tests check each against the schema that GitHub publishes.

Every field exists on GitHub Enterprise Server 3.12 and later. That is why the checks are read from the head
commit (`PullRequest.statusCheckRollup` is younger), and why ACCEPT must be sent: there `mergeStateStatus`
hides behind a preview media type, which newer servers ignore.

Cost by GitHub's formula, (requests for connections, all limits reached) / 100: a page of 25 pull requests
asks for 1 + 25 * (labels, reviews, review requests, threads, commits, timeline) + 25 * contexts = 176
connections, 2 points, and for at most 12,575 of 500,000 nodes. One inner page costs 1 point.

Source: https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
"""

from typing import Final

ACCEPT: Final = "application/vnd.github.merge-info-preview+json, application/json"

_PAGE: Final = """
fragment PageFields on PageInfo { hasNextPage endCursor }
"""

_RATE: Final = """
fragment RateFields on RateLimit { cost limit remaining used resetAt nodeCount }
"""

_LABEL: Final = """
fragment LabelFields on Label { name }
"""

_REVIEW: Final = """
fragment ReviewFields on PullRequestReview {
  id
  state
  submittedAt
  author { __typename login }
  authorAssociation
  authorCanPushToRepository
  commit { oid }
}
"""

_REVIEW_REQUEST: Final = """
fragment ReviewRequestFields on ReviewRequest {
  id
  asCodeOwner
  requestedReviewer {
    __typename
    ... on User { login }
    ... on Bot { login }
    ... on Mannequin { login }
    ... on Team { name slug combinedSlug }
  }
}
"""

_THREAD: Final = """
fragment ThreadFields on PullRequestReviewThread { id isResolved isOutdated }
"""

# A context is a union of the two, so both are spread side by side, under __typename.
_CHECK: Final = """
fragment CheckRunFields on CheckRun {
  id
  databaseId
  name
  status
  conclusion
  startedAt
  completedAt
  detailsUrl
  checkSuite {
    app { slug databaseId }
    workflowRun { event workflow { name } }
  }
}

fragment StatusContextFields on StatusContext { id context state createdAt targetUrl }
"""

_PULL_REQUEST: Final = (
    """
fragment PullRequestFields on PullRequest {
  id
  number
  url
  title
  state
  isDraft
  author { __typename login }
  authorAssociation
  createdAt
  updatedAt
  closedAt
  mergedAt
  baseRefName
  baseRefOid
  baseRef { refUpdateRule { requiredStatusCheckContexts } }
  headRefName
  headRefOid
  headRepository { nameWithOwner }
  labels(first: 100) { totalCount pageInfo { ...PageFields } nodes { ...LabelFields } }
  milestone { title }
  additions
  deletions
  changedFiles
  mergeable
  mergeStateStatus
  isInMergeQueue
  mergeQueueEntry { position state }
  autoMergeRequest { enabledAt mergeMethod enabledBy { __typename login } }
  reviewDecision
  reviews(first: 100) { totalCount pageInfo { ...PageFields } nodes { ...ReviewFields } }
  reviewRequests(first: 100) { totalCount pageInfo { ...PageFields } nodes { ...ReviewRequestFields } }
  reviewThreads(first: 100) { totalCount pageInfo { ...PageFields } nodes { ...ThreadFields } }
  commits(last: 1) {
    nodes {
      commit {
        oid
        committedDate
        statusCheckRollup {
          state
          contexts(first: 100) {
            totalCount
            pageInfo { ...PageFields }
            nodes { __typename ...CheckRunFields ...StatusContextFields }
          }
        }
      }
    }
  }
  timelineItems(last: 1, itemTypes: [READY_FOR_REVIEW_EVENT]) {
    nodes { __typename ... on ReadyForReviewEvent { createdAt } }
  }
}
"""
    + _LABEL
    + _REVIEW
    + _REVIEW_REQUEST
    + _THREAD
    + _CHECK
    + _PAGE
    + _RATE
)

SCAN_PULL_REQUESTS: Final = (
    """
query ScanPullRequests(
  $owner: String!
  $name: String!
  $first: Int!
  $after: String
  $states: [PullRequestState!]
) {
  repository(owner: $owner, name: $name, followRenames: true) {
    nameWithOwner
    url
    pullRequests(
      first: $first
      after: $after
      states: $states
      orderBy: { field: CREATED_AT, direction: DESC }
    ) {
      totalCount
      pageInfo { ...PageFields }
      nodes { ...PullRequestFields }
    }
  }
  rateLimit { ...RateFields }
}
"""
    + _PULL_REQUEST
)

READ_PULL_REQUEST: Final = (
    """
query ReadPullRequest($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name, followRenames: true) {
    nameWithOwner
    url
    pullRequest(number: $number) { ...PullRequestFields }
  }
  rateLimit { ...RateFields }
}
"""
    + _PULL_REQUEST
)


def _inner_page(operation: str, connection: str, fragments: str) -> str:
    """Names the head, so that a page of another head than the first page's can be told."""
    return (
        f"query {operation}($id: ID!, $after: String!) {{\n"
        "  node(id: $id) {\n"
        "    __typename\n"
        f"    ... on PullRequest {{ id headRefOid {connection} }}\n"
        "  }\n"
        "  rateLimit { ...RateFields }\n"
        "}\n"
    ) + (fragments + _PAGE + _RATE)


def _next(field: str, nodes: str) -> str:
    page = f"totalCount pageInfo {{ ...PageFields }} nodes {{ {nodes} }}"
    return f"{field}(first: 100, after: $after) {{ {page} }}"


MORE_LABELS: Final = _inner_page("MoreLabels", _next("labels", "...LabelFields"), _LABEL)
MORE_REVIEWS: Final = _inner_page("MoreReviews", _next("reviews", "...ReviewFields"), _REVIEW)
MORE_REVIEW_REQUESTS: Final = _inner_page(
    "MoreReviewRequests", _next("reviewRequests", "...ReviewRequestFields"), _REVIEW_REQUEST
)
MORE_THREADS: Final = _inner_page("MoreThreads", _next("reviewThreads", "...ThreadFields"), _THREAD)
MORE_CHECKS: Final = _inner_page(
    "MoreChecks",
    "commits(last: 1) { nodes { commit { oid statusCheckRollup { state "
    + _next("contexts", "__typename ...CheckRunFields ...StatusContextFields")
    + " } } } }",
    _CHECK,
)

DOCUMENTS: Final = {
    "ScanPullRequests": SCAN_PULL_REQUESTS,
    "ReadPullRequest": READ_PULL_REQUEST,
    "MoreLabels": MORE_LABELS,
    "MoreReviews": MORE_REVIEWS,
    "MoreReviewRequests": MORE_REVIEW_REQUESTS,
    "MoreThreads": MORE_THREADS,
    "MoreChecks": MORE_CHECKS,
}
