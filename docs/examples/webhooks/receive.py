"""A receiver of webhooks in Python, with nothing but its standard library:
WEBHOOK_SECRET=whsec_… PORT=3000 python3 receive.py
"""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300


def verify(secret: str, headers, body: bytes) -> bool:
    """Whether a message is signed with the secret, and recent."""
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # While a secret is being replaced there are two signatures.
    for signature in headers.get("webhook-signature", "").split():
        version, _, value = signature.partition(",")
        if version == "v1" and hmac.compare_digest(value.encode(), expected):
            return True
    return False


class Receiver(BaseHTTPRequestHandler):
    # A message comes again when its answer was lost. Use your database for this.
    handled = set()

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not verify(os.environ["WEBHOOK_SECRET"], self.headers, body):
            self.send_response(401)
            self.end_headers()
            return
        message_id = self.headers["webhook-id"]
        if message_id not in self.handled:
            self.handle_message(json.loads(body))
            self.handled.add(message_id)
        self.send_response(204)
        self.end_headers()

    def handle_message(self, message):
        data = message["data"]
        for change in data.get("changes", []):
            title = data["shows"][change["showId"]]["title"]
            print(message["type"], change["changeType"], title, "on", change["service"]["name"], flush=True)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver)
    print(f"listening on {server.server_port}", flush=True)
    server.serve_forever()
