"""Exceptions of the client."""

from __future__ import annotations

from typing import Optional


class UsageError(ValueError):
    """The call can never be right, such as an id with "..": nothing was sent."""


class MarqueeError(Exception):
    """Base class of all errors of requests."""

    def __init__(self, message: str = "", url: str = "") -> None:
        super().__init__(message)
        self.message = message
        #: The requested URL. It never holds the key.
        self.url = url


class MarqueeConnectionError(MarqueeError):
    """The service could not be reached, or did not respond in time. ``__cause__`` has the reason, if it is known."""

    def __init__(self, message: str = "", url: str = "", timed_out: bool = False) -> None:
        super().__init__(message, url)
        #: Whether the timeout ended the call.
        self.timed_out = timed_out


class ResponseError(MarqueeError):
    """Base class of the errors with a response."""

    def __init__(
        self,
        message: str = "",
        url: str = "",
        status: int = 0,
        request_id: Optional[str] = None,
        retry_after: Optional[int] = None,
    ) -> None:
        super().__init__(message, url)
        #: The HTTP status.
        self.status = status
        #: Id of the request in the log of the service.
        self.request_id = request_id
        #: Seconds to wait before a retry.
        self.retry_after = retry_after


class ServiceError(ResponseError):
    """An error response of the service."""

    #: Error code: ``invalid_parameter``, ``not_found``, ``quota_exceeded`` … Empty if the response has none.
    code: str = ""
    #: Address of the error in the documentation of the service; it may be relative to that of the service.
    type: Optional[str] = None
    #: The invalid parameter, in the spelling of the API.
    parameter: Optional[str] = None
    #: The right base URL of a key that was sent to the wrong one.
    base: Optional[str] = None
    #: The right header of a key that was sent in the wrong one.
    header: Optional[str] = None


class ContractError(ResponseError):
    """The response breaks the contract: no JSON, JSON of another shape, or a response of another server."""


class ResponseTooLargeError(ResponseError):
    """The body, or a line of it, is longer than ``max_response_bytes``."""

    #: The limit in bytes.
    limit: int = 0
