"""A reader that polls without a pause sees a whole version at every instant of 1,000 switches."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

from fakes.releases import pack
from fakes.update_child import bench_at

SWITCHES: Final = 1000
FIRST, SECOND = pack("0.1.0"), pack("0.2.0")

# Reads through the pointer until its stdin is closed, then tells what it saw.
READER: Final = """
import collections, json, os, select, sys
path, seen, misses, reads = sys.argv[1], collections.Counter(), 0, 0
print("ready", flush=True)
while not select.select([sys.stdin], [], [], 0)[0]:
    for _ in range(100):
        reads += 1
        try:
            with open(path + "/release.json", "rb") as file:
                seen[json.load(file)["version"]] += 1
        except (OSError, ValueError):
            misses += 1
print(json.dumps({"reads": reads, "misses": misses, "seen": seen}))
"""


def test_no_read_through_the_pointer_ever_misses(tmp_path: Path) -> None:
    home = tmp_path / "home"
    bench = bench_at(home)
    bench.update(FIRST)
    bench.update(SECOND)
    with subprocess.Popen(
        [sys.executable, "-I", "-c", READER, str(home / "current")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as reader:
        assert reader.stdout is not None
        assert reader.stdout.readline() == "ready\n"
        for number in range(SWITCHES):
            bench.parts.pointers.switch((FIRST, SECOND)[number % 2].name)
        told, _ = reader.communicate()
    found = json.loads(told)
    assert found["misses"] == 0
    assert found["seen"].keys() == {"0.1.0", "0.2.0"}
    assert found["reads"] > SWITCHES
