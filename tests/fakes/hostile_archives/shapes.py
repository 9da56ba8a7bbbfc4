"""Members that are fine one by one and not together; and archives that ask for too much."""

import hashlib
from functools import partial

from fakes.hostile_archives.case import Case, accepted, refused
from fakes.tar_bytes import (
    END,
    directory,
    extended,
    file,
    gz,
    gz_repeating,
    header,
    pad,
    pax,
    record,
    tar,
    targz,
)

TOP = directory(b"top/")
A = file(b"top/a")
PLAIN = {"top": None, "top/a": b"content\n"}
MEBIBYTE = 1 << 20


def noise(size: int) -> bytes:
    """Bytes that do not compress, always the same."""
    return hashlib.shake_256(b"noise").digest(size)


def together(*names: bytes) -> bytes:
    """Files, and directories where a name ends with a slash."""
    return targz(TOP, *(directory(name) if name.endswith(b"/") else file(name) for name in names))


COLLISIONS = {
    "file twice": (b"top/x", b"top/x"),
    "directory twice": (b"top/x/", b"top/x/"),
    "top twice": (b"top/",),
    "letters of both cases": (b"top/Readme", b"top/README"),
    "directories of both cases": (b"top/Lib/a", b"top/lib/b"),
    "top in both cases": (b"Top/a",),
    "composed and decomposed accents": ("top/caf\u00e9".encode(), "top/cafe\u0301".encode()),
    "sharp s and its capitals": ("top/stra\u00dfe".encode(), b"top/STRASSE"),
    "final sigma": ("top/\u03c3".encode(), "top/\u03c2".encode()),
    "Kelvin sign": (b"top/k", "top/\u212a".encode()),
    "file, then a directory of its name": (b"top/x", b"top/x/"),
    "directory, then a file of its name": (b"top/x/", b"top/x"),
    "file, then a file inside it": (b"top/x", b"top/x/y"),
    "parent of a file, then a file of its name": (b"top/x/y", b"top/x"),
    "one behind a dot": (b"top/x", b"./top/x"),
}

CASES: tuple[Case, ...] = (
    *(refused(name, "collision", partial(together, *names)) for name, names in COLLISIONS.items()),
    refused("no top directory", "layout", lambda: targz(file(b"setup.py"), file(b"main.py"))),
    refused("module of the standard library at the top", "layout", lambda: targz(TOP, A, file(b"json.py"))),
    refused("two top directories", "layout", lambda: together(b"other/", b"other/a")),
    refused("file where the top should be", "layout", lambda: targz(file(b"top"))),
    refused("AppleDouble file", "layout", lambda: together(b"top/._a", b"top/a")),
    refused("AppleDouble file of the top", "layout", lambda: targz(file(b"._top"), TOP, A)),
    refused(
        "bomb of 512 MiB",
        "ratio",
        lambda: gz_repeating(
            tar(TOP)[:512] + header(b"top/b", size=512 * MEBIBYTE - 2048), bytes(MEBIBYTE), 512
        ),
    ),
    refused(
        "bomb of many files",
        "ratio",
        lambda: targz(TOP, *(file(b"top/%d" % number, bytes(65536)) for number in range(200))),
    ),
    refused("bomb behind the end marks", "ratio", lambda: gz_repeating(tar(TOP, A), bytes(MEBIBYTE), 512)),
    refused("gzip bomb that holds no tar", "format", lambda: gz_repeating(b"x", bytes(MEBIBYTE), 512)),
    refused("archive of more than 64 MiB", "too_large", lambda: gz(tar(TOP, A), 0) + bytes(64 * MEBIBYTE)),
    refused(
        "30,000 files",
        "too_many_members",
        lambda: gz(tar(TOP, *(header(b"top/%05d" % number) for number in range(30_000)), noise(MEBIBYTE)), 1),
    ),
    refused(
        "one file more than allowed",
        "too_many_members",
        lambda: targz(TOP, *(header(b"top/%05d" % number) for number in range(20_000))),
    ),
    refused(
        "more parents than members allowed",
        "too_many_members",
        lambda: targz(
            TOP, *(header(b"x/" * 24 + b"x", prefix=b"top/%d" % number) for number in range(1_000))
        ),
    ),
    refused(
        "the root again and again", "too_many_members", lambda: targz(TOP, A, *[directory(b"./")] * 20_000)
    ),
    refused(
        "extended header of 1 GB",
        "metadata_too_large",
        lambda: targz(TOP, header(b"x", type=b"x", size=1_000_000_000), A),
    ),
    refused(
        "100,000 records",
        "metadata_too_large",
        lambda: targz(
            TOP, extended(b"".join(record(b"SCHILY.xattr.user.%d" % n, b"v") for n in range(100_000))), A
        ),
    ),
    refused(
        "global comment of 1 MB",
        "metadata_too_large",
        lambda: targz(pax(b"g", comment=b"c" * 1_000_000), TOP, A),
    ),
    refused(
        "large extended headers for every file",
        "metadata_too_large",
        lambda: gz(
            tar(
                TOP,
                *(
                    part
                    for number in range(40)
                    for part in (pax(comment=noise(256_000)), file(b"top/%d" % number))
                ),
            ),
            0,
        ),
    ),
    accepted("no directories at all", PLAIN, lambda: targz(A)),
    accepted(
        "directory behind what is in it",
        {**PLAIN, "top/d": None, "top/d/b": b"content\n"},
        lambda: targz(file(b"top/d/b"), directory(b"top/d/"), A, TOP),
    ),
    accepted("root named as dot", PLAIN, lambda: targz(directory(b"."), TOP, A)),
    accepted(
        "everything behind a dot",
        PLAIN,
        lambda: targz(directory(b"./"), directory(b"./top/"), file(b"./top/a")),
    ),
    accepted("root without permissions", PLAIN, lambda: targz(directory(b"./", mode=b"0000000\0"), TOP, A)),
    accepted("directory without a slash", PLAIN, lambda: targz(directory(b"top"), A)),
    accepted("only the top", {"top": None}, lambda: targz(TOP)),
    accepted(
        "directories visited by turns",
        {
            "top": None,
            "top/d": None,
            "top/e": None,
            **{f"top/{d}/{n}": b"content\n" for d in "de" for n in range(3)},
        },
        lambda: targz(*(file(b"top/%c/%d" % (d, n)) for n in range(3) for d in b"de")),
    ),
    accepted(
        "zeros below the ratio's start",
        {"top": None, "top/z": bytes(7 * MEBIBYTE)},
        lambda: targz(TOP, file(b"top/z", bytes(7 * MEBIBYTE))),
    ),
    accepted(
        "content that looks like a tar",
        {"top": None, "top/t": tar(TOP, A)},
        lambda: gz(TOP + header(b"top/t", size=len(tar(TOP, A))) + pad(tar(TOP, A)) + END),
    ),
)
