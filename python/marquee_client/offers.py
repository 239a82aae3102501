"""Helpers around the offers of a show. They send nothing."""

from __future__ import annotations

import math
import time
from datetime import datetime
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union, cast

from .types import Price, Show, StreamingOption, StreamingOptionType

#: Anything with offers: a show, a season or an episode.
Watchable = Mapping[str, Any]

_TYPES: "tuple[StreamingOptionType, ...]" = ("subscription", "free", "rent", "buy", "addon")
_QUALITIES = ("sd", "hd", "qhd", "uhd")


def offers_in(item: Union[Show, Watchable], country: str) -> List[StreamingOption]:
    """The offers of a country, in any case of its code; an empty list where there are none."""
    options = cast(Watchable, item)["streamingOptions"]
    return cast(List[StreamingOption], options.get(country.lower()) or [])


def offers_by_type(
    item: Union[Show, Watchable], country: str
) -> Dict[StreamingOptionType, List[StreamingOption]]:
    """The offers of a country by type; types without offers have an empty list."""
    by_type: Dict[StreamingOptionType, List[StreamingOption]] = {type: [] for type in _TYPES}
    for offer in offers_in(item, country):
        if offer["type"] in by_type:
            by_type[offer["type"]].append(offer)
    return by_type


def cheapest_offer(
    item: Union[Show, Watchable], country: str, *, subscriptions: Sequence[str] = ()
) -> Optional[StreamingOption]:
    """The cheapest offer for a viewer with these subscriptions: ``netflix``, or ``prime.addon.starzaddon`` for an addon.

    Free offers and those of the viewer's subscriptions cost nothing. Other subscriptions have no price and are skipped,
    and so are prices in another currency than the first one. Ties go to the best quality, then to the first offer.
    """
    offers = offers_in(item, country)
    currency = next((price["currency"] for price in map(_price, offers) if price is not None), None)
    best: Optional[StreamingOption] = None
    best_cost = math.inf
    for offer in offers:
        cost = _offer_cost(offer, subscriptions, currency)
        if cost > best_cost or cost == math.inf:
            continue
        if best is not None and cost == best_cost and _rank(offer) <= _rank(best):
            continue
        best, best_cost = offer, cost
    return best


def _price(offer: StreamingOption) -> Optional[Price]:
    return offer.get("price") if offer["type"] in ("rent", "buy") else None


def _offer_cost(offer: StreamingOption, subscriptions: Sequence[str], currency: Optional[str]) -> float:
    type, service = offer["type"], offer["service"]["id"]
    if type == "free":
        return 0
    price = _price(offer)
    if price is not None:
        return float(price["amount"]) if price["currency"] == currency else math.inf
    if type == "subscription":
        names = [service, f"{service}.subscription"]
    else:
        names = [f"{service}.addon.{offer['addon']['id']}"] if "addon" in offer else []
    return 0 if any(name in subscriptions for name in names) else math.inf


def _rank(offer: StreamingOption) -> int:
    quality = offer.get("quality")
    return _QUALITIES.index(quality) if quality in _QUALITIES else -1


def is_leaving_soon(
    offer: StreamingOption, *, days: float = 31, now: Optional[Union[float, datetime]] = None
) -> bool:
    """Whether an offer ends within some days of ``now``. One that expires soon without a known date does."""
    if "expiresOn" not in offer:
        return offer["expiresSoon"]
    instant = now.timestamp() if isinstance(now, datetime) else time.time() if now is None else now
    return offer["expiresOn"] <= instant + days * 86_400


def episode_link(
    show: Union[Show, Watchable],
    *,
    season: int,
    episode: int,
    country: str,
    service: Optional[str] = None,
    type: Optional[StreamingOptionType] = None,
) -> Optional[str]:
    """The link that opens an episode, by the numbers of season and episode from 1: in the player where the service has
    such links, else its page. None where there is no such offer. The series must have been requested at granularity
    ``episode``.
    """
    series = cast(Watchable, show)
    seasons = series.get("seasons") or [] if series.get("showType") == "series" else []
    episodes = (seasons[season - 1].get("episodes") or []) if 1 <= season <= len(seasons) else []
    if not 1 <= episode <= len(episodes):
        return None
    for offer in offers_in(episodes[episode - 1], country):
        if service in (None, offer["service"]["id"]) and type in (None, offer["type"]):
            return offer.get("videoLink") or offer["link"]
    return None
