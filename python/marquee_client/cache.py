"""Responses that are stored for revalidation."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Iterator, MutableMapping, NamedTuple


class CachedAnswer(NamedTuple):
    """A stored response body with its ETag."""

    etag: str
    body: bytes


class MemoryCache(MutableMapping[str, CachedAnswer]):
    """An LRU cache of a bounded number of responses, safe for several threads."""

    def __init__(self, capacity: int = 1000) -> None:
        self._capacity = max(1, capacity)
        self._entries: "OrderedDict[str, CachedAnswer]" = OrderedDict()
        self._lock = Lock()

    def __getitem__(self, url: str) -> CachedAnswer:
        with self._lock:
            answer = self._entries[url]
            self._entries.move_to_end(url)
            return answer

    def __setitem__(self, url: str, answer: CachedAnswer) -> None:
        with self._lock:
            self._entries[url] = answer
            self._entries.move_to_end(url)
            if len(self._entries) > self._capacity:
                self._entries.popitem(last=False)

    def __delitem__(self, url: str) -> None:
        with self._lock:
            del self._entries[url]

    def __iter__(self) -> Iterator[str]:
        with self._lock:
            return iter(list(self._entries))

    def __len__(self) -> int:
        return len(self._entries)
