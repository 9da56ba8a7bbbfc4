"""Every exception class of the libraries under the transport, found where they are installed."""

import inspect
import json
import pkgutil
import socket
import ssl
import sys
from types import ModuleType

import h11
import httpcore
import httpx

LIBRARIES: tuple[ModuleType, ...] = (httpx, httpcore, h11, ssl, socket, json)


def exception_classes(library: ModuleType) -> frozenset[type[BaseException]]:
    """The exception classes that any module of a library names, private and optional ones aside."""
    found = {
        value
        for module in _modules(library)
        for name, value in vars(module).items()
        if inspect.isclass(value) and issubclass(value, BaseException) and not name.startswith("_")
    }
    return frozenset(cls for cls in found if not cls.__name__.startswith("_"))


def _modules(library: ModuleType) -> list[ModuleType]:
    modules = [library]
    for info in pkgutil.walk_packages(getattr(library, "__path__", []), f"{library.__name__}."):
        if info.name.endswith("__main__"):
            continue
        try:
            __import__(info.name)
        except ImportError:
            continue  # needs a package that is not installed, so its exceptions cannot be raised
        modules.append(sys.modules[info.name])
    return modules


def all_exception_classes() -> list[type[BaseException]]:
    """Those of every library, in an order that is the same in every process."""
    found = {cls for library in LIBRARIES for cls in exception_classes(library)}
    return sorted(found, key=lambda cls: (cls.__module__, cls.__qualname__))
