"""GitHub's GraphQL API as a source of pull requests."""
