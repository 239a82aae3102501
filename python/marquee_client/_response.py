"""Parsing and checking of bodies.

The checks cover what the client itself relies on. A response of a proxy or of another server fails them; a field that a
later version adds does not.
"""

from __future__ import annotations

import json
import re
from email.message import Message
from typing import Any, Callable, Mapping, NamedTuple, Optional
from urllib.parse import unquote

from ._retry import parse_retry_after
from .errors import ContractError, ServiceError

#: Validates a body: returns what is wrong with it, or None.
Check = Callable[[Any], Optional[str]]


class ResponseInfo(NamedTuple):
    """Status and headers of a response."""

    url: str
    status: int
    headers: Message

    @property
    def request_id(self) -> Optional[str]:
        """Id of the request in the log of the service."""
        return self.headers.get("X-Request-Id")

    @property
    def retry_after(self) -> Optional[int]:
        """Seconds to wait before a retry."""
        return parse_retry_after(self.headers.get("Retry-After"))


class Quota(NamedTuple):
    """Quota of the key, by the last response."""

    #: Requests that the plan grants in this period; 999999999999999 means unlimited.
    granted: int
    #: Requests used in this period.
    used: int
    #: When the quota resets (Unix seconds).
    reset: int

    @property
    def remaining(self) -> int:
        """Requests that are left."""
        return max(0, self.granted - self.used)


def parse_quota(headers: Message) -> Optional[Quota]:
    """Reads the quota headers of a response, if it has them."""
    numbers = []
    for name in ("Granted", "Used", "Reset"):
        text = headers.get(f"X-Quota-{name}", "").strip()
        if not re.fullmatch(r"[0-9]{1,18}", text):
            return None
        numbers.append(int(text))
    return Quota(*numbers)


def parse_body(info: ResponseInfo, text: bytes, check: Check) -> Any:
    """Parses and checks the body of a response. Raises a ServiceError or a ContractError."""
    status = info.status
    if status == 304:
        raise contract_error(info, 'status 304 ("not modified") to a request without a condition')
    if 300 <= status < 400:
        raise contract_error(info, "a redirect, which is not followed")
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise contract_error(info, f"status {status}, and no JSON") from error
    if status >= 400:
        service_error = _parse_error(info, body)
        if service_error is not None:
            raise service_error
    if status != 200:
        raise contract_error(info, f"status {status}")
    problem = check(body)
    if problem is not None:
        raise contract_error(info, problem)
    return body


def contract_error(info: ResponseInfo, problem: str) -> ContractError:
    """The error of a response that breaks the contract."""
    message = f"{info.url} does not answer as this API does: {problem}"
    return ContractError(message, info.url, info.status, info.request_id, info.retry_after)


def _parse_error(info: ResponseInfo, body: Any) -> Optional[ServiceError]:
    """Reads an error: problem details, or ``{"message"}`` with code and parameter in headers. None for any other body.

    A message is enough, since other services of this API send nothing else.
    """
    if not isinstance(body, dict):
        return None
    message = body.get("detail", body.get("message"))
    if not isinstance(message, str) or message == "":
        return None
    retry_after = info.retry_after
    if retry_after is None and isinstance(body.get("retryAfter"), int):
        retry_after = body["retryAfter"]
    request_id = info.request_id or _text(body.get("requestId"))
    error = ServiceError(message, info.url, info.status, request_id, retry_after)
    error.code = _text(body.get("code")) or info.headers.get("X-Error-Code") or ""
    error.type = _text(body.get("type"))
    error.parameter = _text(body.get("parameter")) or _decode_header(info.headers.get("X-Error-Parameter"))
    error.base = _text(body.get("base"))
    error.header = _text(body.get("header"))
    return error


def _text(value: Any) -> Optional[str]:
    return value if isinstance(value, str) else None


def _decode_header(text: Optional[str]) -> Optional[str]:
    """Decodes a percent-encoded header."""
    if text is None or re.search("%(?![0-9A-Fa-f]{2})", text):
        return None
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError:
        return None


