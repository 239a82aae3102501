"""A server on the loopback that answers prepared bytes and records what it was asked."""

from __future__ import annotations

import json
import socket
import ssl
import struct
import threading
from typing import Any, Callable, Dict, List, NamedTuple, Optional
from urllib.parse import parse_qsl


class SeenRequest(NamedTuple):
    """A request as it came over the wire."""

    method: str
    path: str
    query: Dict[str, str]
    headers: Dict[str, str]


#: Answers the n-th request on its connection. The connection is closed if it returns True.
Behaviour = Callable[[socket.socket, int, SeenRequest], bool]


class CaseServer:
    """Runs in threads of its own until it is closed."""

    def __init__(self, behave: Behaviour, tls: Optional[ssl.SSLContext] = None) -> None:
        self.seen: List[SeenRequest] = []
        #: Connections that were accepted.
        self.connections = 0
        self._behave = behave
        self._tls = tls
        self._open: List[socket.socket] = []
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.address = f"{'http' if tls is None else 'https'}://127.0.0.1:{self._listener.getsockname()[1]}"
        self._is_closing = False
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def close(self) -> None:
        # A descriptor that is closed under a thread may be given to another server: all threads end first.
        if self._is_closing:
            return
        self._is_closing = True
        socket.create_connection(self._listener.getsockname()).close()
        self._threads[0].join()
        self._listener.close()
        for sock in self._open:
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        for thread in self._threads[1:]:
            thread.join()

    def __enter__(self) -> "CaseServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _accept(self) -> None:
        while True:
            sock, _ = self._listener.accept()
            if self._is_closing:
                sock.close()
                return
            self.connections += 1
            self._open.append(sock)
            thread = threading.Thread(target=self._serve, args=(sock,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, sock: socket.socket) -> None:
        try:
            if self._tls is not None:
                sock = self._tls.wrap_socket(sock, server_side=True)
                self._open.append(sock)
            with sock.makefile("rb") as reader:
                while True:
                    line = reader.readline().decode("latin-1").split()
                    if len(line) < 2:
                        break
                    headers = {}
                    for field in iter(reader.readline, b"\r\n"):
                        if not field:
                            return
                        name, _, value = field.decode("latin-1").partition(":")
                        headers[name.lower()] = value.strip()
                    path, _, search = line[1].partition("?")
                    request = SeenRequest(line[0], path, dict(parse_qsl(search, keep_blank_values=True)), headers)
                    with self._lock:
                        number = len(self.seen)
                        self.seen.append(request)
                    if self._behave(sock, number, request):
                        break
        except OSError:
            pass
        finally:
            sock.close()


def answer(status: int, body: bytes = b"", headers: Dict[str, str] = {}, length: int = -1) -> bytes:
    """A response in bytes, after which the connection is closed."""
    fields = {"Content-Length": str(len(body) if length < 0 else length), "Connection": "close", **headers}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {status} X\r\n{head}\r\n".encode("latin-1") + body


def reset(sock: socket.socket) -> None:
    """Makes the next close a reset of the connection."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


_BODY = b'[{"id":"crime","name":"Crime"}]'


def prepared(answers: List[Dict[str, Any]]) -> Behaviour:
    """Gives prepared answers, one after the other. A request too many gets an error."""

    def behave(sock: socket.socket, number: int, _: SeenRequest) -> bool:
        one = answers[number] if number < len(answers) else {"status": 500, "json": {"message": "One too many."}}
        fault = one.get("fault")
        if fault == "stall":
            return False
        if fault == "reset":
            reset(sock)
            return True
        if fault is not None:
            sock.sendall(answer(200, _BODY[: len(_BODY) // 2], {"content-type": "application/json"}, len(_BODY)))
            return fault == "cut"
        headers = dict(one.get("headers", {}))
        body = str(one.get("text", "")).encode()
        if "json" in one:
            body = json.dumps(one["json"]).encode()
            is_problem = one["status"] >= 400 and "detail" in one["json"]
            headers.setdefault("content-type", "application/problem+json" if is_problem else "application/json")
        sock.sendall(answer(one["status"], b"" if one["status"] == 304 else body, headers))
        return True

    return behave
