"""Run a capability by name: what every command that scans comes down to."""

from collections.abc import Mapping

from loopx.entrypoints.cli.session import Session


async def run_capability(
    name: str, given: Mapping[str, object], session: Session, *, typed: bool = False
) -> int:
    """Check the parameters, run, show, and give the exit code; ``typed`` values came as JSON.

    Raises:
        LoopXError: ``usage_error`` before anything was asked of the outside, or as the run ends.
    """
    capability = session.container.catalog().find(name)
    parameters = capability.spec.read({**given}, typed=typed)
    order = parameters.get("sort")
    session.detail(f"trace {session.trace.trace_id}")
    return await session.show(
        capability.run(parameters, session.context()),
        capability.spec.record,
        order=order if isinstance(order, str) else None,
    )
