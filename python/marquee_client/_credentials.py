"""Which base URL and header a key belongs to."""

from __future__ import annotations

import re
from typing import Dict, NamedTuple, Optional
from urllib.parse import SplitResult, urlsplit

from .errors import UsageError

DEFAULT_BASE_URL = "http://127.0.0.1:8080/v4"

#: Characters of a header name.
_TOKEN = re.compile(r"[A-Za-z0-9_!#$%&'*+.^`|~-]+")


class Credentials(NamedTuple):
    """Base URL of the requests, and the header with the key."""

    #: ``"direct"``, ``"marketplace"``, or None without a key.
    source: Optional[str]
    #: Without a slash at its end.
    base: str
    headers: Dict[str, str]


def resolve_credentials(
    api_key: Optional[str],
    base_url: Optional[str],
    marketplace_base_url: Optional[str],
    key_prefix: str,
    marketplace: str,
) -> Credentials:
    """Finds base URL and header for the key. Raises a UsageError for invalid options."""
    if not _TOKEN.fullmatch(marketplace):
        raise UsageError(
            f'The marketplace {marketplace!r} cannot be part of a header; it should be a name such as "Market"'
        )
    direct_base = DEFAULT_BASE_URL if base_url is None else base_url
    if api_key is None:
        if base_url is None:
            raise UsageError("Give an api_key, or the base_url of a service that needs none")
        return Credentials(None, parse_base_url(direct_base), {})
    key = api_key.strip()
    # An environment variable that is not set is often an empty string.
    if not re.fullmatch(r"[!-~]+", key):
        raise UsageError("The api_key is empty, or holds characters that no key has")
    if key.startswith(key_prefix):
        return Credentials("direct", parse_base_url(direct_base), {"X-API-Key": key})
    if marketplace_base_url is None:
        marketplace_base_url = re.sub(r"/v4/*\Z", "", direct_base)
    return Credentials("marketplace", parse_base_url(marketplace_base_url), {f"X-{marketplace}-API-Key": key})


def parse_base_url(given: str) -> str:
    """Checks a base URL and trims the slashes at its end. Raises a UsageError for an invalid one."""
    base = given.rstrip("/")
    problem = _base_url_problem(base)
    if problem is None:
        return base
    # An address that may hold a password or a token is not quoted: errors end up in logs.
    shown = "" if re.search(r"[@?#]", base) else f" {given!r}"
    raise UsageError(f"The base address{shown} {problem}; it should look like https://tv.example.com/v4")


def _base_url_problem(base: str) -> Optional[str]:
    # Paths are appended to it.
    if "?" in base or "#" in base:
        return "has a ? or # in it"
    if not re.fullmatch(r"[!-~]+", base):
        return "cannot be read as one"
    try:
        url: SplitResult = urlsplit(base)
        port = url.port
    except ValueError:
        return "cannot be read as one"
    if url.scheme not in ("http", "https"):
        return "does not begin with http:// or https://"
    if "@" in url.netloc:
        return "holds a user name or a password"
    return None if url.hostname and port != 0 else "cannot be read as one"
