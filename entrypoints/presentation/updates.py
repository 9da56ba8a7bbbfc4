"""LoopX's own versions, what became of an update and what one would do, as records."""

from typing import Final

from loopx.application.use_cases.list_versions import Standing, VersionFacts
from loopx.domain.schema import BOOLEAN, INTEGER, Field, RecordSpec, listing, text
from loopx.domain.updates.change import Change, Deed
from loopx.domain.updates.plan import PlannedStep, Verdict
from loopx.entrypoints.presentation.times import iso

UPDATE: Final = RecordSpec(
    schema="loopx.update/1",
    type="update",
    fields=(
        Field("deed", text(choices=tuple(map(str, Deed))), "what was done"),
        Field("version", text(), "the version that is started from now on"),
        Field("sha256", text(), "the digest of the archive that it came from"),
        Field("new", text(), "the name of its folder"),
        Field("old", text(), "the name of the folder that was started before", nullable=True),
        Field("launcher", text(), "the program to start, now and after every update"),
        Field("removed", listing(text()), "old versions that were removed"),
    ),
    columns=("deed", "old", "new", "launcher"),
)
VERSION: Final = RecordSpec(
    schema="loopx.version/1",
    type="version",
    fields=(
        Field("name", text(), "the name of its folder"),
        Field("version", text(), "its number", nullable=True),
        Field("standing", text(choices=tuple(map(str, Standing))), "what it is good for"),
        Field("in_use", BOOLEAN, "whether a process runs from it"),
        Field("sha256", text(), "the digest of the archive that it came from", nullable=True),
        Field("size", INTEGER, "bytes of its files", nullable=True),
        Field("installed_at", text(form="date-time"), "when it was installed", nullable=True),
        Field("why_bad", text(), "why it is not started", nullable=True),
    ),
    columns=("name", "standing", "in_use", "installed_at", "size", "why_bad"),
)
UPDATE_STEP: Final = RecordSpec(
    schema="loopx.update_step/1",
    type="update_step",
    fields=(
        Field("number", INTEGER, "its place in the order"),
        Field("does", text(), "the step in a word"),
        Field("verdict", text(choices=tuple(map(str, Verdict))), "what would become of it"),
        Field("detail", text(), "what is known of it beforehand"),
        Field("error", text(), "code and reason of what blocks it", nullable=True),
    ),
    columns=("number", "does", "verdict", "detail"),
)


def update_data(change: Change) -> dict[str, object]:
    """What became of an update."""
    return {
        "deed": change.deed.value,
        "version": change.version,
        "sha256": change.sha256,
        "new": change.new,
        "old": change.old,
        "launcher": change.launcher,
        "removed": list(change.removed),
    }


def version_data(facts: VersionFacts) -> dict[str, object]:
    """A version; of one that is not whole only little is known."""
    seal, bad = facts.seal, facts.bad
    digest = seal.sha256 if seal else bad.sha256 if bad else None
    return {
        "name": facts.name,
        "version": str(seal.version) if seal else None,
        "standing": facts.standing.value,
        "in_use": facts.in_use,
        "sha256": digest,
        "size": seal.size if seal else None,
        "installed_at": iso(seal.installed_at) if seal else None,
        "why_bad": bad.why if bad else None,
    }


def step_data(number: int, step: PlannedStep) -> dict[str, object]:
    """One step of a plan."""
    error = step.error
    return {
        "number": number,
        "does": step.does,
        "verdict": step.verdict.value,
        "detail": step.detail,
        "error": f"{error.code}/{error.reason}" if error else None,
    }
