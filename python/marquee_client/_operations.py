"""What the endpoints are and how their answers are read: the part that both clients share."""

from __future__ import annotations

import json
import math
import re
from typing import Any, AsyncGenerator, Dict, List, Mapping, NamedTuple, Optional, Tuple

from ._pages import Page
from ._requester import Requester, id_path
from ._response import (
    ResponseInfo,
    check_change_page,
    check_count,
    check_countries,
    check_country,
    check_genres,
    check_history,
    check_people,
    check_show,
    check_show_page,
    check_shows,
    contract_error,
    parse_export_line,
)
from ._retry import is_retryable
from .errors import MarqueeConnectionError, MarqueeError
from .types import StreamedChange

#: The most ids of one request for shows.
_MAX_IDS = 100

Parameters = Mapping[str, Any]
#: Timeout and retries of a call; None where those of the client hold.
Limits = Tuple[Optional[float], Optional[int]]


class ChangeWithToken(StreamedChange):
    """A change with its show, and the token behind it."""

    #: With it, as ``since``, another stream goes on behind this change.
    since: str


class ChangesSince(NamedTuple):
    """Changes after a token, and the token for the next time."""

    changes: List[StreamedChange]
    since: str


class Operations:
    """The calls, as coroutines and asynchronous generators."""

    def __init__(self, requester: Requester) -> None:
        self.requester = requester

    async def get_show(self, id: str, parameters: Parameters, limits: Limits) -> Any:
        path = "/shows" + id_path("the id of a show", id, 2)
        return await self.requester.get(path, parameters, check_show(parameters), *limits)

    async def get_shows(self, parameters: Parameters, limits: Limits) -> Any:
        ids = parameters["ids"]
        ids = ids.split(",") if isinstance(ids, str) else list(ids)
        shows: List[Any] = []
        for start in range(0, max(1, len(ids)), _MAX_IDS):
            part = {**parameters, "ids": ids[start : start + _MAX_IDS]}
            shows += await self.requester.get("/shows", part, check_shows(parameters), *limits)
        return shows

    async def get_similar_shows(self, id: str, parameters: Parameters, limits: Limits) -> Any:
        path = f"/shows{id_path('the id of a show', id, 2)}/similar"
        return await self.requester.get(path, parameters, check_shows(parameters), *limits)

    async def get_show_history(self, id: str, parameters: Parameters, limits: Limits) -> Any:
        path = f"/shows{id_path('the id of a show', id, 2)}/history"
        return await self.requester.get(path, parameters, check_history, *limits)

    async def search_by_title(self, parameters: Parameters, limits: Limits) -> Any:
        return await self.requester.get("/shows/search/title", parameters, check_shows(parameters), *limits)

    async def search_by_filters(self, parameters: Parameters, limits: Limits) -> Page[Any]:
        check = check_show_page(parameters["cursor"], parameters)
        body = await self.requester.get("/shows/search/filters", parameters, check, *limits)
        return Page(body["shows"], body["nextCursor"] if body["hasMore"] else None)

    async def count_shows(self, parameters: Parameters, limits: Limits) -> Any:
        return await self.requester.get("/shows/count", parameters, check_count, *limits)

    async def get_top_shows(self, parameters: Parameters, limits: Limits) -> Any:
        return await self.requester.get("/shows/top", parameters, check_shows(parameters), *limits)

    async def search_people(self, parameters: Parameters, limits: Limits) -> Any:
        return await self.requester.get("/people/search", parameters, check_people, *limits)

    async def list_changes(self, parameters: Parameters, limits: Limits) -> Page[Any]:
        check = check_change_page(parameters["cursor"], parameters)
        body = await self.requester.get("/changes", _with_show_ids(parameters), check, *limits)
        return Page(_join_shows(body), body["nextCursor"] if body["hasMore"] else None)

    async def changes_since(self, parameters: Parameters, limits: Limits) -> ChangesSince:
        since = parameters["since"]
        changes: List[Any] = []
        while True:
            request = _with_show_ids({**parameters, "since": since})
            body = await self.requester.get("/changes", request, check_change_page(since, parameters), *limits)
            changes += _join_shows(body)
            since = body["since"]
            if not body["hasMore"]:
                return ChangesSince(changes, since)

    async def list_countries(self, parameters: Parameters, limits: Limits) -> Any:
        body = await self.requester.get("/countries", parameters, check_countries, *limits)
        # A service can be set to answer a map by country code.
        return list(body.values()) if isinstance(body, dict) else body

    async def get_country(self, country_code: str, parameters: Parameters, limits: Limits) -> Any:
        path = "/countries" + id_path("the code of a country", country_code, 1)
        return await self.requester.get(path, parameters, check_country, *limits)

    async def list_genres(self, parameters: Parameters, limits: Limits) -> Any:
        return await self.requester.get("/genres", parameters, check_genres, *limits)

    async def export_catalog(self, parameters: Parameters, limits: Limits) -> AsyncGenerator[Any, None]:
        """The head, then shows and removals. A part that is cut off goes on at its last checkpoint."""
        timeout, retries = limits
        self.requester.check_limits(timeout, retries)
        cursor = parameters["cursor"]
        is_first_part = True
        failures = 0
        while True:
            end: Optional[Dict[str, Any]] = None
            request = {**parameters, "cursor": cursor}
            lines = self.requester.lines("/catalog/export", request, timeout, {})
            try:
                async for text, info in lines:
                    line = parse_export_line(text, info)
                    kind = line.get("kind")
                    if kind is None or kind == "remove":
                        yield line
                    elif kind == "checkpoint":
                        cursor, failures = line["cursor"], 0
                    elif kind == "end":
                        end = line
                    elif is_first_part:
                        is_first_part = False
                        yield line
                if end is None:
                    url = self.requester.credentials.base + "/catalog/export"
                    raise MarqueeConnectionError(f"{url} ended before its last line", url)
            except MarqueeError as error:
                if not isinstance(error, MarqueeConnectionError) and not is_retryable(error):
                    raise
                failures += 1
                await self.requester.pause_before(failures, error, retries)
                continue
            finally:
                await lines.aclose()
            if end.get("complete"):
                return
            cursor = end["cursor"]

    async def stream_changes(self, parameters: Parameters, limits: Limits) -> AsyncGenerator[Any, None]:
        """Changes over as many connections as that takes."""
        timeout, retries = limits
        self.requester.check_limits(timeout, retries)
        last_id: Optional[str] = None
        failures = 0
        while True:
            headers = {"Accept": "text/event-stream, application/problem+json"}
            if last_id is not None:
                headers["Last-Event-ID"] = last_id
            lines = self.requester.lines("/changes/stream", parameters, timeout, headers)
            events = _read_events(lines)
            try:
                async for event in events:
                    failures = 0
                    last_id = last_id if event.id is None else event.id
                    # After an expired token, the next request fails with the error of the service.
                    if event.name == "change" and event.data is not None:
                        yield {**_parse_change(event.data, event.info), "since": last_id}
                url = self.requester.credentials.base + "/changes/stream"
                raise MarqueeConnectionError(f"{url} ended", url)
            except MarqueeError as error:
                if not isinstance(error, MarqueeConnectionError) and not is_retryable(error):
                    raise
                failures += 1
                await self.requester.pause_before(failures, error, math.inf if retries is None else retries)
            finally:
                await events.aclose()
                await lines.aclose()


