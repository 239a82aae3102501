"""Connections that misbehave, are reused, compressed or cut; streams, limits, and what threads and tasks rely on."""

from __future__ import annotations

import asyncio
import gzip
import pickle
import socket
import ssl
import threading
import unittest
from pathlib import Path
from typing import Any, List

from marquee_client import (
    AsyncClient,
    Client,
    MarqueeConnectionError,
    ResponseTooLargeError,
    ServiceError,
    UsageError,
)
from marquee_client._version import __version__

from .case_server import Behaviour, CaseServer, SeenRequest, answer, reset

#: Key and certificate of this test, of no use elsewhere.
CERTIFICATE = Path(__file__).parent / "tls" / "localhost.pem"

GENRES = b'[{"id":"crime","name":"Crime"}]'
EXPECTED = [{"id": "crime", "name": "Crime"}]


class Faults(unittest.TestCase):
    def start(self, behave: Behaviour) -> CaseServer:
        server = CaseServer(behave)
        self.addCleanup(server.close)
        return server

    def client(self, server: CaseServer, **options: Any) -> Client:
        client = Client("mq-key-x", base_url=f"{server.address}/v4", **options)
        self.addCleanup(client.close)
        return client

    def both(self, server: CaseServer, **options: Any) -> List[Any]:
        """The genres by both clients: a list, or the error."""

        async def ask() -> Any:
            async with AsyncClient("mq-key-x", base_url=f"{server.address}/v4", **options) as client:
                return await client.list_genres()

        found: List[Any] = []
        for call in (lambda: self.client(server, **options).list_genres(), lambda: asyncio.run(ask())):
            try:
                found.append(call())
            except Exception as error:
                found.append(error)
        return found

    def test_requests_name_the_client_and_its_version(self) -> None:
        server = self.start(lambda sock, *_: bool(sock.sendall(answer(200, GENRES))) or True)
        self.assertEqual(self.both(server), [EXPECTED, EXPECTED])
        self.assertEqual({one.headers["user-agent"] for one in server.seen}, {f"marquee-python/{__version__}"})

    def test_a_connection_is_used_again(self) -> None:
        server = self.start(keep_alive)
        client = self.client(server)
        for _ in range(3):
            self.assertEqual(client.list_genres(), EXPECTED)
        self.assertEqual((len(server.seen), server.connections), (3, 1))

        async def ask() -> None:
            async with AsyncClient("mq-key-x", base_url=server.address) as other:
                for _ in range(3):
                    self.assertEqual(await other.list_genres(), EXPECTED)

        asyncio.run(ask())
        self.assertEqual((len(server.seen), server.connections), (6, 2))

    def test_a_connection_that_was_closed_while_idle_is_no_failure(self) -> None:
        def behave(sock: socket.socket, number: int, _: SeenRequest) -> bool:
            # The second request on the first connection gets no answer.
            if number == 1:
                reset(sock)
                return True
            return keep_alive(sock, number, _)

        client = self.client(self.start(behave), retries=0)
        self.assertEqual([client.list_genres(), client.list_genres()], [EXPECTED, EXPECTED])

    def test_a_client_works_in_one_event_loop_after_the_other(self) -> None:
        server = self.start(keep_alive)
        client = AsyncClient("mq-key-x", base_url=server.address)

        async def ask() -> Any:
            try:
                return await client.list_genres()
            finally:
                await client.close()

        for _ in range(2):
            self.assertEqual(asyncio.run(ask()), EXPECTED)

    def test_bodies_in_chunks_compressed_or_until_the_end(self) -> None:
        packed = gzip.compress(GENRES)
        chunked = b"4;x=1\r\n" + packed[:4] + b"\r\n%x\r\n" % len(packed[4:]) + packed[4:] + b"\r\n0\r\nA: b\r\n\r\n"
        head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
        for body in (
            head + b"Transfer-Encoding: chunked\r\n\r\n" + chunked,
            head + b"\r\n" + packed,
            b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\n\r\n" + GENRES,
        ):
            with self.subTest(body=body):
                # Byte for byte: nothing may rely on how bytes arrive together.
                server = self.start(lambda sock, *_: send_bytes(sock, body))
                self.assertEqual(self.both(server), [EXPECTED, EXPECTED])

    def test_what_is_not_http_or_cut_is_a_connection_error(self) -> None:
        packed = gzip.compress(GENRES)
        for body in (
            b"SSH-2.0-OpenSSH_9.2\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[]",
            b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + packed[:-9],
            b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nno gzip",
            b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\nx",
            b"HTTP/1.1 200 OK\r\nA: " + b"a" * 70_000,
        ):
            with self.subTest(body=body[:60]):
                server = self.start(lambda sock, *_: bool(sock.sendall(body)) or True)
                for error in self.both(server, retries=0):
                    self.assertIsInstance(error, MarqueeConnectionError)
                    self.assertFalse(error.timed_out)

    def test_a_body_beyond_the_limit_is_refused_however_small_it_was_sent(self) -> None:
        bomb = gzip.compress(b" " * 5_000_000)
        server = self.start(
            lambda sock, *_: bool(sock.sendall(answer(200, bomb, {"Content-Encoding": "gzip"}))) or True
        )
        for error in self.both(server, max_response_bytes=100_000):
            self.assertIsInstance(error, ResponseTooLargeError)
            self.assertEqual(error.limit, 100_000)

    def test_a_slow_drip_does_not_outlast_the_timeout(self) -> None:
        stop = threading.Event()
        self.addCleanup(stop.set)

        def drip(sock: socket.socket, *_: Any) -> bool:
            sock.sendall(b"HTTP/1.1 200 OK\r\nA: ")
            while not stop.wait(0.02):
                sock.sendall(b"a")
            return True

        for error in self.both(self.start(drip), timeout=0.3):
            self.assertIsInstance(error, MarqueeConnectionError)
            self.assertTrue(error.timed_out)

    def test_nobody_listens(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
        with self.assertRaises(MarqueeConnectionError) as caught:
            Client("mq-key-x", base_url=f"http://127.0.0.1:{port}", retries=0).list_genres()
        self.assertFalse(caught.exception.timed_out)
        self.assertIsInstance(caught.exception.__cause__, OSError)

    def test_tls_and_a_certificate_that_nobody_vouches_for(self) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
        server = CaseServer(keep_alive, context)
        self.addCleanup(server.close)
        trusting = ssl.create_default_context(cafile=str(CERTIFICATE))
        self.assertEqual(self.both(server, ssl_context=trusting), [EXPECTED, EXPECTED])
        for error in self.both(server, retries=0):
            self.assertIsInstance(error, MarqueeConnectionError)
            self.assertIsInstance(error.__cause__, ssl.SSLCertVerificationError)

    def test_a_task_that_is_cancelled_closes_its_connection(self) -> None:
        closed = threading.Event()
        asked = threading.Event()

        def wait_for_end(sock: socket.socket, *_: Any) -> bool:
            asked.set()
            try:
                ended = sock.recv(1) == b""
            except OSError:
                ended = True
            if ended:
                closed.set()
            return True

        server = self.start(wait_for_end)

        async def cancel() -> None:
            client = AsyncClient("mq-key-x", base_url=server.address)
            task = asyncio.ensure_future(client.list_genres())
            await asyncio.get_running_loop().run_in_executor(None, asked.wait, 30)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            await asyncio.get_running_loop().run_in_executor(None, closed.wait, 30)

        asyncio.run(cancel())
        self.assertTrue(closed.is_set())

    def test_threads_share_a_client(self) -> None:
        client = self.client(self.start(keep_alive))
        results: List[Any] = []
        threads = [threading.Thread(target=lambda: results.append(client.list_genres())) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [EXPECTED] * 8)

    def test_a_stream_goes_on_behind_its_last_change(self) -> None:
        def event(id: str) -> bytes:
            return b'id: %s\r\nevent: change\r\ndata: {"showId":"1",\r\ndata: "show":{"id":"1"}}\r\n\r\n' % id.encode()

        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
        expired = b'{"detail":"Too old.","code":"token_expired"}'

        def behave(sock: socket.socket, number: int, _: SeenRequest) -> bool:
            parts = [
                head + b": hello\n\nid: a\n\n" + event("b") + b"id: lost\nevent: change\n",
                answer(503, b"{}"),
                head + event("c"),
                answer(410, expired),
            ]
            sock.sendall(parts[number % 4])
            return True

        for is_async in (False, True):
            server = self.start(behave)
            with self.subTest(is_async=is_async):
                tokens: List[str] = []
                with self.assertRaises(ServiceError) as caught:
                    if is_async:
                        asyncio.run(self.follow(server, tokens))
                    else:
                        client = self.client(server)
                        client._operations.requester.transport.sleep = no_sleep  # type: ignore[method-assign]
                        for change in client.stream_changes(country="us", change_type="new", item_type=["show"]):
                            self.assertEqual(change["show"]["id"], "1")
                            tokens.append(change["since"])
                self.assertEqual(caught.exception.code, "token_expired")
                self.assertEqual(tokens, ["b", "c"])
                self.assertEqual([one.headers.get("last-event-id") for one in server.seen], [None, "b", "b", "c"])

    async def follow(self, server: CaseServer, tokens: List[str]) -> None:
        client = AsyncClient("mq-key-x", base_url=server.address)
        client._operations.requester.transport.sleep = no_sleep  # type: ignore[method-assign]
        async for change in client.stream_changes(country="us", change_type="new", item_type=["show"]):
            tokens.append(change["since"])

    def test_a_stream_that_is_left_closes_its_connection(self) -> None:
        closed = threading.Event()

        def behave(sock: socket.socket, *_: Any) -> bool:
            sock.sendall(b'HTTP/1.1 200 OK\r\n\r\nevent: change\nid: a\ndata: {"showId":"1","show":{"id":"1"}}\n\n')
            try:
                sock.recv(1)
            except OSError:
                pass
            closed.set()
            return True

        changes = self.client(self.start(behave)).stream_changes(country="us", change_type="new", item_type="show")
        self.assertEqual(next(changes)["since"], "a")
        changes.close()  # type: ignore[attr-defined]
        self.assertTrue(closed.wait(30))

    def test_limits_that_cannot_be(self) -> None:
        for options in ({"timeout": 0}, {"retries": -1}, {"max_response_bytes": 0}):
            with self.assertRaises(UsageError):
                Client("mq-key-x", **options)  # type: ignore[arg-type]
        with self.assertRaises(UsageError):
            Client("mq-key-x").list_genres(timeout=-1)
        with self.assertRaises(UsageError):
            Client("mq-key-x").search_by_filters(country="us", max_items=-1)
        with self.assertRaises(TypeError):
            Client("mq-key-x").list_genres(langauge="en")  # type: ignore[call-arg]

    def test_errors_can_be_sent_to_another_process(self) -> None:
        error = ServiceError("No.", "http://x", 404, "id", 3)
        error.code = "not_found"
        copy = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(copy), copy.status, copy.code, copy.retry_after), ("No.", 404, "not_found", 3))


async def no_sleep(_: float) -> None:
    pass


def keep_alive(sock: socket.socket, *_: Any) -> bool:
    sock.sendall(answer(200, GENRES, {"Connection": "keep-alive"}))
    return False


def send_bytes(sock: socket.socket, data: bytes) -> bool:
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for at in range(len(data)):
        sock.sendall(data[at : at + 1])
    return True
