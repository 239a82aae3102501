"""The cases that all clients of the service must pass: ../spec/cases, with a README that says how they are run."""

from __future__ import annotations

import asyncio
import inspect
import json
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from marquee_client import (
    AsyncClient,
    Client,
    ContractError,
    MarqueeConnectionError,
    MemoryCache,
    ServiceError,
    UsageError,
    cheapest_offer,
    episode_link,
    is_leaving_soon,
    offers_by_type,
)

from .case_server import CaseServer, SeenRequest, prepared

CASES = Path(__file__).parents[2] / "spec" / "cases"

METHODS = {
    "shows.get": "get_show",
    "shows.getMany": "get_shows",
    "shows.similar": "get_similar_shows",
    "shows.history": "get_show_history",
    "shows.search": "search_by_title",
    "shows.filter": "search_by_filters",
    "shows.count": "count_shows",
    "shows.top": "get_top_shows",
    "people.search": "search_people",
    "changes.list": "list_changes",
    "catalog.export": "export_catalog",
    "countries.list": "list_countries",
    "countries.get": "get_country",
    "genres.list": "list_genres",
}

OPTIONS = {
    "apiKey": "api_key",
    "baseUrl": "base_url",
    "marketplaceBaseUrl": "marketplace_base_url",
    "keyPrefix": "key_prefix",
    "marketplace": "marketplace",
    "retries": "retries",
}


class Outcome:
    """What came out of a call."""

    result: Any = None
    items: Optional[List[Any]] = None
    error: Optional[BaseException] = None
    quota: Any = None


class Cases(unittest.TestCase):
    """Every case with both clients."""

    def test_calls(self) -> None:
        every = []
        for file in sorted(CASES.glob("*.json")):
            cases = json.loads(file.read_text("utf-8"))["cases"]
            self.assertTrue(cases, file.name)
            every += [(file.name, case, client) for case in cases for client in ("sync", "async")]
        # What depends on a short timeout does not share the machine with all others.
        quick = [one for one in every if one[1].get("client", {}).get("timeoutMs", 30_000) >= 30_000]
        short = [one for one in every if one not in quick]
        for group in (quick, short):
            with ThreadPoolExecutor(4) as pool:
                runs = [(one, pool.submit(run_case, one[1], one[2])) for one in group]
            for (file, case, client), run in runs:
                with self.subTest(file=file, case=case["name"], client=client):
                    self.check_case(case, *run.result())

    def check_case(self, case: Dict[str, Any], outcome: Outcome, seen: List[SeenRequest], waits: List[float]) -> None:
        exchanges = case["exchanges"]
        self.assertEqual(
            [(one.method, one.path, one.query) for one in seen],
            [("GET", one["request"]["path"], one["request"].get("query", {})) for one in exchanges],
        )
        for request, exchange in zip(seen, exchanges):
            expected = {
                "prefer": "handling=strict",
                "accept": "application/json, application/problem+json",
                **exchange["request"].get("headers", {}),
            }
            for name, value in expected.items():
                self.assertEqual(request.headers.get(name), value, name)
        expect = case["expect"]
        if "error" in expect:
            self.assert_like(describe(outcome.error), expect["error"])
        elif outcome.error is not None:
            raise outcome.error
        for key in ("result", "items", "quota"):
            if key in expect:
                self.assert_like(getattr(outcome, key), expect[key])
        expected_waits = expect.get("waits", [])
        self.assertEqual(len(waits), len(expected_waits), waits)
        for wait, (least, greatest) in zip(waits, expected_waits):
            self.assertTrue(least <= wait <= greatest, f"{wait} is not from {least} to {greatest}")

    def assert_like(self, actual: Any, expected: Any) -> None:
        """Objects are compared by the keys that are expected, lists whole; None means absent."""
        if isinstance(expected, list):
            self.assertIsInstance(actual, list)
            self.assertEqual(len(actual), len(expected))
            for one, other in zip(actual, expected):
                self.assert_like(one, other)
        elif isinstance(expected, dict):
            self.assertIsInstance(actual, dict)
            for key, value in expected.items():
                self.assert_like(actual.get(key), value)
        else:
            self.assertEqual(actual, expected)

    def test_helpers(self) -> None:
        def by_type(one: Dict[str, Any]) -> Dict[str, List[str]]:
            found = offers_by_type(one["show"], **one["arguments"])
            return {type: [offer["link"] for offer in offers] for type, offers in found.items()}

        def cheapest(one: Dict[str, Any]) -> Optional[str]:
            offer = cheapest_offer(one["show"], **one["arguments"])
            return None if offer is None else offer["link"]

        helpers = {
            "cheapest-offer": cheapest,
            "offers-by-type": by_type,
            "is-leaving-soon": lambda one: is_leaving_soon(one["offer"], **one["arguments"]),
            "episode-link": lambda one: episode_link(one["show"], **one["arguments"]),
        }
        self.assertEqual({file.stem for file in (CASES / "helpers").glob("*.json")}, set(helpers))
        for name, helper in helpers.items():
            for one in json.loads((CASES / "helpers" / f"{name}.json").read_text("utf-8"))["cases"]:
                with self.subTest(helper=name, case=one["name"]):
                    self.assertEqual(helper(one), one["expect"])


