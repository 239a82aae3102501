"""Prints what came to a country and left it since the last run: python follow_changes.py TOKEN_FILE us"""

import os
import sys
from pathlib import Path

from marquee_client import Client, ServiceError

file = Path(sys.argv[1] if len(sys.argv) > 1 else "marquee-token")
country = sys.argv[2] if len(sys.argv) > 2 else "us"
token = file.read_text() if file.exists() else "now"

with Client(os.environ["MARQUEE_KEY"], base_url=os.environ["MARQUEE_URL"]) as client:
    try:
        found = client.changes_since(country=country, change_type=["new", "removed"], item_type="show", since=token)
    except ServiceError as error:
        # The token is older than the changes that the service keeps.
        if error.code != "token_expired":
            raise
        found = client.changes_since(country=country, change_type=["new", "removed"], item_type="show", since="now")
    for change in found.changes:
        print(change["changeType"], change["show"]["title"], "on", change["service"]["name"])
    file.write_text(found.since)
    print(len(found.changes), "changes")