class _Event(NamedTuple):
    """One server-sent event. An id may come without data."""

    id: Optional[str]
    name: str
    data: Optional[str]
    info: ResponseInfo


async def _read_events(
    lines: AsyncGenerator[Tuple[bytes, ResponseInfo], None],
) -> AsyncGenerator[_Event, None]:
    """Parses lines of server-sent events. A part without its empty line is dropped."""
    name = "message"
    id: Optional[str] = None
    data: List[str] = []
    async for text, info in lines:
        line = text.decode("utf-8", "replace")
        line = line[:-1] if line.endswith("\r") else line
        if line == "":
            yield _Event(id, name, "\n".join(data) if data else None, info)
            name, id, data = "message", None, []
            continue
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "event":
            name = value
        elif field == "id":
            # It goes into a header.
            id = re.sub(r"[^ -~]", "", value)
        elif field == "data":
            data.append(value)


def _parse_change(data: str, info: ResponseInfo) -> Dict[str, Any]:
    try:
        change = json.loads(data)
    except (ValueError, RecursionError):
        change = None
    show = change.get("show") if isinstance(change, dict) else None
    if isinstance(change, dict) and isinstance(show, dict) and isinstance(show.get("id"), str) and "showId" in change:
        return change
    raise contract_error(info, f"an event is not a change with its show: {data[:100]}")


def _with_show_ids(parameters: Parameters) -> Parameters:
    """Changes are joined with their shows by ``showId``, so it is always among the members that are asked for."""
    given = parameters.get("fields") or []
    fields = given.split(",") if isinstance(given, str) else list(given)
    has_shows = any(field == "show" or field.startswith("show.") for field in fields)
    return parameters if not has_shows or "showId" in fields else {**parameters, "fields": [*fields, "showId"]}


def _join_shows(body: Dict[str, Any]) -> List[Any]:
    """The changes of a page, each with its show."""
    shows = body["shows"]
    joined = []
    for change in body["changes"]:
        show = shows.get(change.get("showId"))
        joined.append(change if show is None else {**change, "show": show})
    return joined
