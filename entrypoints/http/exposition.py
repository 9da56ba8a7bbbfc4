"""Measurements as text for a scraper.

Sources: Prometheus exposition formats, text version 0.0.4; OpenMetrics 1.0.0.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from loopx.domain.metrics import Family, Kind, Measured, Sample

PROMETHEUS: Final = "text/plain; version=0.0.4; charset=utf-8"
OPENMETRICS: Final = "application/openmetrics-text; version=1.0.0; charset=utf-8"
_OPENMETRICS_TYPE: Final = "application/openmetrics-text"


def choose_format(accept: str) -> str:
    """The content type to answer with."""
    ranges = (part.partition(";")[0].strip().lower() for part in accept.split(","))
    return OPENMETRICS if _OPENMETRICS_TYPE in ranges else PROMETHEUS


def expose(measured: Iterable[Measured], content_type: str) -> str:
    """The text of that type."""
    is_open = content_type == OPENMETRICS
    lines = [line for family, samples in measured for line in _family(family, samples, is_open=is_open)]
    return "\n".join([*lines, *(["# EOF"] if is_open else [])]) + "\n"


def _family(family: Family, samples: Iterable[Sample], *, is_open: bool) -> Iterator[str]:
    total = f"{family.name}_total" if family.kind is Kind.COUNTER else family.name
    # OpenMetrics names the family; the older format names the series.
    name = family.name if is_open else total
    yield f"# HELP {name} {family.about}"
    yield f"# TYPE {name} {family.kind.value}"
    for sample in samples:
        if family.kind is Kind.HISTOGRAM:
            yield from _histogram(family, sample)
        else:
            yield f"{total}{_labels(family.labels, sample.labels)} {_number(sample.value)}"


def _histogram(family: Family, sample: Sample) -> Iterator[str]:
    bounds = [*map(str, family.bounds), "+Inf"]
    for bound, count in zip(bounds, sample.buckets, strict=True):
        labels = _labels((*family.labels, "le"), (*sample.labels, bound))
        yield f"{family.name}_bucket{labels} {count}"
    plain = _labels(family.labels, sample.labels)
    yield f"{family.name}_sum{plain} {_number(sample.value)}"
    yield f"{family.name}_count{plain} {sample.buckets[-1]}"


def _labels(names: tuple[str, ...], values: tuple[str, ...]) -> str:
    if not names:
        return ""
    pairs = (f'{name}="{_escape(value)}"' for name, value in zip(names, values, strict=True))
    return "{" + ",".join(pairs) + "}"


def _escape(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)
