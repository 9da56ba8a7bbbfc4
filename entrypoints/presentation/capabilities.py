"""Capabilities and their parameters, as records and on a page."""

from collections.abc import Iterator
from typing import Final

from loopx.domain.schema import (
    BOOLEAN,
    CapabilitySpec,
    Field,
    JsonSchema,
    ParameterSpec,
    RecordSpec,
    listing,
    text,
)
from loopx.entrypoints.presentation.page import folded
from loopx.entrypoints.presentation.style import Terminal, Tone
from loopx.entrypoints.presentation.width import pad

_OBJECT: Final[JsonSchema] = {"type": "object"}

CAPABILITY: Final = RecordSpec(
    schema="loopx.capability/1",
    type="capability",
    fields=(
        Field("name", text(), "how it is called"),
        Field("summary", text(), "what it does, in a line"),
        Field("description", text(), "what it does"),
        Field("parameters", _OBJECT, "what it takes, as JSON Schema"),
        Field("record", _OBJECT, "what it gives, as JSON Schema"),
    ),
    columns=("name", "summary"),
)
PARAMETER: Final = RecordSpec(
    schema="loopx.parameter/1",
    type="parameter",
    fields=(
        Field("name", text(), "how it is called"),
        Field("kind", text(choices=("text", "number", "boolean")), "what its values are"),
        Field("required", BOOLEAN, "whether it must be given"),
        Field("repeated", BOOLEAN, "whether it takes several values"),
        Field("choices", listing(text()), "the only values it takes; none where any fits"),
        Field("default", {}, "what counts when it is not given", nullable=True),
        Field("description", text(), "what it means"),
    ),
    columns=("name", "kind", "required", "repeated", "choices", "default", "description"),
)
_KINDS: Final = {str: "text", int: "number", bool: "boolean"}


def capability_data(spec: CapabilitySpec) -> dict[str, object]:
    """A capability as JSON-ready data, its schemas included."""
    return {
        "name": spec.name,
        "summary": spec.summary,
        "description": spec.description,
        "parameters": spec.parameters_schema(),
        "record": spec.record.json_schema(),
    }


def description_data(spec: CapabilitySpec) -> dict[str, object]:
    """The same as a document of its own."""
    return {"schema": CAPABILITY.schema, "type": CAPABILITY.type, **capability_data(spec)}


def parameter_data(parameter: ParameterSpec) -> dict[str, object]:
    """A parameter as JSON-ready data."""
    default = parameter.default
    return {
        "name": parameter.name,
        "kind": _KINDS[parameter.kind],
        "required": parameter.required,
        "repeated": parameter.repeated,
        "choices": list(parameter.choices),
        "default": list(default) if isinstance(default, tuple) else default,
        "description": parameter.description,
    }


def capability_page(spec: CapabilitySpec, terminal: Terminal) -> Iterator[str]:
    """Name, description, parameters and fields of the record."""
    yield terminal.paint(f"{spec.name}  {spec.summary}", Tone.STRONG)
    yield ""
    yield from folded(spec.description, terminal, 0)
    yield ""
    yield terminal.paint("parameters", Tone.QUIET)
    yield from _listed([(f"--{one.name}", _says(one)) for one in spec.parameters], terminal)
    yield ""
    yield terminal.paint(f"record {spec.record.schema}", Tone.QUIET)
    yield from _listed([(field.name, field.description) for field in spec.record.fields], terminal)
    yield ""
    yield terminal.paint(f"next: loopx capability run {spec.name} {_example(spec)}", Tone.QUIET)


def _listed(pairs: list[tuple[str, str]], terminal: Terminal) -> Iterator[str]:
    widest = max((len(name) for name, _ in pairs), default=0)
    for name, says in pairs:
        label = name
        for line in folded(says, terminal, widest + 4):
            yield f"  {pad(label, widest)}  {line}"
            label = ""


def _says(parameter: ParameterSpec) -> str:
    notes = [
        *(["required"] if parameter.required else []),
        *(["may be repeated"] if parameter.repeated else []),
        *([f"one of {', '.join(parameter.choices)}"] if parameter.choices else []),
        *([f"default {parameter.default}"] if parameter.default is not None else []),
    ]
    return parameter.description + (f" ({'; '.join(notes)})" if notes else "")


def _example(spec: CapabilitySpec) -> str:
    examples = (f"--{one.name} {one.example}" for one in spec.parameters if one.required and one.example)
    return " ".join(examples)
