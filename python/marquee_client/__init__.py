"""A client for Marquee, the streaming catalog availability service: which shows can be watched where."""

from ._operations import ChangesSince, ChangeWithToken
from ._pages import AsyncPages, Page, Pages
from ._response import Quota
from ._version import __version__
from .cache import CachedAnswer, MemoryCache
from .client import AsyncClient, Client
from .errors import (
    ContractError,
    MarqueeConnectionError,
    MarqueeError,
    ResponseError,
    ResponseTooLargeError,
    ServiceError,
    UsageError,
)
from .mirror import AsyncMirror, Mirror, MirrorCopy, MirrorSync
from .offers import cheapest_offer, episode_link, is_leaving_soon, offers_by_type, offers_in

__all__ = [
    "AsyncClient",
    "AsyncMirror",
    "AsyncPages",
    "CachedAnswer",
    "ChangeWithToken",
    "ChangesSince",
    "Client",
    "ContractError",
    "MarqueeConnectionError",
    "MarqueeError",
    "MemoryCache",
    "Mirror",
    "MirrorCopy",
    "MirrorSync",
    "Page",
    "Pages",
    "Quota",
    "ResponseError",
    "ResponseTooLargeError",
    "ServiceError",
    "UsageError",
    "__version__",
    "cheapest_offer",
    "episode_link",
    "is_leaving_soon",
    "offers_by_type",
    "offers_in",
]
