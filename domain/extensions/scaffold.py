"""The files that a new extension starts with: small, complete, and working."""

from typing import Final

from loopx.domain.extensions.names import LONGEST_ID, RESERVED_IDS, is_id, namespace
from loopx.domain.extensions.refusal import quoted, refused

_MANIFEST: Final = """# What every key means: docs/extensions.md of LoopX.
id = "{id}"
version = "0.1.0"
api = ">=1,<2"
entry = "{namespace}.units:UNITS"
description = "Finds things by a word"

[[hosts]]
host = "api.example.com"
methods = ["GET"]

[[provides]]
kind = "capability"
name = "{namespace}.things"
summary = "Things that match a word"

[[provides.parameters]]
name = "word"
description = "What to look for"
required = true
example = "tea"

[[provides.parameters]]
name = "limit"
type = "integer"
description = "At most this many"
default = 20
minimum = 1

[provides.record]
schema = "{namespace}.thing/1"
type = "thing"

[[provides.record.fields]]
name = "id"
description = "What its host calls it"

[[provides.record.fields]]
name = "title"
description = "What people call it"
nullable = true
"""
_UNITS: Final = '''"""The units that extension.toml promises."""

from loopx.extension import Record, Request, Steps

URL = "https://api.example.com/things"


def things(word: str, limit: int) -> Steps:
    response = yield Request("GET", URL, params={{"q": word}})
    for thing in response.json()["things"][:limit]:
        yield Record({{"id": thing["id"], "title": thing.get("title")}})


UNITS = {{"{namespace}.things": things}}
'''
_TEST: Final = '''"""No network and no LoopX process: a unit is a generator, and a test can step it."""

from loopx.extension import Record, Request, Response

from {namespace}.units import URL, things


def test_things_are_found_and_limited():
    steps = things(word="tea", limit=1)
    assert next(steps) == Request("GET", URL, params={{"q": "tea"}})
    answer = Response(body=b'{{"things": [{{"id": "1", "title": "Pot"}}, {{"id": "2"}}]}}')
    assert steps.send(answer) == Record({{"id": "1", "title": "Pot"}})
    assert list(steps) == []
'''


def new_extension(extension_id: str) -> dict[str, bytes]:
    """The files of an extension of that id, by path.

    Raises:
        LoopXError: ``extension_error/directory`` when it cannot be called so.
    """
    if not is_id(extension_id) or extension_id in RESERVED_IDS:
        own = "is LoopX's own" if extension_id in RESERVED_IDS else "is no id"
        hint = (
            f"Call the folder like the extension: words like finance-probe, at most {LONGEST_ID} characters."
        )
        raise refused("directory", f"{quoted(extension_id)} {own}", hint=hint)
    package = namespace(extension_id)
    texts = {
        "extension.toml": _MANIFEST,
        f"{package}/__init__.py": '"""An extension of LoopX."""\n',
        f"{package}/units.py": _UNITS,
        "test_units.py": _TEST,
    }
    return {path: text.format(id=extension_id, namespace=package).encode() for path, text in texts.items()}
