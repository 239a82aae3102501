"""Requests with the key, within a timeout, with retries and revalidation."""

from __future__ import annotations

import random
import re
import ssl
from datetime import datetime
from typing import Any, AsyncGenerator, Dict, Iterable, Mapping, MutableMapping, Optional, Tuple
from urllib.parse import quote, urlencode, urlsplit

from ._credentials import Credentials
from ._http import TIMEOUTS, Connection, Deadline, ProtocolError, Response, format_request
from ._response import Check, Quota, ResponseInfo, parse_body, parse_quota
from ._retry import backoff_seconds, is_retryable
from ._transport import Transport
from ._version import __version__
from .cache import CachedAnswer
from .errors import MarqueeConnectionError, MarqueeError, ResponseTooLargeError, UsageError

#: Errors come as problem details (RFC 9457), with all that the service says of them.
_ACCEPT = "application/json, application/problem+json"


class Requester:
    """Sends GET requests. Its coroutines suspend only where the transport does."""

    def __init__(
        self,
        credentials: Credentials,
        transport: Transport,
        timeout: float,
        retries: int,
        max_response_bytes: int,
        cache: Optional[MutableMapping[str, CachedAnswer]],
    ) -> None:
        _check_limits(timeout, retries)
        if not max_response_bytes > 0:
            raise UsageError(f"max_response_bytes is {max_response_bytes}; it must be above 0")
        self.credentials = credentials
        self.transport = transport
        #: The quota by the last response that had its headers.
        self.quota: Optional[Quota] = None
        self._timeout = timeout
        self._retries = retries
        self._max_bytes = max_response_bytes
        self._cache = cache

    async def get(
        self,
        path: str,
        parameters: Mapping[str, Any],
        check: Check,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Any:
        """Requests a path and returns the checked body."""
        _check_limits(timeout, retries)
        retries = self._retries if retries is None else retries
        deadline = Deadline(self._timeout if timeout is None else timeout)
        url = request_url(self.credentials.base, path, parameters)
        retry = 1
        while True:
            try:
                return await self._attempt(url, check, deadline)
            except MarqueeError as error:
                if retry > retries or not is_retryable(error):
                    raise
                pause = backoff_seconds(retry, error, random.random())
                if not deadline.allows(pause):
                    raise
                await self.transport.sleep(pause)
            retry += 1

    async def lines(
        self,
        path: str,
        parameters: Mapping[str, Any],
        timeout: Optional[float],
        headers: Mapping[str, str],
    ) -> AsyncGenerator[Tuple[bytes, ResponseInfo], None]:
        """Requests a path once and yields the lines of the body as they arrive, without their ends.

        The timeout holds for the head and for each part of the body.
        """
        seconds = self._timeout if timeout is None else timeout
        url = request_url(self.credentials.base, path, parameters)
        connection, response = await self._open(url, headers, Deadline(seconds))
        try:
            info = ResponseInfo(url, response.status, response.headers)
            self.quota = parse_quota(response.headers) or self.quota
            if response.status != 200:
                body = await self._read_body(response, info, Deadline(seconds))
                parse_body(info, body, lambda _: None)
            rest = bytearray()
            async for part in self._guarded_parts(response, info, None, seconds):
                rest += part
                if b"\n" in part:
                    *lines, last = rest.split(b"\n")
                    rest = bytearray(last)
                    for line in lines:
                        yield bytes(line), info
                if len(rest) > self._max_bytes:
                    raise self._too_large(info)
            if rest:
                yield bytes(rest), info
        finally:
            self._release(connection, response)

    def check_limits(self, timeout: Optional[float], retries: Optional[int]) -> None:
        """Raises a UsageError for limits that cannot be."""
        _check_limits(timeout, retries)

    async def pause_before(self, retry: int, error: MarqueeError, retries: Optional[float]) -> None:
        """Waits before a retry; raises the error instead when there were too many."""
        if retry > (self._retries if retries is None else retries):
            raise error
        await self.transport.sleep(backoff_seconds(retry, error, random.random()))

    async def _attempt(self, url: str, check: Check, deadline: Deadline) -> Any:
        """Sends one request and parses its response."""
        cached = self._get_cached(url)
        headers = {} if cached is None else {"If-None-Match": cached.etag}
        connection, response = await self._open(url, headers, deadline)
        try:
            info = ResponseInfo(url, response.status, response.headers)
            text = await self._read_body(response, info, deadline)
        finally:
            self._release(connection, response)
        self.quota = parse_quota(response.headers) or self.quota
        if cached is not None and info.status == 304:
            return parse_body(info._replace(status=200), cached.body, check)
        body = parse_body(info, text, check)
        etag = response.headers.get("ETag")
        if etag is not None:
            self._set_cached(url, CachedAnswer(etag, text))
        return body

    async def _open(self, url: str, headers: Mapping[str, str], deadline: Deadline) -> Tuple[Connection, Response]:
        """Sends a request and reads the head of its response."""
        target = urlsplit(url)
        request = format_request(target, {**self._headers(), **headers})
        while True:
            connection: Optional[Connection] = None
            response: Optional[Response] = None
            try:
                connection = self.transport.take_idle() or await self.transport.open(target, deadline)
                response = Response(connection)
                await connection.send(request, deadline)
                await response.read_head(deadline)
                return connection, response
            except BaseException as error:
                if connection is not None:
                    connection.close()
                if not isinstance(error, (OSError, ProtocolError, *TIMEOUTS)):
                    raise
                # The service may close an idle connection at the moment of the request: then it has not seen it.
                is_stale = connection is not None and connection.is_reused and not (response and response.has_begun)
                if is_stale and not _is_timeout(error):
                    continue
                raise _connection_error(url, error, deadline.seconds) from error

    async def _read_body(self, response: Response, info: ResponseInfo, deadline: Deadline) -> bytes:
        body = bytearray()
        async for part in self._guarded_parts(response, info, deadline, deadline.seconds):
            body += part
            if len(body) > self._max_bytes:
                raise self._too_large(info)
        return bytes(body)

    async def _guarded_parts(
        self, response: Response, info: ResponseInfo, deadline: Optional[Deadline], seconds: float
    ) -> AsyncGenerator[bytes, None]:
        """The parts of a body; faults of the connection become errors of the client."""
        parts = response.parts(deadline, seconds)
        try:
            async for part in parts:
                yield part
        except (OSError, ProtocolError, *TIMEOUTS) as error:
            raise _connection_error(info.url, error, seconds) from error
        finally:
            await parts.aclose()

    def _release(self, connection: Connection, response: Response) -> None:
        # A response that was not read to its end leaves bytes on the connection.
        if response.is_complete:
            self.transport.put_idle(connection)
        else:
            connection.close()

    def _headers(self) -> Dict[str, str]:
        return {
            "Accept": _ACCEPT,
            "Accept-Encoding": "gzip",
            "User-Agent": f"marquee-python/{__version__}",
            # With strict handling the service refuses unknown parameters instead of ignoring them.
            "Prefer": "handling=strict",
            **self.credentials.headers,
        }

    def _get_cached(self, url: str) -> Optional[CachedAnswer]:
        """Reads the cache. An error counts as a miss."""
        try:
            return None if self._cache is None else self._cache.get(url)
        except Exception:
            return None

    def _set_cached(self, url: str, answer: CachedAnswer) -> None:
        """Writes to the cache. An error of the cache, such as a full disk, does not fail the call."""
        try:
            if self._cache is not None:
                self._cache[url] = answer
        except Exception:
            pass

    def _too_large(self, info: ResponseInfo) -> ResponseTooLargeError:
        message = f"The answer of {info.url} is longer than {self._max_bytes} bytes"
        error = ResponseTooLargeError(message, info.url, info.status, info.request_id)
        error.limit = self._max_bytes
        return error


def _is_timeout(error: BaseException) -> bool:
    # The operating system gives up on a connection with an errno; that is not the timeout of the call.
    return isinstance(error, TIMEOUTS) and getattr(error, "errno", None) is None


def _connection_error(url: str, error: BaseException, seconds: float) -> MarqueeConnectionError:
    if _is_timeout(error):
        return MarqueeConnectionError(f"No answer from {url} within {seconds:g} s", url, True)
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    if isinstance(error, ssl.SSLCertVerificationError):
        reason = error.verify_message
    return MarqueeConnectionError(f"Could not reach {url}: {reason or type(error).__name__}", url)


def _check_limits(timeout: Optional[float], retries: Optional[float]) -> None:
    if timeout is not None and not timeout > 0:
        raise UsageError(f"timeout is {timeout}; it must be above 0")
    if retries is not None and not retries >= 0:
        raise UsageError(f"retries is {retries}; it must be 0 or more")


def request_url(base: str, path: str, parameters: Mapping[str, Any]) -> str:
    """Builds the URL of a request. None and empty values are left out."""
    texts = ((name, _parameter_text(value)) for name, value in parameters.items())
    query = urlencode([(name, text) for name, text in texts if text != ""])
    return f"{base}{path}?{query}" if query else base + path


def _parameter_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    # Times of the API are Unix seconds.
    if isinstance(value, datetime):
        return str(int(value.timestamp() // 1))
    if isinstance(value, (str, int, float)):
        return str(value)
    if isinstance(value, Iterable):
        return ",".join(str(one) for one in value)
    raise UsageError(f"{value!r} cannot be the value of a parameter")


def id_path(what: str, id: str, segments: int) -> str:
    """Builds the path of an id. An id with a slash has two segments.

    Empty segments and dots would change the path, so they are a UsageError.
    """
    parts = str(id).split("/")
    if len(parts) > segments or any(re.fullmatch(r"\.{0,2}", part) for part in parts):
        raise UsageError(f"{id!r} is not {what}")
    return "/" + "/".join(quote(part, safe="!*'()~") for part in parts)
