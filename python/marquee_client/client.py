"""The clients."""

from __future__ import annotations

import ssl
import time
from typing import Any, AsyncGenerator, Callable, MutableMapping, Optional

from ._credentials import resolve_credentials
from ._methods import AsyncMethods, SyncMethods
from ._operations import Operations
from ._requester import Requester
from ._response import Quota
from ._transport import SocketTransport, StreamTransport, Transport
from .cache import CachedAnswer
from .mirror import AsyncMirror, Mirror, MirrorCopy
from .types import OutputLanguage, SeriesGranularity

#: Far above the largest response of the API, a series of thousands of episodes in all countries.
_MAX_RESPONSE_BYTES = 64 * 1024 * 1024


class _Base:
    """What both clients have."""

    def __init__(
        self,
        api_key: Optional[str] = None,
        *,
        base_url: Optional[str] = None,
        marketplace_base_url: Optional[str] = None,
        key_prefix: str = "mq-key-",
        marketplace: str = "Market",
        timeout: float = 30.0,
        retries: int = 2,
        cache: Optional[MutableMapping[str, CachedAnswer]] = None,
        max_response_bytes: int = _MAX_RESPONSE_BYTES,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        credentials = resolve_credentials(api_key, base_url, marketplace_base_url, key_prefix, marketplace)
        transport = self._create_transport(ssl_context)
        requester = Requester(credentials, transport, timeout, retries, max_response_bytes, cache)
        self._operations = Operations(requester)

    def _create_transport(self, ssl_context: Optional[ssl.SSLContext]) -> Transport:
        raise NotImplementedError

    @property
    def key_source(self) -> Optional[str]:
        """``"direct"`` or ``"marketplace"``; None without a key."""
        return self._operations.requester.credentials.source

    @property
    def base_url(self) -> str:
        """The base URL of the requests."""
        return self._operations.requester.credentials.base

    @property
    def quota(self) -> Optional[Quota]:
        """Quota of the key by the last response that had it; None before."""
        return self._operations.requester.quota

    def _export_opener(
        self,
        country: str,
        series_granularity: Optional[SeriesGranularity],
        output_language: Optional[OutputLanguage],
        timeout: Optional[float],
        retries: Optional[int],
    ) -> Callable[[Optional[str]], AsyncGenerator[Any, None]]:
        parameters = {
            "country": country,
            "series_granularity": series_granularity,
            "output_language": output_language,
            "cursor": None,
        }
        return lambda since: self._operations.export_catalog({**parameters, "since": since}, (timeout, retries))


class Client(_Base, SyncMethods):
    """A client of a Marquee service. It is safe for use by several threads.

    >>> client = Client("mq-key-…", base_url="https://tv.example.com/v4")
    >>> for show in client.search_by_filters(country="us", catalogs=["netflix"]):
    ...     print(show["title"])
    """

    def _create_transport(self, ssl_context: Optional[ssl.SSLContext]) -> Transport:
        return SocketTransport(ssl_context)

    def mirror(
        self,
        *,
        country: str,
        series_granularity: Optional[SeriesGranularity] = None,
        output_language: Optional[OutputLanguage] = None,
        stored: Optional[MirrorCopy] = None,
        now: Callable[[], float] = time.time,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Mirror:
        """A copy of a country in memory. Empty, or the copy that was stored before, until its first ``sync()``."""
        opener = self._export_opener(country, series_granularity, output_language, timeout, retries)
        return Mirror(opener, stored, now)

    def close(self) -> None:
        """Closes the idle connections. The client can be used again."""
        self._operations.requester.transport.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(_Base, AsyncMethods):
    """The client for asyncio.

    >>> async with AsyncClient("mq-key-…", base_url="https://tv.example.com/v4") as client:
    ...     async for show in client.search_by_filters(country="us", catalogs=["netflix"]):
    ...         print(show["title"])
    """

    def _create_transport(self, ssl_context: Optional[ssl.SSLContext]) -> Transport:
        return StreamTransport(ssl_context)

    def mirror(
        self,
        *,
        country: str,
        series_granularity: Optional[SeriesGranularity] = None,
        output_language: Optional[OutputLanguage] = None,
        stored: Optional[MirrorCopy] = None,
        now: Callable[[], float] = time.time,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> AsyncMirror:
        """A copy of a country in memory. Empty, or the copy that was stored before, until its first ``sync()``."""
        opener = self._export_opener(country, series_granularity, output_language, timeout, retries)
        return AsyncMirror(opener, stored, now)

    async def close(self) -> None:
        """Closes the idle connections. The client can be used again."""
        self._operations.requester.transport.close()

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
