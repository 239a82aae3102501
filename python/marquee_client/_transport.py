"""Connections over blocking sockets and over asyncio, and a pool of idle ones."""

from __future__ import annotations

import asyncio
import os
import select
import socket
import ssl
import time
from typing import Any, Callable, Coroutine, List, Optional, TypeVar
from urllib.parse import SplitResult

from ._http import Connection, Deadline

Result = TypeVar("Result")

#: Idle connections that a client keeps.
_MAX_IDLE = 8
#: Idle connections are closed after this time: services and balancers close them, too.
_MAX_IDLE_SECONDS = 50.0
_PART_BYTES = 64 * 1024


class Transport:
    """Opens connections to one origin and keeps idle ones."""

    def __init__(self, ssl_context: Optional[ssl.SSLContext]) -> None:
        self._ssl_context = ssl_context
        # Appending and popping are atomic: threads need no lock.
        self._idle: List[Connection] = []

    async def open(self, url: SplitResult, deadline: Deadline) -> Connection:
        """Opens a new connection."""
        raise NotImplementedError

    async def sleep(self, seconds: float) -> None:
        """Pauses."""
        raise NotImplementedError

    def take_idle(self) -> Optional[Connection]:
        """Takes an idle connection, if there is a usable one."""
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:
                break
            if connection.is_usable():
                return connection
            connection.close()
        return None

    def put_idle(self, connection: Connection) -> None:
        """Keeps a connection for the next request."""
        if len(self._idle) >= _MAX_IDLE:
            connection.close()
            return
        connection.is_reused = True
        self._idle.append(connection)

    def close(self) -> None:
        """Closes the idle connections."""
        while self._idle:
            self._idle.pop().close()

    def tls(self, url: SplitResult) -> Optional[ssl.SSLContext]:
        """The TLS settings for a URL; None without TLS."""
        if url.scheme != "https":
            return None
        if self._ssl_context is None:
            self._ssl_context = ssl.create_default_context()
        return self._ssl_context


class _SocketConnection(Connection):
    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._pid = os.getpid()
        self._used = time.monotonic()

    async def send(self, data: bytes, deadline: Deadline) -> None:
        self._sock.settimeout(deadline.remaining())
        self._sock.sendall(data)

    async def receive(self, deadline: Deadline) -> bytes:
        self._sock.settimeout(deadline.remaining())
        data = self._sock.recv(_PART_BYTES)
        self._used = time.monotonic()
        return data

    def is_usable(self) -> bool:
        # After a fork, parent and child must not share a connection.
        if self._pid != os.getpid() or time.monotonic() - self._used > _MAX_IDLE_SECONDS:
            return False
        try:
            # Bytes or an end before any request: the service has closed it.
            if hasattr(select, "poll"):
                poll = select.poll()
                poll.register(self._sock, select.POLLIN)
                return not poll.poll(0)
            return not select.select([self._sock], [], [], 0)[0]
        except (OSError, ValueError):
            return False

    def close(self) -> None:
        try:
            self._sock.close()
        except OSError:
            pass


class SocketTransport(Transport):
    """Blocking sockets: its coroutines never suspend."""

    async def open(self, url: SplitResult, deadline: Deadline) -> Connection:
        host, port = _address(url)
        failure: Optional[OSError] = None
        for family, kind, protocol, _, address in socket.getaddrinfo(host, port, 0, socket.SOCK_STREAM):
            sock: Optional[socket.socket] = None
            try:
                sock = socket.socket(family, kind, protocol)
                sock.settimeout(deadline.remaining())
                sock.connect(address)
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                context = self.tls(url)
                if context is not None:
                    sock.settimeout(deadline.remaining())
                    sock = context.wrap_socket(sock, server_hostname=host)
                return _SocketConnection(sock)
            except OSError as error:
                failure = error
                if sock is not None:
                    sock.close()
                deadline.remaining()
        raise failure if failure is not None else OSError(f"{host} has no address")

    async def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


class _StreamConnection(Connection):
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._loop = asyncio.get_running_loop()
        self._pid = os.getpid()
        self._used = time.monotonic()

    async def send(self, data: bytes, deadline: Deadline) -> None:
        self._writer.write(data)
        await _within(self._writer.drain(), deadline)

    async def receive(self, deadline: Deadline) -> bytes:
        data = await _within(self._reader.read(_PART_BYTES), deadline)
        self._used = time.monotonic()
        return data

    def is_usable(self) -> bool:
        if self._pid != os.getpid() or time.monotonic() - self._used > _MAX_IDLE_SECONDS:
            return False
        # A connection belongs to the event loop that opened it.
        if self._loop is not asyncio.get_running_loop() or self._writer.is_closing():
            return False
        return not self._reader.at_eof() and self._reader.exception() is None

    def close(self) -> None:
        # The transport of a loop that is closed is closed with it.
        if not self._loop.is_closed():
            self._writer.transport.abort()


class StreamTransport(Transport):
    """Streams of asyncio."""

    async def open(self, url: SplitResult, deadline: Deadline) -> Connection:
        host, port = _address(url)
        context = self.tls(url)
        opening = asyncio.open_connection(host, port, ssl=context, server_hostname=host if context else None)
        reader, writer = await _within(opening, deadline, lambda opened: opened[1].transport.abort())
        return _StreamConnection(reader, writer)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


async def _within(
    work: Coroutine[Any, Any, Result], deadline: Deadline, discard: Callable[[Result], None] = lambda _: None
) -> Result:
    """Awaits work until the deadline; ``discard`` gets a result that comes too late.

    Before Python 3.12, ``asyncio.wait_for`` loses a cancellation that comes together with the result.
    """

    def drop(ended: "asyncio.Task[Result]") -> None:
        if not ended.cancelled() and ended.exception() is None:
            discard(ended.result())

    try:
        seconds = deadline.remaining()
    except OSError:
        work.close()
        raise
    task = asyncio.ensure_future(work)
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    except asyncio.CancelledError:
        task.cancel()
        task.add_done_callback(drop)
        raise
    if not done:
        task.cancel()
        task.add_done_callback(drop)
        raise asyncio.TimeoutError()
    return task.result()


def _address(url: SplitResult) -> "tuple[str, int]":
    return url.hostname or "", url.port or (443 if url.scheme == "https" else 80)
