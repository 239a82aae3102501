"""Every call against a running service, with both clients. Skipped without MARQUEE_TEST_ADDRESS."""

from __future__ import annotations

import asyncio
import json
import os
import unittest
from datetime import datetime, timedelta, timezone
from typing import Any, Dict

from marquee_client import AsyncClient, Client, MemoryCache, Mirror, ServiceError, offers_in

#: Past changes are kept for 31 days.
LATELY = datetime.now(timezone.utc) - timedelta(days=30)

ADDRESS = os.environ.get("MARQUEE_TEST_ADDRESS", "")


@unittest.skipUnless(ADDRESS, "there is no service: set MARQUEE_TEST_ADDRESS")
class Service(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Client(os.environ["MARQUEE_TEST_KEY"], base_url=f"{ADDRESS}/v4", cache=MemoryCache())
        self.addCleanup(self.client.close)

    def check_calls(self, found: Dict[str, Any]) -> None:
        show = found["show"]
        self.assertEqual(show["id"], found["by_imdb"]["id"])
        self.assertEqual([one["id"] for one in found["shows"]], [show["id"]])
        self.assertTrue(offers_in(show, "US"))
        self.assertIn(show["id"], [one["id"] for one in found["by_title"]])
        self.assertEqual(len(found["filtered"]), 30)
        self.assertEqual(len({one["id"] for one in found["filtered"]}), 30)
        self.assertGreaterEqual(found["count"]["count"], 30)
        self.assertEqual(found["partial"], [{"title": one["title"]} for one in found["filtered"][:2]])
        self.assertIsInstance(found["top"], list)
        self.assertTrue(all(one["id"] != show["id"] for one in found["similar"]))
        self.assertIn(show["cast"][0], [one["name"] for one in found["people"]])
        self.assertTrue(0 < len(found["changes"]) <= 25)
        self.assertTrue(all(one["show"]["id"] == one["showId"] for one in found["changes"]))
        self.assertEqual(found["since"].changes, [])
        self.assertTrue(found["since"].since)
        self.assertIn("us", [one["countryCode"] for one in found["countries"]])
        self.assertEqual(found["country"]["countryCode"], "us")
        self.assertIn("drama", [one["id"] for one in found["genres"]])
        self.assertTrue(found["export"][0]["since"])
        self.assertIn(show["id"], [one.get("id") for one in found["export"]])
        self.assertEqual(found["error"].status, 404)
        self.assertEqual(found["error"].code, "not_found")
        self.assertTrue(found["error"].request_id)

    def test_every_call(self) -> None:
        client = self.client
        show = client.search_by_filters(country="us", show_type="movie", order_by="rating", max_items=1).all()[0]
        found: Dict[str, Any] = {
            "show": client.get_show(show["id"]),
            "by_imdb": client.get_show(show["imdbId"], country="us"),
            "shows": client.get_shows([show["imdbId"]], country="us"),
            "by_title": client.search_by_title(show["title"], country="us"),
            "filtered": client.search_by_filters(country="us", max_items=30).all(),
            "count": client.count_shows(country="us"),
            "partial": client.search_by_filters(country="us", fields=["title"], max_items=2).all(),
            "top": client.get_top_shows(country="us", service="netflix"),
            "similar": client.get_similar_shows(show["id"], country="us"),
            "people": client.search_people(show["cast"][0]),
            "changes": client.list_changes(country="us", change_type="new", item_type="show", from_=LATELY, max_items=25).all(),
            "since": client.changes_since(country="us", change_type="new", item_type="show", since="now"),
            "countries": client.list_countries(),
            "country": client.get_country("US"),
            "genres": client.list_genres(),
            "export": list(client.export_catalog(country="us")),
        }
        with self.assertRaises(ServiceError) as caught:
            client.get_show("tt9999999999")
        self.check_calls({**found, "error": caught.exception})
        self.assertIsNotNone(client.quota)
        # The second answer comes from the cache after a 304.
        self.assertEqual(client.list_genres(), found["genres"])

    def test_every_call_async(self) -> None:
        async def ask() -> Dict[str, Any]:
            async with AsyncClient(os.environ["MARQUEE_TEST_KEY"], base_url=f"{ADDRESS}/v4") as client:
                first = await client.search_by_filters(country="us", show_type="movie", order_by="rating").page()
                show = first.items[0]
                calls: Dict[str, Any] = {
                    "show": client.get_show(show["id"]),
                    "by_imdb": client.get_show(show["imdbId"], country="us"),
                    "shows": client.get_shows([show["imdbId"]], country="us"),
                    "by_title": client.search_by_title(show["title"], country="us"),
                    "filtered": client.search_by_filters(country="us", max_items=30).all(),
                    "count": client.count_shows(country="us"),
                    "partial": client.search_by_filters(country="us", fields=["title"], max_items=2).all(),
                    "top": client.get_top_shows(country="us", service="netflix"),
                    "similar": client.get_similar_shows(show["id"], country="us"),
                    "people": client.search_people(show["cast"][0]),
                    "since": client.changes_since(country="us", change_type="new", item_type="show", since="now"),
                    "countries": client.list_countries(),
                    "country": client.get_country("US"),
                    "genres": client.list_genres(),
                }
                found = dict(zip(calls, await asyncio.gather(*calls.values())))
                changes = client.list_changes(country="us", change_type="new", item_type="show", from_=LATELY, max_items=25)
                found["changes"] = [change async for change in changes]
                found["export"] = [line async for line in client.export_catalog(country="us")]
                try:
                    await client.get_show("tt9999999999")
                except ServiceError as error:
                    found["error"] = error
                return found

        self.check_calls(asyncio.run(ask()))

    def test_a_mirror_is_kept_in_step(self) -> None:
        mirror = self.client.mirror(country="us", series_granularity="show")
        self.assertTrue(mirror.sync().is_whole)
        self.assertEqual(len(mirror), self.client.count_shows(country="us")["count"])
        stored = json.loads(json.dumps(mirror.copy()))
        again: Mirror = self.client.mirror(country="us", series_granularity="show", stored=stored)
        self.assertEqual(tuple(again.sync()), (0, 0, False))
        self.assertEqual([one["id"] for one in again.shows()], [one["id"] for one in mirror.shows()])

        async def synchronize() -> int:
            async with AsyncClient(os.environ["MARQUEE_TEST_KEY"], base_url=f"{ADDRESS}/v4") as client:
                other = client.mirror(country="us")
                await other.sync()
                return len(other)

        self.assertEqual(asyncio.run(synchronize()), len(mirror))

    def test_a_stream_begins_behind_a_token(self) -> None:
        head = next(iter(self.client.export_catalog(country="us")))
        # Nothing happens meanwhile: the stream waits until its timeout, and is given up.
        changes = self.client.stream_changes(
            country="us", change_type=["new", "removed"], item_type="show", since=str(head.get("since")), timeout=0.2, retries=0
        )
        with self.assertRaises(Exception) as caught:
            next(changes)
        self.assertTrue(getattr(caught.exception, "timed_out", False), caught.exception)

    def test_a_misspelled_value_is_named(self) -> None:
        with self.assertRaises(ServiceError) as caught:
            self.client.search_by_title("x", country="us", show_type="film")  # type: ignore[arg-type]
        self.assertEqual((caught.exception.code, caught.exception.parameter), ("invalid_parameter", "show_type"))

    def test_a_marketplace_key_finds_its_base(self) -> None:
        client = Client(os.environ["MARQUEE_TEST_MARKETPLACE_KEY"], base_url=f"{ADDRESS}/v4")
        self.assertEqual(client.key_source, "marketplace")
        self.assertTrue(client.list_genres())
        client.close()


if __name__ == "__main__":
    unittest.main()
