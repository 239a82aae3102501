"""Copies of a country in memory that are kept in step with the service."""

from __future__ import annotations

import asyncio
import time
from threading import Lock
from typing import (
    Any,
    AsyncGenerator,
    AsyncIterator,
    Callable,
    Dict,
    Iterator,
    List,
    NamedTuple,
    Optional,
    TypedDict,
    cast,
)

from ._pages import run
from .errors import ServiceError
from .types import Show

#: Seconds before its end from which an option expires soon.
_SOON_SECONDS = 31 * 86_400

#: Opens an export after a token, or of the whole country.
OpenExport = Callable[[Optional[str]], AsyncGenerator[Any, None]]


class MirrorCopy(TypedDict):
    """A copy as it can be stored, as JSON for instance."""

    #: The token up to which the copy is complete.
    since: str
    shows: List[Show]


class MirrorSync(NamedTuple):
    """What a synchronization did."""

    #: Shows that came or were altered.
    updated: int
    #: Shows that left.
    removed: int
    #: Whether the whole country was fetched: the first time, and when the last one was longer ago than changes are kept.
    is_whole: bool


class _Copy:
    """The shows of a country. A synchronization that fails leaves them as they were before."""

    def __init__(self, open_export: OpenExport, stored: Optional[MirrorCopy], now: Callable[[], float]) -> None:
        self._open = open_export
        self._now = now
        self._shows: Dict[str, Show] = {show["id"]: show for show in stored["shows"]} if stored else {}
        self._since = stored["since"] if stored else None

    def __len__(self) -> int:
        return len(self._shows)

    @property
    def since(self) -> Optional[str]:
        """The token up to which the copy is complete; None before the first synchronization."""
        return self._since

    def get(self, id: str) -> Optional[Show]:
        """A show by its own id."""
        show = self._shows.get(id)
        return None if show is None else _refresh_expiry(show, self._now())

    def shows(self) -> Iterator[Show]:
        """All shows."""
        for show in self._shows.values():
            yield _refresh_expiry(show, self._now())

    def copy(self) -> Optional[MirrorCopy]:
        """The copy, to be stored and given to ``mirror()`` at the next start; None before the first synchronization."""
        return None if self._since is None else {"since": self._since, "shows": list(self.shows())}

    async def _synchronize(self) -> MirrorSync:
        if self._since is None:
            return await self._fetch(None)
        try:
            return await self._fetch(self._since)
        except ServiceError as error:
            # The service no longer has what happened since.
            if error.status != 410:
                raise
        return await self._fetch(None)

    async def _fetch(self, since: Optional[str]) -> MirrorSync:
        altered: Dict[str, Optional[Show]] = {}
        token: Optional[str] = None
        lines = self._open(since)
        try:
            async for line in lines:
                if "kind" not in line:
                    altered[line["id"]] = line
                elif line["kind"] == "remove":
                    altered[line["id"]] = None
                else:
                    token = line["since"]
        finally:
            await lines.aclose()
        # Readers in other threads go on with the old map.
        shows = {} if since is None else dict(self._shows)
        updated = removed = 0
        for id, show in altered.items():
            if show is not None:
                shows[id] = show
                updated += 1
            elif shows.pop(id, None) is not None:
                removed += 1
        self._shows, self._since = shows, token
        return MirrorSync(updated, removed, since is None)


class Mirror(_Copy):
    """A copy of a country. It always is what the service had at one moment."""

    def __init__(self, open_export: OpenExport, stored: Optional[MirrorCopy], now: Callable[[], float]) -> None:
        super().__init__(open_export, stored, now)
        self._lock = Lock()

    def sync(self) -> MirrorSync:
        """Fetches what was altered since the last time, or the whole country. One synchronization runs at a time."""
        with self._lock:
            return run(self._synchronize())

    def follow(self, *, every: float = 60) -> Iterator[MirrorSync]:
        """Synchronizes again and again, and yields what each time did; ``every`` is the pause in seconds."""
        while True:
            yield self.sync()
            time.sleep(every)


class AsyncMirror(_Copy):
    """As ``Mirror``, with coroutines."""

    _lock: Optional[asyncio.Lock] = None

    async def sync(self) -> MirrorSync:
        """Fetches what was altered since the last time, or the whole country. One synchronization runs at a time."""
        # Before Python 3.10 a lock belongs to the event loop in which it was made.
        if self._lock is None:
            self._lock = asyncio.Lock()
        async with self._lock:
            return await self._synchronize()

    async def follow(self, *, every: float = 60) -> AsyncIterator[MirrorSync]:
        """Synchronizes again and again, and yields what each time did; ``every`` is the pause in seconds."""
        while True:
            yield await self.sync()
            await asyncio.sleep(every)


def _refresh_expiry(show: Show, now: float) -> Show:
    """Sets ``expiresSoon`` as the service would now: time alone alters it, and so it is in no synchronization."""
    items: List[Any] = [show]
    for season in cast(Any, show).get("seasons") or []:
        items += [season, *(season.get("episodes") or [])]
    for item in items:
        for options in item["streamingOptions"].values():
            for option in options:
                if "expiresOn" in option:
                    option["expiresSoon"] = option["expiresOn"] <= now + _SOON_SECONDS
    return show
