"""Map the top-level layer folders into the ``loopx`` package.

The wheel is built from the real folders, never through the links under ``src/loopx``, so a
checkout that lost its links (Windows, some archives) still ships complete packages.
"""

from setuptools import find_packages, setup

LAYERS = ("domain", "application", "adapters", "entrypoints")
LINKS = [pattern for layer in LAYERS for pattern in (layer, f"{layer}.*")]

setup(
    packages=[
        "loopx",
        *(f"loopx.{package}" for package in find_packages("src/loopx", exclude=LINKS)),
        *(f"loopx.{layer}" for layer in LAYERS),
        *(f"loopx.{layer}.{package}" for layer in LAYERS for package in find_packages(layer)),
    ],
    package_dir={"loopx": "src/loopx", **{f"loopx.{layer}": layer for layer in LAYERS}},
)
