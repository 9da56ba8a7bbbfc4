"""What every test can rely on: a clean environment, a home of its own, and no test lost unseen."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Chosen by HYPOTHESIS_PROFILE. "ci" draws the same examples in every run, so that a red run is about the
# change and not about luck; "fuzz" (make fuzz) is where new examples are looked for.
settings.register_profile("ci", deadline=None, derandomize=True, max_examples=100, print_blob=True)
settings.register_profile(
    "fuzz", deadline=None, max_examples=5_000, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# Whatever could make loopx behave differently on another machine, in upper case.
FOREIGN_PREFIXES = ("GH_", "GITHUB_", "LOOPX_", "XDG_")
FOREIGN_SUFFIXES = ("_PROXY",)
FOREIGN_NAMES = {
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "FORCE_COLOR",
    "LINES",
    "NO_COLOR",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "SSLKEYLOGFILE",
    "TRACEPARENT",
    "TRACESTATE",
}


def is_foreign(name: str) -> bool:
    upper = name.upper()
    return upper in FOREIGN_NAMES or upper.startswith(FOREIGN_PREFIXES) or upper.endswith(FOREIGN_SUFFIXES)


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    for name in list(filter(is_foreign, os.environ)):
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without a browser its tests are left out; in CI they stay, and fail for want of one."""
    from fakes.browser import find_browser

    if os.environ.get("CI") or find_browser() is not None:
        return
    left_out = [item for item in items if item.get_closest_marker("browser") is not None]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI a skipped test is a failure: there the machine is ours to equip."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or not os.environ.get("CI"):
        return
    if reporter.stats.get("skipped"):
        reporter.ensure_newline()
        reporter.write_line("tests were skipped, and CI=… says that none may be", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout. Ask for it under ``xdist_group("wheel")``, so that it is built once."""
    from architecture.checkout import build, copy_checkout

    folder = tmp_path_factory.mktemp("wheel")
    return build("wheel", copy_checkout(folder / "checkout"), folder)