def _is_partial(parameters: Mapping[str, Any]) -> bool:
    """Whether the request chose the members of shows."""
    return bool(parameters.get("fields"))


def check_show(parameters: Mapping[str, Any]) -> Check:
    """One show: it has an id, unless the request chose other members."""
    is_show = _is_object if _is_partial(parameters) else _has_id
    return lambda body: None if is_show(body) else "a show was expected"


def check_shows(parameters: Mapping[str, Any]) -> Check:
    """A list of shows."""
    is_show = _is_object if _is_partial(parameters) else _has_id
    return lambda body: None if _is_list(body, is_show) else "a list of shows was expected"


def check_genres(body: Any) -> Optional[str]:
    """Genres are a list, and each has an id."""
    return None if _is_list(body, _has_id) else "a list of genres was expected"


def check_people(body: Any) -> Optional[str]:
    """People are a list, and each has a name."""
    is_person = lambda person: _is_object(person) and _is_name(person.get("name"))  # noqa: E731
    return None if _is_list(body, is_person) else "a list of people was expected"


def check_count(body: Any) -> Optional[str]:
    """A count has a number, and facets."""
    is_count = _is_object(body) and type(body.get("count")) is int and _is_object(body.get("facets"))
    return None if is_count else "a count was expected"


def check_history(body: Any) -> Optional[str]:
    """A history has the id of its show, and places."""
    is_history = _is_object(body) and isinstance(body.get("showId"), str) and isinstance(body.get("places"), list)
    return None if is_history else "a history was expected"


def check_country(body: Any) -> Optional[str]:
    """A country has a code and services."""
    return None if _is_country(body) else "a country was expected"


def check_countries(body: Any) -> Optional[str]:
    """Countries are a list, or a map by country code if the service is set so."""
    countries = list(body.values()) if isinstance(body, dict) else body
    return None if _is_list(countries, _is_country) else "countries were expected"


def check_show_page(cursor: Optional[str], parameters: Mapping[str, Any]) -> Check:
    """A page of shows."""
    is_show = _is_object if _is_partial(parameters) else _has_id
    return lambda body: _page_problem(body, "shows", is_show, cursor)


def check_change_page(cursor: Optional[str], parameters: Mapping[str, Any]) -> Check:
    """A page of changes: each has its show, unless the request chose the members."""

    def check(body: Any) -> Optional[str]:
        problem = _page_problem(body, "changes", _is_object, cursor)
        if problem is not None:
            return problem
        shows = body.get("shows")
        if not _is_object(shows):
            return "the shows of changes were expected by their ids"
        if _is_partial(parameters) or all(_has_id(shows.get(change.get("showId"))) for change in body["changes"]):
            return None
        return "the show of a change is missing"

    return check


def parse_export_line(text: bytes, info: ResponseInfo) -> Any:
    """Parses a line of an export: a show, or an object with a kind."""
    try:
        line = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise contract_error(info, "a line is no JSON") from error
    if not _is_object(line) or not (_is_name(line["kind"]) if "kind" in line else _has_id(line)):
        raise contract_error(info, "a show was expected in each line")
    return line


def _page_problem(body: Any, key: str, is_item: Callable[[Any], bool], cursor: Optional[str]) -> Optional[str]:
    """A page has its items, and a cursor if there is more."""
    if not _is_object(body) or not _is_list(body.get(key), is_item) or not isinstance(body.get("hasMore"), bool):
        return f"a page of {key} was expected"
    if not body["hasMore"]:
        return None
    if not _is_name(body.get("nextCursor")):
        return "there are more pages, but no cursor"
    # An iteration would never end.
    return "the next page is the same page" if body["nextCursor"] == cursor else None


def _is_country(value: Any) -> bool:
    return _is_object(value) and _is_name(value.get("countryCode")) and isinstance(value.get("services"), list)


def _is_list(value: Any, is_item: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(is_item(item) for item in value)


def _has_id(value: Any) -> bool:
    return _is_object(value) and _is_name(value.get("id"))


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)
