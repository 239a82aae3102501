"""HTTP/1.1 for GET requests over any connection.

The functions are coroutines. Over a blocking socket they never suspend, so that one implementation serves both clients.
"""

from __future__ import annotations

import asyncio
import http.client
import io
import re
import socket
import time
import zlib
from email.message import Message
from typing import AsyncGenerator, Callable, Dict, Optional
from urllib.parse import SplitResult

#: The most bytes of a response's head.
MAX_HEAD_BYTES = 64 * 1024
#: Bytes that one decompression step yields at most.
_STEP_BYTES = 1024 * 1024
#: Operating systems refuse longer timers.
_MAX_TIMER_SECONDS = 2_000_000.0

#: A timeout of a socket or of asyncio; they are one class only from Python 3.11 on.
TIMEOUTS = (socket.timeout, asyncio.TimeoutError)


class ProtocolError(Exception):
    """The peer does not speak HTTP/1.1, or stopped in the middle of a response."""


class Deadline:
    """The end of a call."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def remaining(self) -> float:
        """Seconds that are left. Raises a timeout when there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise socket.timeout("timed out")
        return min(left, _MAX_TIMER_SECONDS)

    def allows(self, seconds: float) -> bool:
        """Whether a pause would end before the deadline."""
        return time.monotonic() + seconds < self._end


class Connection:
    """One connection to the service."""

    #: Whether a response was received on it before.
    is_reused = False

    async def send(self, data: bytes, deadline: Deadline) -> None:
        """Sends all bytes."""
        raise NotImplementedError

    async def receive(self, deadline: Deadline) -> bytes:
        """Receives some bytes; none at the end."""
        raise NotImplementedError

    def is_usable(self) -> bool:
        """Whether the connection may serve another request here."""
        raise NotImplementedError

    def close(self) -> None:
        """Closes the connection at once."""
        raise NotImplementedError


def format_request(url: SplitResult, headers: Dict[str, str]) -> bytes:
    """Formats a GET request."""
    target = (url.path or "/") + (f"?{url.query}" if url.query else "")
    lines = [f"GET {target} HTTP/1.1", f"Host: {url.netloc}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


class Response:
    """A response whose body is read part by part."""

    def __init__(self, connection: Connection) -> None:
        self.status = 0
        self.headers: Message = Message()
        #: Whether the whole response was read, and the connection can be used again.
        self.is_complete = False
        self._connection = connection
        self._buffer = bytearray()
        self._is_persistent = False
        #: Whether anything was received.
        self.has_begun = False

    async def read_head(self, deadline: Deadline) -> None:
        """Reads status and headers. Interim responses are skipped."""
        while True:
            end = self._buffer.find(b"\r\n\r\n")
            while end < 0:
                if len(self._buffer) > MAX_HEAD_BYTES or not b"HTTP/1.".startswith(bytes(self._buffer[:7])):
                    raise ProtocolError("this is not a response of HTTP/1.1")
                await self._receive(deadline, "the connection was closed without an answer")
                end = self._buffer.find(b"\r\n\r\n")
            head = bytes(self._buffer[: end + 4])
            del self._buffer[: end + 4]
            line, _, fields = head.partition(b"\r\n")
            match = re.fullmatch(rb"HTTP/1\.([01]) (\d{3})(?: .*)?", line)
            if match is None:
                raise ProtocolError("this is not a response of HTTP/1.1")
            self._is_persistent = match[1] == b"1"
            self.status = int(match[2])
            try:
                self.headers = http.client.parse_headers(io.BytesIO(fields))
            except http.client.HTTPException as error:
                raise ProtocolError(f"the headers cannot be read: {error}") from error
            if self.status >= 200:
                return

    async def parts(self, deadline: Optional[Deadline], part_seconds: float = 0) -> AsyncGenerator[bytes, None]:
        """Yields the decoded body. Without a deadline, each part has ``part_seconds`` to arrive."""
        encoding = self.headers.get("Content-Encoding", "identity").strip().lower()
        if encoding not in ("identity", "gzip"):
            raise ProtocolError(f"the content encoding {encoding} was not asked for")
        raw = self._raw_parts(deadline, part_seconds)
        try:
            if encoding == "identity":
                async for part in raw:
                    yield part
                return
            inflate = zlib.decompressobj(16 + zlib.MAX_WBITS)
            async for part in raw:
                while part:
                    try:
                        text = inflate.decompress(part, _STEP_BYTES)
                    except zlib.error as error:
                        raise ProtocolError(f"the body cannot be decompressed: {error}") from error
                    part = inflate.unconsumed_tail
                    if text:
                        yield text
            if not inflate.eof and self.status not in (204, 304):
                raise ProtocolError("the compressed body is cut off")
        finally:
            await raw.aclose()

    async def _raw_parts(self, deadline: Optional[Deadline], part_seconds: float) -> AsyncGenerator[bytes, None]:
        """Yields the body as it was sent, without its framing."""

        def limit() -> Deadline:
            return deadline if deadline is not None else Deadline(part_seconds)

        keeps_alive = self._is_persistent and "close" not in self.headers.get("Connection", "").lower()
        if self.status in (204, 304):
            left: Optional[int] = 0
        elif "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            async for part in self._chunks(limit):
                yield part
            self.is_complete = keeps_alive and not self._buffer
            return
        else:
            left = _parse_length(self.headers.get("Content-Length"))
        while left is None or left > 0:
            if not self._buffer:
                data = await self._connection.receive(limit())
                if not data:
                    if left is None:
                        return
                    raise ProtocolError(f"the body is cut off: {left} bytes are missing")
                self._buffer += data
            part = bytes(self._buffer if left is None else self._buffer[:left])
            del self._buffer[: len(part)]
            left = None if left is None else left - len(part)
            yield part
        self.is_complete = keeps_alive and not self._buffer

    async def _chunks(self, limit: Callable[[], Deadline]) -> AsyncGenerator[bytes, None]:
        while True:
            line = await self._line(limit)
            match = re.match(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;|\Z)", line)
            if match is None:
                raise ProtocolError("the body is not in chunks")
            left = int(match[1], 16)
            if left == 0:
                while await self._line(limit):
                    pass
                return
            while left > 0:
                if not self._buffer:
                    await self._receive(limit(), "the body is cut off")
                part = bytes(self._buffer[:left])
                del self._buffer[: len(part)]
                left -= len(part)
                yield part
            if await self._line(limit):
                raise ProtocolError("a chunk is longer than it says")

    async def _line(self, limit: Callable[[], Deadline]) -> bytes:
        end = self._buffer.find(b"\n")
        while end < 0:
            if len(self._buffer) > MAX_HEAD_BYTES:
                raise ProtocolError("a line of the framing is too long")
            await self._receive(limit(), "the body is cut off")
            end = self._buffer.find(b"\n")
        line = bytes(self._buffer[:end]).rstrip(b"\r")
        del self._buffer[: end + 1]
        return line

    async def _receive(self, deadline: Deadline, problem: str) -> None:
        data = await self._connection.receive(deadline)
        if not data:
            raise ProtocolError(problem)
        self.has_begun = True
        self._buffer += data


def _parse_length(text: Optional[str]) -> Optional[int]:
    if text is None:
        return None
    if not re.fullmatch(r"[0-9]{1,18}", text.strip()):
        raise ProtocolError("the length of the body cannot be read")
    return int(text)
