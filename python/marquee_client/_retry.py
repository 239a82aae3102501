"""What is retried, and after which pause."""

from __future__ import annotations

import math
import re
import time
from datetime import datetime, timezone
from typing import Optional

from .errors import MarqueeConnectionError, MarqueeError, ResponseError, ServiceError

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

#: IMF-fixdate, and the two obsolete formats that recipients must accept.
_HTTP_DATES = (
    re.compile(r"\w{3}, (?P<day>\d\d) (?P<month>\w{3}) (?P<year>\d{4}) (?P<time>\d\d:\d\d:\d\d) GMT"),
    re.compile(r"\w{3,6}day, (?P<day>\d\d)-(?P<month>\w{3})-(?P<year>\d\d) (?P<time>\d\d:\d\d:\d\d) GMT"),
    re.compile(r"\w{3} (?P<month>\w{3}) (?P<day>[ \d]\d) (?P<time>\d\d:\d\d:\d\d) (?P<year>\d{4})"),
)


def is_retryable(error: MarqueeError) -> bool:
    """Whether a retry may succeed: after a network error, 429 and 503."""
    if isinstance(error, MarqueeConnectionError):
        return not error.timed_out
    if isinstance(error, ServiceError) and error.code == "quota_exceeded":
        return False
    return isinstance(error, ResponseError) and error.status in (429, 503)


def backoff_seconds(retry: int, error: MarqueeError, random: float) -> float:
    """Exponential backoff with jitter before retry 1, 2, … A ``Retry-After`` replaces the fixed part.

    Jitter keeps clients that failed together from retrying together.
    """
    half = min(0.5 * 2 ** min(retry - 1, 10), 8.0) / 2
    asked = error.retry_after if isinstance(error, ResponseError) else None
    return (half if asked is None else asked) + random * half


def parse_retry_after(text: Optional[str], now: Optional[float] = None) -> Optional[int]:
    """Parses a ``Retry-After``, whole seconds or a date, into seconds; None for anything else."""
    if text is None:
        return None
    text = text.strip()
    if re.fullmatch(r"[0-9]+", text):
        # Python refuses to parse very long numbers.
        return int(text) if len(text) <= 18 else 10**18
    instant = _parse_http_date(text)
    if instant is None:
        return None
    return max(0, math.ceil(instant - (time.time() if now is None else now)))


def _parse_http_date(text: str) -> Optional[float]:
    for pattern in _HTTP_DATES:
        match = pattern.fullmatch(text)
        if match is None or match["month"] not in _MONTHS:
            continue
        year = int(match["year"])
        if year < 100:
            # Two digits stand for the nearest year.
            year += 2000 if year < 70 else 1900
        hour, minute, second = (int(part) for part in match["time"].split(":"))
        try:
            month = _MONTHS.index(match["month"]) + 1
            return datetime(year, month, int(match["day"]), hour, minute, second, tzinfo=timezone.utc).timestamp()
        except ValueError:
            return None
    return None
