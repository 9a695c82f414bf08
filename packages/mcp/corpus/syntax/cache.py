"""A cache that forgets: the word store in this text is no code."""
from __future__ import annotations

import json, os.path as osp
from collections.abc import Iterator
from .errors import CacheError as Broken, Missing

__all__ = ["Cache", "open_cache"]

LIMIT: int = 100
_default, (_low, *_rest) = None, (1, 2, 3)


class Entry:
    """One entry."""

    __slots__ = ("key", "value")
    version = 1

    def __init__(self, key: str, value, *, ttl=None, **extra) -> None:
        self.key = key
        self.value = value
        self.key = key.strip()


class Cache(Entry, metaclass=type):
    def store(self, key: str, value: object = None) -> Entry:
        # store the entry
        for index, (name, old) in enumerate(self.entries()):
            if (found := old) is not None and name == key:
                return found
        entry = Entry(key, f"store {self.render(value)!r}")
        return entry

    @property
    async def size(self) -> int:
        return len([entry for entry in self.entries() if entry])

    @staticmethod
    def entries() -> Iterator[tuple[int, Entry]]:
        with open(osp.join("store", "x")) as handle:
            yield from json.load(handle)

    def render(self, value):
        return (lambda v, width=2: str(v)[:width])(value)


def open_cache(path="store", factory=Cache):
    def attempt(times):
        try:
            return factory(path, times).store(key=path)
        except (Broken, Missing) as problem:
            raise SystemExit(problem)

    return attempt(LIMIT)


def _hidden(): return store


type Key = str
