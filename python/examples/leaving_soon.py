"""Prints what leaves a service within a week: python leaving_soon.py netflix us"""

import os
import sys

from marquee_client import Client, is_leaving_soon, offers_in

service, country = (sys.argv[1:] + ["netflix", "us"][len(sys.argv) - 1 :])[:2]

with Client(os.environ["MARQUEE_KEY"], base_url=os.environ["MARQUEE_URL"]) as client:
    for show in client.search_by_filters(country=country, catalogs=[service], order_by="leaving", max_items=20):
        if any(
            offer["service"]["id"] == service and is_leaving_soon(offer, days=7) for offer in offers_in(show, country)
        ):
            print(show["title"])
