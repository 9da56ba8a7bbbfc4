"""The sample repository of ``loopx demo``: an invented harbour with pull requests in every state.

Pure data, relative to one moment. Some titles are hostile on purpose, as texts from outside can be.
"""

from dataclasses import replace
from datetime import datetime
from typing import Final

from loopx.entrypoints.demo import stories_checks, stories_people, stories_reviews
from loopx.entrypoints.demo.nodes import Node, repository
from loopx.entrypoints.demo.story import Place, Story

OWNER: Final = "loopx-demo"
NAME: Final = "harbour"

# Contexts that branch protection asks for; a branch that is not listed has no rule.
_REQUIRED: Final = {"main": ("build", "unit tests"), "release/2.4": ()}
_FIRST_NUMBER: Final = 371


def sample_stories() -> tuple[Story, ...]:
    """Every sample pull request, numbered in the order in which they were opened."""
    stories = (
        *stories_reviews.STORIES,
        *stories_checks.STORIES,
        *stories_people.OPEN_STORIES,
        *stories_people.ENDED_STORIES,
    )
    oldest_first = sorted(stories, key=lambda story: -story.opened)
    return tuple(replace(story, number=_FIRST_NUMBER + place) for place, story in enumerate(oldest_first))


def sample_repository(now: datetime, base_url: str = "https://github.example") -> Node:
    """The sample repository as nodes in the shape of GitHub's GraphQL schema; ``now`` is in UTC."""
    place = Place(owner=OWNER, name=NAME, base_url=base_url, now=now, required=_REQUIRED)
    return repository(place, sample_stories())
