"""The part of the error table about LoopX's own releases: which are taken, and how one takes over."""

from typing import Final

_Row = tuple[str, int, int, bool, str, str, str]
"""Reason, exit code, HTTP status, whether to retry, whether anything was sent, what happened, what to do."""

_ADOPT: Final = "Update it with the tool that installed it, or use --adopt."
_OTHER_RELEASE: Final = "Take the release that is made for this machine, or make one with `make release`."

# fmt: off
UPDATE_ERRORS: Final[dict[str, tuple[_Row, ...]]] = {
    "update_error": (
        ("owner", 78, 500, False, "no", "this copy of LoopX belongs to another tool", _ADOPT),
        ("managed", 78, 500, False, "no", "this copy of LoopX updates itself already", "Leave out --adopt."),
        ("home", 77, 500, False, "no", "the place of the versions belongs to another user", "Run it as that user, not as root."),
        ("space", 73, 500, False, "no", "there is too little free space for a new version", "Free some space, then try again."),
        ("release", 65, 502, False, "yes", "the archive is no release of LoopX that can be installed", "Check the address, or ask whoever made the release."),
        ("platform", 65, 502, False, "yes", "the release is made for another platform", _OTHER_RELEASE),
        ("python", 65, 502, False, "yes", "the release needs another Python", _OTHER_RELEASE),
        ("state", 65, 502, False, "yes", "that version cannot read the state that is here", "Keep the present version, or use another state home."),
        ("downgrade", 65, 502, False, "yes", "the release is older than what is here", "Go back with `loopx self-update --rollback`."),
        ("same_version", 65, 502, False, "yes", "other bytes were here under the same version", "Do not use it: a release is never changed. Ask its publisher."),
        ("bad", 65, 502, False, "no", "this release did not work here before", "Take another release, or remove the named file when the cause is gone."),
        ("unhealthy", 70, 502, False, "yes", "the new version does not work here", "The old one stays: see what it said, then ask whoever made the release."),
        ("returned", 70, 502, False, "yes", "the new version failed after the switch", "The old one is back; this release is marked as bad."),
        ("no_version", 66, 404, False, "no", "there is no version to go back to", "See what is here with `loopx self-update --list`."),
        ("vanished", 66, 500, True, "no", "the version is gone", "Start it again."),
        ("restart_loop", 70, 500, False, "no", "the program restarted too often within a short time", "Find out why it ends before its work is done."),
        ("restart_failed", 71, 500, False, "no", "the program could not be started again", "Start it again by hand."),
        ("process", 71, 500, True, "no", "a process could not be started", "Check the named program, and how many processes this user may have."),
    ),
}
# fmt: on
