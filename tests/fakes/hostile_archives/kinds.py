"""Members that are neither files nor directories, and permissions that nobody should get."""

from collections.abc import Callable
from functools import partial

from fakes.hostile_archives.case import Case, accepted, refused
from fakes.tar_bytes import directory, extended, file, header, link, octal, pax, record, targz

TOP = directory(b"top/")


def long_chain() -> bytes:
    """CVE-2025-4517: links whose resolution is longer than PATH_MAX, and a way out at their end."""
    step, here = b"d" * 99, b"top"
    parts = [TOP]
    for letter in b"abcdefghijklmnopqrstuvwxyz":
        parts += [
            pax(path=here + b"/" + step),
            directory(b"x"),
            pax(path=here + b"/%c" % letter),
            link(b"x", step),
        ]
        here += b"/%c" % letter
    parts += [pax(path=here + b"/out"), link(b"x", b"../" * 26), file(b"top/out/loopx-escaped")]
    return targz(*parts)


LINKS: dict[str, Callable[[], bytes]] = {
    "symbolic link to an absolute path": lambda: targz(TOP, link(b"top/l", b"/etc/passwd")),
    "symbolic link out": lambda: targz(TOP, link(b"top/l", b"../../outside"), file(b"top/l/loopx-escaped")),
    "symbolic link inside": lambda: targz(TOP, file(b"top/a"), link(b"top/l", b"a")),
    "two links that meet": lambda: targz(TOP, link(b"top/a", b"."), link(b"top/a/b", b"..")),
    "two links one after the other": lambda: targz(TOP, link(b"top/x", b"top/.."), link(b"top/y", b"x/..")),
    "symbolic link loop": lambda: targz(TOP, link(b"top/a", b"b"), link(b"top/b", b"a")),
    "symbolic link to itself": lambda: targz(TOP, link(b"top/a", b"a")),
    "dangling symbolic link": lambda: targz(TOP, link(b"top/a", b"nowhere")),
    "symbolic link that a file replaces": lambda: targz(
        TOP, link(b"top/a", b"../../outside/x"), file(b"top/a")
    ),
    "symbolic link instead of the top": lambda: targz(
        link(b"top", b"../outside"), file(b"top/loopx-escaped")
    ),
    "symbolic link with an empty target": lambda: targz(TOP, link(b"top/a", b"")),
    "symbolic link with an empty name": lambda: targz(TOP, link(b"", b"..")),
    "hard link to an absolute path": lambda: targz(TOP, link(b"top/l", b"/etc/passwd", b"1")),
    "hard link out": lambda: targz(TOP, link(b"top/l", b"../outside/kept", b"1")),
    "hard link inside": lambda: targz(TOP, file(b"top/a"), link(b"top/l", b"top/a", b"1")),
    "hard link to itself": lambda: targz(TOP, link(b"top/l", b"top/l", b"1")),
    "hard link to nothing": lambda: targz(TOP, link(b"top/l", b"top/missing", b"1")),
    "hard link to a later member": lambda: targz(TOP, link(b"top/l", b"top/a", b"1"), file(b"top/a")),
    "hard link with data": lambda: targz(TOP, file(b"top/l", type=b"1", link=b"top/a")),
    "hard link to a deeper symbolic link": lambda: targz(
        TOP, link(b"top/a/b/l", b"../../x"), link(b"top/m", b"top/a/b/l", b"1")
    ),
    "chain of links longer than PATH_MAX": long_chain,
}
DEVICES = {"named pipe": b"6", "character device": b"3", "block device": b"4", "contiguous file": b"7"}
OTHERS = {
    "old type of a file": b"\0",
    "vendor type": b"Z",
    "Solaris extended header": b"X",
    "GNU directory listing": b"D",
    "GNU continuation": b"M",
    "GNU volume name": b"V",
    "old GNU sparse file": b"S",
    "type beyond ASCII": b"\xff",
}


def typed(kind: bytes) -> bytes:
    return targz(TOP, header(b"top/x", type=kind))


def with_mode(mode: int, kind: bytes = b"0") -> bytes:
    return targz(TOP, header(b"top/x", type=kind, mode=octal(mode, 8)))


FILE = {"top": None, "top/x": b""}
DIRECTORY = {"top": None, "top/x": None}
RUN = frozenset({"top/x"})

CASES: tuple[Case, ...] = (
    *(refused(name, "member_type", build) for name, build in LINKS.items()),
    *(refused(name, "member_type", partial(typed, kind)) for name, kind in (DEVICES | OTHERS).items()),
    refused(
        "old type of a file with a slash", "member_type", lambda: targz(TOP, header(b"top/x/", type=b"\0"))
    ),
    refused(
        "sparse file of 1 TiB in GNU records",
        "member_type",
        lambda: targz(
            TOP,
            extended(
                record(b"GNU.sparse.major", b"1")
                + record(b"GNU.sparse.minor", b"0")
                + record(b"GNU.sparse.name", b"top/x")
                + record(b"GNU.sparse.realsize", b"1099511627776")
            ),
            file(b"top/GNUSparseFile.0/x", b"0\n"),
        ),
    ),
    refused(
        "link target in an extended header",
        "header",
        lambda: targz(TOP, pax(linkpath=b"../../outside"), link(b"top/l", b"harmless")),
    ),
    refused("link target for a file", "header", lambda: targz(TOP, pax(linkpath=b"../x"), file(b"top/f"))),
    refused("directory with content", "header", lambda: targz(TOP, file(b"top/x/", type=b"5"))),
    accepted("set-uid file", FILE, lambda: with_mode(0o4755), RUN),
    accepted("set-gid and sticky file", FILE, lambda: with_mode(0o3644)),
    accepted("file that everybody may write", FILE, lambda: with_mode(0o666)),
    accepted("program that everybody may write", FILE, lambda: with_mode(0o777), RUN),
    accepted("file without permissions", FILE, lambda: with_mode(0)),
    accepted("file that only its group may run", FILE, lambda: with_mode(0o010), RUN),
    accepted("directory without permissions", DIRECTORY, lambda: with_mode(0, b"5")),
    accepted("read-only directory", DIRECTORY, lambda: with_mode(0o555, b"5")),
    accepted("directory with every bit", DIRECTORY, lambda: with_mode(0o7777, b"5")),
    accepted(
        "foreign owner and devices",
        FILE,
        lambda: targz(
            TOP,
            header(
                b"top/x",
                uid=b"\x80" + b"\xff" * 7,
                gid=b"\x80" + b"\x7f" * 7,
                uname=b"root",
                devmajor=b"\xff" * 8,
            ),
        ),
    ),
    accepted("time before the epoch", FILE, lambda: targz(TOP, header(b"top/x", mtime=b"\xff" * 12))),
)
