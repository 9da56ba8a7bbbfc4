"""Names that lead elsewhere, or mean different things on different systems."""

from functools import partial

from fakes.hostile_archives.case import Case, accepted, refused
from fakes.tar_bytes import directory, file, pax, targz

TOP = directory(b"top/")


def named(name: bytes) -> bytes:
    return targz(TOP, file(name))


def pax_named(path: bytes) -> bytes:
    return targz(TOP, pax(path=path), file(b"top/harmless"))


ESCAPES = {
    "absolute": b"/tmp/loopx-escaped",
    "absolute with two slashes": b"//tmp/loopx-escaped",
    "absolute in the top directory": b"/top/loopx-escaped",
    "parent": b"../outside/loopx-escaped",
    "parent in the middle": b"top/../../outside/loopx-escaped",
    "parent that stays inside": b"top/inner/../loopx-escaped",
    "parent at the end": b"top/..",
    "outside and back in": b"../new/../staging/top/loopx-escaped",
    "parent behind a dot": b"./../outside/loopx-escaped",
    "only the parent": b"..",
    "parents without end": b"../" * 30 + b"tmp",
}

# Each lies in the top directory.
NAMES = {
    "line feed": b"a\nb",
    "carriage return": b"a\rb",
    "tab": b"a\tb",
    "ANSI escape": b"\x1b[2Jcleared",
    "bell": b"a\x07",
    "delete": b"a\x7fb",
    "C1 control sequence introducer": "a\u009b31m".encode(),
    "line separator": "a\u2028b".encode(),
    "backslash": b"..\\..\\outside\\loopx-escaped",
    "drive": b"C:",
    "drive-relative": b"C:loopx-escaped",
    "alternate data stream": b"file.txt:stream",
    "less than": b"a<b",
    "asterisk": b"a*b",
    "question mark": b"a?b",
    "quote": b'a"b',
    "pipe character": b"a|b",
    "device con": b"CON",
    "device nul with an ending": b"nul.txt",
    "device aux with two endings": b"Aux.tar.gz",
    "device com1": b"com1",
    "device lpt with a superscript": "LPT\u00b3.log".encode(),
    "device with a blank": b"con .txt",
    "device conin": b"CONIN$",
    "trailing dot": b"name.",
    "trailing dots": b"name...",
    "trailing blank": b"name ",
    "leading blank": b" name",
    "trailing no-break space": "name\u00a0".encode(),
    "only blanks": b"  ",
    "three dots": b"...",
    "bidi override": "gnp\u202etxt".encode(),
    "bidi isolate": "a\u2066b".encode(),
    "zero-width space": "a\u200bb".encode(),
    "zero-width joiner": "a\u200db".encode(),
    "byte order mark": "\ufeffa".encode(),
    "soft hyphen": "a\u00adb".encode(),
    "variation selector": "a\ufe0f".encode(),
    "tag character": "a\U000e0041".encode(),
    "Hangul filler": "\u3164".encode(),
    "not UTF-8": b"caf\xe9",
    "overlong UTF-8 slash": b"..\xc0\xaf..",
    "UTF-8 surrogate": b"\xed\xa0\x80",
    "dot component": b"./a",
    "empty component": b"a//b",
    "trailing slash on a file": b"a/",
}

CASES: tuple[Case, ...] = (
    *(refused(name, "path_escape", partial(named, path)) for name, path in ESCAPES.items()),
    *(
        refused(f"{name}, by extended header", "path_escape", partial(pax_named, path))
        for name, path in ESCAPES.items()
    ),
    *(refused(name, "name", partial(named, b"top/" + part)) for name, part in NAMES.items()),
    refused(
        "parent as a directory", "path_escape", lambda: targz(TOP, directory(b"../outside/loopx-escaped/"))
    ),
    refused("absolute directory", "path_escape", lambda: targz(directory(b"/"), TOP)),
    refused("parent through the prefix", "path_escape", lambda: targz(TOP, file(b"x", prefix=b"top/../.."))),
    refused("absolute prefix", "path_escape", lambda: targz(TOP, file(b"x", prefix=b"/tmp"))),
    refused("file named dot", "name", lambda: targz(TOP, file(b"."))),
    refused("file named dot slash", "name", lambda: targz(TOP, file(b"./"))),
    refused("empty name", "name", lambda: targz(TOP, file(b""))),
    refused("empty name of a directory", "name", lambda: targz(TOP, directory(b""))),
    refused("directory with two slashes at its end", "name", lambda: targz(TOP, directory(b"top/a//"))),
    refused("NUL in an extended path", "name", lambda: pax_named(b"top/a\0.txt")),
    refused("empty extended path", "name", lambda: pax_named(b"")),
    refused("name of 256 bytes", "name", lambda: pax_named(b"top/" + b"n" * 256)),
    refused("name of 128 two-byte letters", "name", lambda: pax_named(b"top/" + "é".encode() * 128)),
    refused("path of 1,025 bytes", "name", lambda: pax_named(b"top/" + b"/".join([b"p" * 203] * 5) + b"/")),
    refused("33 levels", "depth", lambda: pax_named(b"top/" + b"/".join([b"d"] * 32))),
    refused("2,000 levels", "depth", lambda: pax_named(b"top/" + b"/".join([b"d"] * 1999))),
    refused(
        "2,000 levels of one directory", "depth", lambda: targz(TOP, pax(path=b"d/" * 2000), directory(b"x/"))
    ),
    accepted(
        "32 levels",
        {**dict.fromkeys("top" + "/d" * n for n in range(31)), "top" + "/d" * 31: b"content\n"},
        lambda: pax_named(b"top" + b"/d" * 31),
    ),
    accepted(
        "name of 255 bytes",
        {"top": None, "top/" + "n" * 255: b"content\n"},
        lambda: pax_named(b"top/" + b"n" * 255),
    ),
    accepted(
        "names that only look odd",
        {
            "top": None,
            "top/foo..bar": b"content\n",
            "top/..x": b"content\n",
            "top/.env": b"content\n",
            "top/console": b"content\n",
            "top/com10": b"content\n",
            "top/a b~c": b"content\n",
            "top/日本語": b"content\n",
            "top/-rf": b"content\n",
        },
        lambda: targz(
            TOP,
            *(
                file(b"top/" + name.encode())
                for name in ("foo..bar", "..x", ".env", "console", "com10", "a b~c", "日本語", "-rf")
            ),
        ),
    ),
)