def run_case(case: Dict[str, Any], client: str) -> Tuple[Outcome, List[SeenRequest], List[float]]:
    waits: List[float] = []
    with CaseServer(prepared([one["answer"] for one in case["exchanges"]])) as server:
        options = client_options(case, server.address)
        if client == "sync":
            outcome = run_sync(options, case["call"], waits)
        else:
            outcome = asyncio.run(run_async(options, case["call"], waits))
        return outcome, list(server.seen), waits


def client_options(case: Dict[str, Any], address: str) -> Dict[str, Any]:
    given = case.get("client", {"apiKey": "mq-key-test", "baseUrl": "{address}/v4"})
    options = {OPTIONS[key]: value for key, value in given.items() if key in OPTIONS}
    for name in ("base_url", "marketplace_base_url"):
        if name in options:
            options[name] = options[name].replace("{address}", address)
    if "timeoutMs" in given:
        options["timeout"] = given["timeoutMs"] / 1000
    if given.get("cache"):
        options["cache"] = MemoryCache()
    return options


def call_arguments(method: Any, call: Dict[str, Any]) -> Dict[str, Any]:
    given = {("from_" if key == "from" else key.replace("-", "_")): value for key, value in call.get("parameters", {}).items()}
    limits = {f"max_{key}": value for key, value in call.get("limits", {}).items()}
    # What a case leaves out of what is required is an empty text here, which is left out of the request.
    required = {
        name: ""
        for name, parameter in inspect.signature(method).parameters.items()
        if parameter.default is inspect.Parameter.empty
    }
    return {**required, **given, **limits}


def record_waits(client: Any, waits: List[float]) -> None:
    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    client._operations.requester.transport.sleep = sleep


def run_sync(options: Dict[str, Any], call: Dict[str, Any], waits: List[float]) -> Outcome:
    outcome = Outcome()
    client = None
    try:
        with Client(**options) as client:
            record_waits(client, waits)
            for _ in range(call.get("repeat", 1)):
                method = getattr(client, METHODS[call["method"]])
                found = method(**call_arguments(method, call))
                if call.get("page"):
                    outcome.result = page_result(found.page())
                elif call["method"] in ("shows.filter", "changes.list", "catalog.export"):
                    outcome.items = []
                    for item in found:
                        outcome.items.append(item)
                else:
                    outcome.result = found
    except Exception as error:
        outcome.error = error
    if client is not None:
        outcome.quota = client.quota and client.quota._asdict()
    return outcome


async def run_async(options: Dict[str, Any], call: Dict[str, Any], waits: List[float]) -> Outcome:
    outcome = Outcome()
    client = None
    try:
        async with AsyncClient(**options) as client:
            record_waits(client, waits)
            for _ in range(call.get("repeat", 1)):
                method = getattr(client, METHODS[call["method"]])
                found = method(**call_arguments(method, call))
                if call.get("page"):
                    outcome.result = page_result(await found.page())
                elif call["method"] in ("shows.filter", "changes.list", "catalog.export"):
                    outcome.items = []
                    async for item in found:
                        outcome.items.append(item)
                else:
                    outcome.result = await found
    except Exception as error:
        outcome.error = error
    if client is not None:
        outcome.quota = client.quota and client.quota._asdict()
    return outcome


def page_result(page: Any) -> Dict[str, Any]:
    return {"items": page.items, **({} if page.next_cursor is None else {"nextCursor": page.next_cursor})}


def describe(error: Optional[BaseException]) -> Dict[str, Any]:
    if isinstance(error, ServiceError):
        return {
            "kind": "service",
            "status": error.status,
            "code": error.code or None,
            "message": str(error),
            "parameter": error.parameter,
            "requestId": error.request_id,
            "retryAfter": error.retry_after,
            "type": error.type,
            "base": error.base,
            "header": error.header,
        }
    if isinstance(error, MarqueeConnectionError):
        return {"kind": "connection", "timedOut": error.timed_out}
    if isinstance(error, ContractError):
        return {"kind": "contract", "status": error.status, "requestId": error.request_id}
    if isinstance(error, UsageError):
        return {"kind": "usage"}
    raise AssertionError("The call should have failed, or failed otherwise") from error
