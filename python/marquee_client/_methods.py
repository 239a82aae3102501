"""The methods of both clients.

Made from spec/openapi.json by scripts/generate-api-code.mjs: do not edit.
"""

from __future__ import annotations

from datetime import datetime
from typing import AsyncIterator, Iterator, List, Optional, Sequence, Union

from ._operations import ChangesSince, ChangeWithToken, Operations
from ._pages import AsyncPages, Pages, Walk, iterate, run
from .types import (
    ChangeType,
    Country,
    Exported,
    FacetFilters,
    Genre,
    GenresRelation,
    ItemType,
    OrderBy,
    OrderDirection,
    OutputLanguage,
    Person,
    QualityMin,
    SeriesGranularity,
    Show,
    ShowCount,
    ShowHistory,
    ShowType,
    StreamedChange,
)


class SyncMethods:
    """The calls of a client that blocks."""

    _operations: Operations

    def get_show(
        self,
        id: str,
        *,
        country: Optional[str] = None,
        series_granularity: Optional[SeriesGranularity] = None,
        output_language: Optional[OutputLanguage] = None,
        fields: Optional[Sequence[str]] = None,
        include: Optional[Sequence[str]] = None,
        services: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Show:
        """Get a show. One movie or series with its streaming options in all countries, or in some.

        :param id: Id of the show, its IMDb id (`tt…`) or its TMDB id (`movie/…`, `tv/…`; the slash may be
            `%2F`).
        :param country: Only the options of this country (ISO 3166-1 alpha-2), or of up to 10, such as
            `us,gb,de`. `any` is the same as leaving it out.
        :param series_granularity: How much of a series is answered: no seasons, seasons, or seasons with
            episodes. Movies are not affected. By default "episode".
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param fields: Only these members, up to 100, in the order in which answers have them; dots lead
            into objects, also through lists and by country (`streamingOptions.link`). Members that are not
            named are left out, required ones too.
        :param include: Members to add: `numbers`, `provenance`, `tmdbProviderIds`, `aliases`,
            `originalLanguage`, `popularity`, `bestOffer`, `history`. `numbers` are those of seasons and
            episodes, `provenance` is of options, `tmdbProviderIds` are of services, all else is of shows.
        :param services: For `bestOffer`: up to 32 subscriptions that the viewer has, each `<service>` or
            `<service>.addon.<addon>`.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "country": country,
            "series_granularity": series_granularity,
            "output_language": output_language,
            "fields": fields,
            "include": include,
            "services": services,
        }
        return run(self._operations.get_show(id, parameters, (timeout, retries)))

    def get_shows(
        self,
        ids: Sequence[str],
        *,
        country: Optional[str] = None,
        series_granularity: Optional[SeriesGranularity] = None,
        output_language: Optional[OutputLanguage] = None,
        fields: Optional[Sequence[str]] = None,
        include: Optional[Sequence[str]] = None,
        services: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> List[Show]:
        """Get several shows. One show for each id, in the order of the ids. Ids that no show has are named
        in the header `X-Unknown-Ids` and left out. Every ten ids begun count as one request of the quota.

        :param ids: Up to 100 ids of any kind: of the show itself, IMDb ids (`tt…`), TMDB ids (`movie/…`,
            `tv/…`).
        :param country: Only the options of this country (ISO 3166-1 alpha-2), or of up to 10, such as
            `us,gb,de`. `any` is the same as leaving it out.
        :param series_granularity: How much of a series is answered: no seasons, seasons, or seasons with
            episodes. Movies are not affected. By default "episode".
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param fields: Only these members, up to 100, in the order in which answers have them; dots lead
            into objects, also through lists and by country (`streamingOptions.link`). Members that are not
            named are left out, required ones too.
        :param include: Members to add: `numbers`, `provenance`, `tmdbProviderIds`, `aliases`,
            `originalLanguage`, `popularity`, `bestOffer`, `history`. `numbers` are those of seasons and
            episodes, `provenance` is of options, `tmdbProviderIds` are of services, all else is of shows.
        :param services: For `bestOffer`: up to 32 subscriptions that the viewer has, each `<service>` or
            `<service>.addon.<addon>`.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "ids": ids,
            "country": country,
            "series_granularity": series_granularity,
            "output_language": output_language,
            "fields": fields,
            "include": include,
            "services": services,
        }
        return run(self._operations.get_shows(parameters, (timeout, retries)))

    def get_similar_shows(
        self,
        id: str,
        *,
        country: str,
        catalogs: Optional[Sequence[str]] = None,
        show_type: Optional[ShowType] = None,
        limit: Optional[int] = None,
        series_granularity: Optional[SeriesGranularity] = None,
        output_language: Optional[OutputLanguage] = None,
        fields: Optional[Sequence[str]] = None,
        include: Optional[Sequence[str]] = None,
        services: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> List[Show]:
        """Get similar shows. Shows that can be watched in a country, or in one of several, and resemble a
        show, the most similar first: by people, words of titles and texts, genres, original language,
        years and services.

        :param id: Id of the show, its IMDb id (`tt…`) or its TMDB id (`movie/…`, `tv/…`; the slash may be
            `%2F`).
        :param country: ISO 3166-1 alpha-2 code of the country, in any case; or a list of up to 10 of
            them, such as `us,gb,de`; or `any` for all countries. With several, a show must be in one of them,
            and has the options of just those.
        :param catalogs: Catalogs to look in; all of the country if left out. Each is `<service>`
            (everything on it), `<service>.<type>` (type: subscription, free, rent, buy, addon) or
            `<service>.addon.<addon>`. Ids come from `/countries`; one that the country does not have matches
            nothing.
        :param show_type: Only movies or only series; both if left out.
        :param limit: The most shows, from 1 to 20. By default 20.
        :param series_granularity: How much of a series is answered: no seasons, seasons, or seasons with
            episodes. Movies are not affected. By default "show".
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param fields: Only these members, up to 100, in the order in which answers have them; dots lead
            into objects, also through lists and by country (`streamingOptions.link`). Members that are not
            named are left out, required ones too.
        :param include: Members to add: `numbers`, `provenance`, `tmdbProviderIds`, `aliases`,
            `originalLanguage`, `popularity`, `bestOffer`, `history`. `numbers` are those of seasons and
            episodes, `provenance` is of options, `tmdbProviderIds` are of services, all else is of shows.
        :param services: For `bestOffer`: up to 32 subscriptions that the viewer has, each `<service>` or
            `<service>.addon.<addon>`.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "country": country,
            "catalogs": catalogs,
            "show_type": show_type,
            "limit": limit,
            "series_granularity": series_granularity,
            "output_language": output_language,
            "fields": fields,
            "include": include,
            "services": services,
        }
        return run(self._operations.get_similar_shows(id, parameters, (timeout, retries)))

    def get_show_history(
        self,
        id: str,
        *,
        country: str,
        series_granularity: Optional[SeriesGranularity] = None,
        output_language: Optional[OutputLanguage] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> ShowHistory:
        """Get the history of a show. The spans in which a show, its seasons and its episodes were live in a
        country, by service, option type and addon, with their prices, as far back as the operator keeps
        them.

        :param id: Id of the show, its IMDb id (`tt…`) or its TMDB id (`movie/…`, `tv/…`; the slash may be
            `%2F`).
        :param country: ISO 3166-1 alpha-2 code of the country, in any case.
        :param series_granularity: How much of a series is answered: no seasons, seasons, or seasons with
            episodes. Movies are not affected. By default "episode".
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "country": country,
            "series_granularity": series_granularity,
            "output_language": output_language,
        }
        return run(self._operations.get_show_history(id, parameters, (timeout, retries)))

    def search_by_filters(
        self,
        *,
        country: str,
        catalogs: Optional[Sequence[str]] = None,
        output_language: Optional[OutputLanguage] = None,
        show_type: Optional[ShowType] = None,
        genres: Optional[Sequence[str]] = None,
        genres_relation: Optional[GenresRelation] = None,
        show_original_language: Optional[str] = None,
        year_min: Optional[int] = None,
        year_max: Optional[int] = None,
        rating_min: Optional[int] = None,
        rating_max: Optional[int] = None,
        keyword: Optional[str] = None,
        people: Optional[Sequence[str]] = None,
        runtime_min: Optional[int] = None,
        runtime_max: Optional[int] = None,
        seasons_max: Optional[int] = None,
        exclude_genres: Optional[Sequence[str]] = None,
        ids: Optional[Sequence[str]] = None,
        exclude_ids: Optional[Sequence[str]] = None,
        option_types: Optional[Sequence[str]] = None,
        audios: Optional[Sequence[str]] = None,
        subtitles: Optional[Sequence[str]] = None,
        quality_min: Optional[QualityMin] = None,
        price_max: Optional[str] = None,
        currency: Optional[str] = None,
        available_since_min: Optional[Union[int, datetime]] = None,
        leaving_before: Optional[Union[int, datetime]] = None,
        series_granularity: Optional[SeriesGranularity] = None,
        order_by: Optional[OrderBy] = None,
        seed: Optional[int] = None,
        order_direction: Optional[OrderDirection] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        fields: Optional[Sequence[str]] = None,
        include: Optional[Sequence[str]] = None,
        services: Optional[Sequence[str]] = None,
        max_pages: Optional[int] = None,
        max_items: Optional[int] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Pages[Show]:
        """Search shows by filters. Shows of the catalogs of a country, or of several, that pass all filters,
        a page at a time. A page holds 20 shows when only movies are asked for or the granularity is
        `show`, 10 when only series are asked for at granularity `episode`, and 15 otherwise.

        :param country: ISO 3166-1 alpha-2 code of the country, in any case; or a list of up to 10 of
            them, such as `us,gb,de`; or `any` for all countries. With several, a show must be in one of them,
            and has the options of just those.
        :param catalogs: Catalogs to look in; all of the country if left out. Each is `<service>`
            (everything on it), `<service>.<type>` (type: subscription, free, rent, buy, addon) or
            `<service>.addon.<addon>`. Ids come from `/countries`; one that the country does not have matches
            nothing.
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param show_type: Only movies or only series; both if left out.
        :param genres: Ids of genres, from `/genres`.
        :param genres_relation: Whether a show must have one of the genres or all of them. By default
            "and".
        :param show_original_language: ISO 639-1 code of the original language, in any case.
        :param year_min: Least release year of a movie, or first air year of a series.
        :param year_max: Greatest release year of a movie, or first air year of a series.
        :param rating_min: Least rating, from 0 to 100.
        :param rating_max: Greatest rating, from 0 to 100.
        :param keyword: Words that all occur in the title or the overview.
        :param people: Names of people, all of whom must be in the cast, or direct, or have created the
            show. Case, accents and the order of the words make no difference; a name that nobody has is taken
            for the nearest one.
        :param runtime_min: Least runtime in minutes, from 0 to 10000. Only movies whose runtime is known
            have one.
        :param runtime_max: Greatest runtime in minutes, from 0 to 10000. Only movies whose runtime is
            known have one.
        :param seasons_max: The most seasons, from 1 to 10000. Only series whose count of seasons is known
            have one.
        :param exclude_genres: Ids of up to 32 genres, from `/genres`, none of which a show may have.
        :param ids: Only these shows. Up to 100 ids of any kind: of the show itself, IMDb ids (`tt…`),
            TMDB ids (`movie/…`, `tv/…`).
        :param exclude_ids: None of these shows. Up to 100 ids of any kind: of the show itself, IMDb ids
            (`tt…`), TMDB ids (`movie/…`, `tv/…`).
        :param option_types: Types of options on any service, at least one of which a show must have:
            subscription, free, rent, buy, addon. All filters on options, `catalogs` included, must hold for
            one and the same option.
        :param audios: Up to 16 languages (ISO 639-1 or 639-2), one of which the option must have as
            audio. All filters on options, `catalogs` included, must hold for one and the same option.
        :param subtitles: Up to 16 languages (ISO 639-1 or 639-2), one of which the option must have as
            subtitles; with `-cc` behind it, as closed captions. All filters on options, `catalogs` included,
            must hold for one and the same option.
        :param quality_min: The least video quality; an option whose quality is not known has none. All
            filters on options, `catalogs` included, must hold for one and the same option.
        :param price_max: The highest price to rent or buy; needs `currency`. Options without a price do
            not match. All filters on options, `catalogs` included, must hold for one and the same option.
        :param currency: ISO 4217 code of the currency of `price_max`. Prices in other currencies do not
            match.
        :param available_since_min: The option was first seen at this time (Unix seconds) or later: what
            is new. All filters on options, `catalogs` included, must hold for one and the same option.
        :param leaving_before: The option ends before this time (Unix seconds), which must be known: what
            is leaving. All filters on options, `catalogs` included, must hold for one and the same option.
        :param series_granularity: How much of a series is answered: no seasons, seasons, or seasons with
            episodes. Movies are not affected. By default "show".
        :param order_by: What the shows are ordered by. Popularity is that in the country, or the highest
            in the countries. `available_since` is when the newest option was first seen, `leaving` when the
            first option ends (last those without a known end), each of the options that pass the filters.
            `random` needs `seed`. Ties are ordered by id. By default "original_title".
        :param seed: Chooses one of the random orders, from 0 to 4294967295: the same seed is the same
            order, on all pages.
        :param order_direction: Direction of the order. By default descending for rating and popularity,
            ascending for all else.
        :param limit: The most shows on a page. A number above the page size, which is 20, 15 or 10,
            changes nothing.
        :param cursor: The `nextCursor` of the page before, URL-encoded; the other parameters stay the
            same.
        :param fields: Only these members, up to 100, in the order in which answers have them; dots lead
            into objects, also through lists and by country (`streamingOptions.link`). Members that are not
            named are left out, required ones too.
        :param include: Members to add: `numbers`, `provenance`, `tmdbProviderIds`, `aliases`,
            `originalLanguage`, `popularity`, `bestOffer`, `history`. `numbers` are those of seasons and
            episodes, `provenance` is of options, `tmdbProviderIds` are of services, all else is of shows.
        :param services: For `bestOffer`: up to 32 subscriptions that the viewer has, each `<service>` or
            `<service>.addon.<addon>`.
        :param max_pages: The most pages to fetch.
        :param max_items: The most items to yield.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "country": country,
            "catalogs": catalogs,
            "output_language": output_language,
            "show_type": show_type,
            "genres": genres,
            "genres_relation": genres_relation,
            "show_original_language": show_original_language,
            "year_min": year_min,
            "year_max": year_max,
            "rating_min": rating_min,
            "rating_max": rating_max,
            "keyword": keyword,
            "people": people,
            "runtime_min": runtime_min,
            "runtime_max": runtime_max,
            "seasons_max": seasons_max,
            "exclude_genres": exclude_genres,
            "ids": ids,
            "exclude_ids": exclude_ids,
            "option_types": option_types,
            "audios": audios,
            "subtitles": subtitles,
            "quality_min": quality_min,
            "price_max": price_max,
            "currency": currency,
            "available_since_min": available_since_min,
            "leaving_before": leaving_before,
            "series_granularity": series_granularity,
            "order_by": order_by,
            "seed": seed,
            "order_direction": order_direction,
            "limit": limit,
            "cursor": cursor,
            "fields": fields,
            "include": include,
            "services": services,
        }
        walk: Walk[Show] = Walk(
            lambda at: self._operations.search_by_filters({**parameters, "cursor": at}, (timeout, retries)), cursor, max_pages, max_items
        )
        return Pages(walk)

    def count_shows(
        self,
        *,
        country: str,
        catalogs: Optional[Sequence[str]] = None,
        output_language: Optional[OutputLanguage] = None,
        show_type: Optional[ShowType] = None,
        genres: Optional[Sequence[str]] = None,
        genres_relation: Optional[GenresRelation] = None,
        show_original_language: Optional[str] = None,
        year_min: Optional[int] = None,
        year_max: Optional[int] = None,
        rating_min: Optional[int] = None,
        rating_max: Optional[int] = None,
        keyword: Optional[str] = None,
        people: Optional[Sequence[str]] = None,
        runtime_min: Optional[int] = None,
        runtime_max: Optional[int] = None,
        seasons_max: Optional[int] = None,
        exclude_genres: Optional[Sequence[str]] = None,
        ids: Optional[Sequence[str]] = None,
        exclude_ids: Optional[Sequence[str]] = None,
        option_types: Optional[Sequence[str]] = None,
        audios: Optional[Sequence[str]] = None,
        subtitles: Optional[Sequence[str]] = None,
        quality_min: Optional[QualityMin] = None,
        price_max: Optional[str] = None,
        currency: Optional[str] = None,
        available_since_min: Optional[Union[int, datetime]] = None,
        leaving_before: Optional[Union[int, datetime]] = None,
        facets: Optional[Sequence[str]] = None,
        facet_filters: Optional[FacetFilters] = None,
        steps: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> ShowCount:
        """Count shows by filters. How many shows a filter search with the same filters finds, and how many
        of them have each value of some facets: services, types of shows, genres, years and original
        languages. A service counts shows with an option on it that passes all filters on options,
        `catalogs` included.

        :param country: ISO 3166-1 alpha-2 code of the country, in any case; or a list of up to 10 of
            them, such as `us,gb,de`; or `any` for all countries. With several, a show must be in one of them,
            and has the options of just those.
        :param catalogs: Catalogs to look in; all of the country if left out. Each is `<service>`
            (everything on it), `<service>.<type>` (type: subscription, free, rent, buy, addon) or
            `<service>.addon.<addon>`. Ids come from `/countries`; one that the country does not have matches
            nothing.
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param show_type: Only movies or only series; both if left out.
        :param genres: Ids of genres, from `/genres`.
        :param genres_relation: Whether a show must have one of the genres or all of them. By default
            "and".
        :param show_original_language: ISO 639-1 code of the original language, in any case.
        :param year_min: Least release year of a movie, or first air year of a series.
        :param year_max: Greatest release year of a movie, or first air year of a series.
        :param rating_min: Least rating, from 0 to 100.
        :param rating_max: Greatest rating, from 0 to 100.
        :param keyword: Words that all occur in the title or the overview.
        :param people: Names of people, all of whom must be in the cast, or direct, or have created the
            show. Case, accents and the order of the words make no difference; a name that nobody has is taken
            for the nearest one.
        :param runtime_min: Least runtime in minutes, from 0 to 10000. Only movies whose runtime is known
            have one.
        :param runtime_max: Greatest runtime in minutes, from 0 to 10000. Only movies whose runtime is
            known have one.
        :param seasons_max: The most seasons, from 1 to 10000. Only series whose count of seasons is known
            have one.
        :param exclude_genres: Ids of up to 32 genres, from `/genres`, none of which a show may have.
        :param ids: Only these shows. Up to 100 ids of any kind: of the show itself, IMDb ids (`tt…`),
            TMDB ids (`movie/…`, `tv/…`).
        :param exclude_ids: None of these shows. Up to 100 ids of any kind: of the show itself, IMDb ids
            (`tt…`), TMDB ids (`movie/…`, `tv/…`).
        :param option_types: Types of options on any service, at least one of which a show must have:
            subscription, free, rent, buy, addon. All filters on options, `catalogs` included, must hold for
            one and the same option.
        :param audios: Up to 16 languages (ISO 639-1 or 639-2), one of which the option must have as
            audio. All filters on options, `catalogs` included, must hold for one and the same option.
        :param subtitles: Up to 16 languages (ISO 639-1 or 639-2), one of which the option must have as
            subtitles; with `-cc` behind it, as closed captions. All filters on options, `catalogs` included,
            must hold for one and the same option.
        :param quality_min: The least video quality; an option whose quality is not known has none. All
            filters on options, `catalogs` included, must hold for one and the same option.
        :param price_max: The highest price to rent or buy; needs `currency`. Options without a price do
            not match. All filters on options, `catalogs` included, must hold for one and the same option.
        :param currency: ISO 4217 code of the currency of `price_max`. Prices in other currencies do not
            match.
        :param available_since_min: The option was first seen at this time (Unix seconds) or later: what
            is new. All filters on options, `catalogs` included, must hold for one and the same option.
        :param leaving_before: The option ends before this time (Unix seconds), which must be known: what
            is leaving. All filters on options, `catalogs` included, must hold for one and the same option.
        :param facets: What to count by: services, showTypes, genres, years, languages. All of them if
            left out.
        :param facet_filters: Which filters facets are counted with. `others` leaves out the one on what a
            facet counts by: services without `catalogs`, showTypes without `show_type`, genres without
            `genres` if `genres_relation` is `or`, years without `year_min` and `year_max`, languages without
            `show_original_language`. By default "all".
        :param steps: Up to 12 other values of filters, each `<filter>:<value>`, with which shows are
            counted in place of the value that the filter has. The filters are `show_type`, `year_min`,
            `year_max`, `rating_min`, `rating_max`, `runtime_min`, `runtime_max`, `seasons_max`,
            `quality_min`, `price_max`, `available_since_min`, `leaving_before`.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "country": country,
            "catalogs": catalogs,
            "output_language": output_language,
            "show_type": show_type,
            "genres": genres,
            "genres_relation": genres_relation,
            "show_original_language": show_original_language,
            "year_min": year_min,
            "year_max": year_max,
            "rating_min": rating_min,
            "rating_max": rating_max,
            "keyword": keyword,
            "people": people,
            "runtime_min": runtime_min,
            "runtime_max": runtime_max,
            "seasons_max": seasons_max,
            "exclude_genres": exclude_genres,
            "ids": ids,
            "exclude_ids": exclude_ids,
            "option_types": option_types,
            "audios": audios,
            "subtitles": subtitles,
            "quality_min": quality_min,
            "price_max": price_max,
            "currency": currency,
            "available_since_min": available_since_min,
            "leaving_before": leaving_before,
            "facets": facets,
            "facet_filters": facet_filters,
            "steps": steps,
        }
        return run(self._operations.count_shows(parameters, (timeout, retries)))

    def search_by_title(
        self,
        title: str,
        *,
        country: str,
        catalogs: Optional[Sequence[str]] = None,
        show_type: Optional[ShowType] = None,
        genres: Optional[Sequence[str]] = None,
        year_min: Optional[int] = None,
        year_max: Optional[int] = None,
        limit: Optional[int] = None,
        series_granularity: Optional[SeriesGranularity] = None,
        output_language: Optional[OutputLanguage] = None,
        fields: Optional[Sequence[str]] = None,
        include: Optional[Sequence[str]] = None,
        services: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> List[Show]:
        """Search shows by title. At most 20 shows by title, the best matches first; if more than 20 titles
        equal the phrase, all of those. Shows that cannot be watched in the country are found too.

        :param title: The title, or a part of it.
        :param country: ISO 3166-1 alpha-2 code of the country, in any case; or a list of up to 10 of
            them, such as `us,gb,de`; or `any` for all countries. With several, a show must be in one of them,
            and has the options of just those. Equally good matches are ordered by their popularity in the
            first of them.
        :param catalogs: Catalogs to look in; all of the country if left out. Each is `<service>`
            (everything on it), `<service>.<type>` (type: subscription, free, rent, buy, addon) or
            `<service>.addon.<addon>`. Ids come from `/countries`; one that the country does not have matches
            nothing.
        :param show_type: Only movies or only series; both if left out.
        :param genres: Ids of genres, from `/genres`.
        :param year_min: Least release year of a movie, or first air year of a series.
        :param year_max: Greatest release year of a movie, or first air year of a series.
        :param limit: The most shows, from 1 to 20. If left out, 20, or all whose title equals the phrase.
        :param series_granularity: How much of a series is answered: no seasons, seasons, or seasons with
            episodes. Movies are not affected. By default "show".
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param fields: Only these members, up to 100, in the order in which answers have them; dots lead
            into objects, also through lists and by country (`streamingOptions.link`). Members that are not
            named are left out, required ones too.
        :param include: Members to add: `numbers`, `provenance`, `tmdbProviderIds`, `aliases`,
            `originalLanguage`, `popularity`, `bestOffer`, `history`. `numbers` are those of seasons and
            episodes, `provenance` is of options, `tmdbProviderIds` are of services, all else is of shows.
        :param services: For `bestOffer`: up to 32 subscriptions that the viewer has, each `<service>` or
            `<service>.addon.<addon>`.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "title": title,
            "country": country,
            "catalogs": catalogs,
            "show_type": show_type,
            "genres": genres,
            "year_min": year_min,
            "year_max": year_max,
            "limit": limit,
            "series_granularity": series_granularity,
            "output_language": output_language,
            "fields": fields,
            "include": include,
            "services": services,
        }
        return run(self._operations.search_by_title(parameters, (timeout, retries)))

    def get_top_shows(
        self,
        *,
        country: str,
        service: str,
        show_type: Optional[ShowType] = None,
        output_language: Optional[OutputLanguage] = None,
        fields: Optional[Sequence[str]] = None,
        include: Optional[Sequence[str]] = None,
        services: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> List[Show]:
        """Get the top shows of a service. The service's own official list, in its order; empty for a service
        that publishes none.

        :param country: ISO 3166-1 alpha-2 code of the country, in any case.
        :param service: Id of the service, from `/countries`.
        :param show_type: Only movies or only series; both if left out.
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param fields: Only these members, up to 100, in the order in which answers have them; dots lead
            into objects, also through lists and by country (`streamingOptions.link`). Members that are not
            named are left out, required ones too.
        :param include: Members to add: `numbers`, `provenance`, `tmdbProviderIds`, `aliases`,
            `originalLanguage`, `popularity`, `bestOffer`, `history`. `numbers` are those of seasons and
            episodes, `provenance` is of options, `tmdbProviderIds` are of services, all else is of shows.
        :param services: For `bestOffer`: up to 32 subscriptions that the viewer has, each `<service>` or
            `<service>.addon.<addon>`.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "country": country,
            "service": service,
            "show_type": show_type,
            "output_language": output_language,
            "fields": fields,
            "include": include,
            "services": services,
        }
        return run(self._operations.get_top_shows(parameters, (timeout, retries)))

    def search_people(
        self,
        name: str,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> List[Person]:
        """Search people by name. Actors, directors and creators of shows by name, with the number of their
        shows: the best matches first, and among equally good ones people with more shows. The last word
        may be unfinished, and typing errors are forgiven.

        :param name: The name, or a part of it.
        :param limit: The most people, from 1 to 50. By default 20.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "name": name,
            "limit": limit,
        }
        return run(self._operations.search_people(parameters, (timeout, retries)))

    def list_changes(
        self,
        *,
        country: str,
        change_type: Union[ChangeType, Sequence[ChangeType]],
        item_type: Union[ItemType, Sequence[ItemType]],
        catalogs: Optional[Sequence[str]] = None,
        show_type: Optional[ShowType] = None,
        from_: Optional[Union[int, datetime]] = None,
        to: Optional[Union[int, datetime]] = None,
        include_unknown_dates: Optional[bool] = None,
        since: Optional[str] = None,
        cursor: Optional[str] = None,
        order_direction: Optional[OrderDirection] = None,
        output_language: Optional[OutputLanguage] = None,
        fields: Optional[Sequence[str]] = None,
        include: Optional[Sequence[str]] = None,
        services: Optional[Sequence[str]] = None,
        max_pages: Optional[int] = None,
        max_items: Optional[int] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Pages[StreamedChange]:
        """Changes in the catalogs of a country by date, page by page, each with its show.

        :param country: ISO 3166-1 alpha-2 code of the country, in any case; or a list of up to 10 of
            them, such as `us,gb,de`; or `any` for all countries. With a list of several or `any`, each change
            says its `country`, and shows have the options of just those countries.
        :param change_type: What happened (`new`, `updated`, `removed`) or will happen (`expiring`,
            `upcoming`); one or several.
        :param item_type: What it happened to (`show`, `season`, `episode`); one or several.
        :param catalogs: Catalogs to look in; all of the country if left out. Each is `<service>`
            (everything on it), `<service>.<type>` (type: subscription, free, rent, buy, addon) or
            `<service>.addon.<addon>`. Ids come from `/countries`; one that the country does not have matches
            nothing.
        :param show_type: Only movies or only series; both if left out.
        :param from_: The earliest change (Unix seconds). Past changes: from the start of the day 31 days
            ago to the end of today; future changes: from the start of today to the end of the day 31 days
            ahead. Days are UTC.
        :param to: The latest change (Unix seconds). Past changes: from the start of the day 31 days ago
            to the end of today; future changes: from the start of today to the end of the day 31 days ahead.
            Days are UTC.
        :param include_unknown_dates: Whether future changes without a date are answered; they count as
            timestamp 0. By default false.
        :param since: The `since` of an earlier answer, or of an export: only what has happened after it.
            `now` answers the token of this moment. For past changes; not together with `from`, `to` and
            `order_direction`.
        :param cursor: The `nextCursor` of the page before, URL-encoded; the other parameters stay the
            same.
        :param order_direction: Direction of the order. Ascending by default.
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param fields: Only these members, up to 100, in the order in which answers have them; dots lead
            into objects, also through lists and by country (`streamingOptions.link`). Members that are not
            named are left out, required ones too. Members of the show begin with `show.`; without any,
            `shows` is empty.
        :param include: Members to add: `numbers`, `provenance`, `tmdbProviderIds`, `aliases`,
            `originalLanguage`, `popularity`, `bestOffer`, `history`. `numbers` are those of seasons and
            episodes, `provenance` is of options, `tmdbProviderIds` are of services, all else is of shows.
        :param services: For `bestOffer`: up to 32 subscriptions that the viewer has, each `<service>` or
            `<service>.addon.<addon>`.
        :param max_pages: The most pages to fetch.
        :param max_items: The most items to yield.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "country": country,
            "change_type": change_type,
            "item_type": item_type,
            "catalogs": catalogs,
            "show_type": show_type,
            "from": from_,
            "to": to,
            "include_unknown_dates": include_unknown_dates,
            "since": since,
            "cursor": cursor,
            "order_direction": order_direction,
            "output_language": output_language,
            "fields": fields,
            "include": include,
            "services": services,
        }
        walk: Walk[StreamedChange] = Walk(
            lambda at: self._operations.list_changes({**parameters, "cursor": at}, (timeout, retries)), cursor, max_pages, max_items
        )
        return Pages(walk)

    def changes_since(
        self,
        *,
        country: str,
        change_type: Union[ChangeType, Sequence[ChangeType]],
        item_type: Union[ItemType, Sequence[ItemType]],
        since: str,
        catalogs: Optional[Sequence[str]] = None,
        show_type: Optional[ShowType] = None,
        output_language: Optional[OutputLanguage] = None,
        fields: Optional[Sequence[str]] = None,
        include: Optional[Sequence[str]] = None,
        services: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> ChangesSince:
        """All past changes after a token (or "now"), in the order in which they became known, and the token
        for the next time: nothing is missed, and nothing comes twice. Fails with the code `token_expired`
        when the token is older than the changes that the service keeps.

        :param country: ISO 3166-1 alpha-2 code of the country, in any case; or a list of up to 10 of
            them, such as `us,gb,de`; or `any` for all countries. With a list of several or `any`, each change
            says its `country`, and shows have the options of just those countries.
        :param change_type: What happened (`new`, `updated`, `removed`) or will happen (`expiring`,
            `upcoming`); one or several.
        :param item_type: What it happened to (`show`, `season`, `episode`); one or several.
        :param catalogs: Catalogs to look in; all of the country if left out. Each is `<service>`
            (everything on it), `<service>.<type>` (type: subscription, free, rent, buy, addon) or
            `<service>.addon.<addon>`. Ids come from `/countries`; one that the country does not have matches
            nothing.
        :param show_type: Only movies or only series; both if left out.
        :param since: The `since` of an earlier answer, or of an export: only what has happened after it.
            `now` answers the token of this moment. For past changes; not together with `from`, `to` and
            `order_direction`.
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param fields: Only these members, up to 100, in the order in which answers have them; dots lead
            into objects, also through lists and by country (`streamingOptions.link`). Members that are not
            named are left out, required ones too. Members of the show begin with `show.`; without any,
            `shows` is empty.
        :param include: Members to add: `numbers`, `provenance`, `tmdbProviderIds`, `aliases`,
            `originalLanguage`, `popularity`, `bestOffer`, `history`. `numbers` are those of seasons and
            episodes, `provenance` is of options, `tmdbProviderIds` are of services, all else is of shows.
        :param services: For `bestOffer`: up to 32 subscriptions that the viewer has, each `<service>` or
            `<service>.addon.<addon>`.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "country": country,
            "change_type": change_type,
            "item_type": item_type,
            "catalogs": catalogs,
            "show_type": show_type,
            "since": since,
            "output_language": output_language,
            "fields": fields,
            "include": include,
            "services": services,
        }
        return run(self._operations.changes_since(parameters, (timeout, retries)))

    def stream_changes(
        self,
        *,
        country: str,
        change_type: Union[ChangeType, Sequence[ChangeType]],
        item_type: Union[ItemType, Sequence[ItemType]],
        catalogs: Optional[Sequence[str]] = None,
        show_type: Optional[ShowType] = None,
        since: Optional[str] = None,
        output_language: Optional[OutputLanguage] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Iterator[ChangeWithToken]:
        """Past changes as they become known, without end; each has its show and `since`, the token behind
        it. A connection that is lost is opened again and goes on behind the last change. Reconnects as
        often as it must, or `retries` times in a row; the timeout holds for each part that arrives.

        :param country: ISO 3166-1 alpha-2 code of the country, in any case.
        :param change_type: What happened (`new`, `updated`, `removed`); one or several.
        :param item_type: What it happened to (`show`, `season`, `episode`); one or several.
        :param catalogs: Catalogs to look in; all of the country if left out. Each is `<service>`
            (everything on it), `<service>.<type>` (type: subscription, free, rent, buy, addon) or
            `<service>.addon.<addon>`. Ids come from `/countries`; one that the country does not have matches
            nothing.
        :param show_type: Only movies or only series; both if left out.
        :param since: Where to begin: the `since` of an answer of `/changes`, of an export, or the id of
            an event. `now` by default. The header `Last-Event-ID` takes precedence.
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "country": country,
            "change_type": change_type,
            "item_type": item_type,
            "catalogs": catalogs,
            "show_type": show_type,
            "since": since,
            "output_language": output_language,
        }
        return iterate(self._operations.stream_changes(parameters, (timeout, retries)))

    def export_catalog(
        self,
        *,
        country: str,
        since: Optional[str] = None,
        series_granularity: Optional[SeriesGranularity] = None,
        output_language: Optional[OutputLanguage] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Iterator[Exported]:
        """All shows of a country or, with `since`, those that were altered or left after an earlier export.
        The head comes first, with the token for the next time. An export that is cut off goes on where it
        was; shows may then come twice, and the later one counts. The timeout holds for each part that
        arrives.

        :param country: ISO 3166-1 alpha-2 code of the country, in any case.
        :param since: The `since` of an earlier export: only what was altered after it.
        :param series_granularity: How much of a series is answered: no seasons, seasons, or seasons with
            episodes. Movies are not affected. By default "episode".
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param cursor: The cursor of the last line of an export that was cut off; the other parameters
            stay the same.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "country": country,
            "since": since,
            "series_granularity": series_granularity,
            "output_language": output_language,
            "cursor": cursor,
        }
        return iterate(self._operations.export_catalog(parameters, (timeout, retries)))

    def list_countries(
        self,
        *,
        output_language: Optional[OutputLanguage] = None,
        include: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> List[Country]:
        """Get all countries. The countries of the catalog with their services, the most popular first, and
        the addons of those.

        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param include: Members to add: `tmdbProviderIds`, the ids of services in the provider lists of
            TMDB.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "output_language": output_language,
            "include": include,
        }
        return run(self._operations.list_countries(parameters, (timeout, retries)))

    def get_country(
        self,
        country_code: str,
        *,
        output_language: Optional[OutputLanguage] = None,
        include: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Country:
        """Get a country. One country with its services, the most popular first, and the addons of those.

        :param country_code: ISO 3166-1 alpha-2 code, in any case.
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param include: Members to add: `tmdbProviderIds`, the ids of services in the provider lists of
            TMDB.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "output_language": output_language,
            "include": include,
        }
        return run(self._operations.get_country(country_code, parameters, (timeout, retries)))

    def list_genres(
        self,
        *,
        output_language: Optional[OutputLanguage] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> List[Genre]:
        """Get all genres. The genres by which shows can be filtered.

        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "output_language": output_language,
        }
        return run(self._operations.list_genres(parameters, (timeout, retries)))


class AsyncMethods:
    """The calls of a client for asyncio."""

    _operations: Operations

    async def get_show(
        self,
        id: str,
        *,
        country: Optional[str] = None,
        series_granularity: Optional[SeriesGranularity] = None,
        output_language: Optional[OutputLanguage] = None,
        fields: Optional[Sequence[str]] = None,
        include: Optional[Sequence[str]] = None,
        services: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Show:
        """Get a show. One movie or series with its streaming options in all countries, or in some.

        :param id: Id of the show, its IMDb id (`tt…`) or its TMDB id (`movie/…`, `tv/…`; the slash may be
            `%2F`).
        :param country: Only the options of this country (ISO 3166-1 alpha-2), or of up to 10, such as
            `us,gb,de`. `any` is the same as leaving it out.
        :param series_granularity: How much of a series is answered: no seasons, seasons, or seasons with
            episodes. Movies are not affected. By default "episode".
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param fields: Only these members, up to 100, in the order in which answers have them; dots lead
            into objects, also through lists and by country (`streamingOptions.link`). Members that are not
            named are left out, required ones too.
        :param include: Members to add: `numbers`, `provenance`, `tmdbProviderIds`, `aliases`,
            `originalLanguage`, `popularity`, `bestOffer`, `history`. `numbers` are those of seasons and
            episodes, `provenance` is of options, `tmdbProviderIds` are of services, all else is of shows.
        :param services: For `bestOffer`: up to 32 subscriptions that the viewer has, each `<service>` or
            `<service>.addon.<addon>`.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "country": country,
            "series_granularity": series_granularity,
            "output_language": output_language,
            "fields": fields,
            "include": include,
            "services": services,
        }
        return await self._operations.get_show(id, parameters, (timeout, retries))

    async def get_shows(
        self,
        ids: Sequence[str],
        *,
        country: Optional[str] = None,
        series_granularity: Optional[SeriesGranularity] = None,
        output_language: Optional[OutputLanguage] = None,
        fields: Optional[Sequence[str]] = None,
        include: Optional[Sequence[str]] = None,
        services: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> List[Show]:
        """Get several shows. One show for each id, in the order of the ids. Ids that no show has are named
        in the header `X-Unknown-Ids` and left out. Every ten ids begun count as one request of the quota.

        :param ids: Up to 100 ids of any kind: of the show itself, IMDb ids (`tt…`), TMDB ids (`movie/…`,
            `tv/…`).
        :param country: Only the options of this country (ISO 3166-1 alpha-2), or of up to 10, such as
            `us,gb,de`. `any` is the same as leaving it out.
        :param series_granularity: How much of a series is answered: no seasons, seasons, or seasons with
            episodes. Movies are not affected. By default "episode".
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param fields: Only these members, up to 100, in the order in which answers have them; dots lead
            into objects, also through lists and by country (`streamingOptions.link`). Members that are not
            named are left out, required ones too.
        :param include: Members to add: `numbers`, `provenance`, `tmdbProviderIds`, `aliases`,
            `originalLanguage`, `popularity`, `bestOffer`, `history`. `numbers` are those of seasons and
            episodes, `provenance` is of options, `tmdbProviderIds` are of services, all else is of shows.
        :param services: For `bestOffer`: up to 32 subscriptions that the viewer has, each `<service>` or
            `<service>.addon.<addon>`.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "ids": ids,
            "country": country,
            "series_granularity": series_granularity,
            "output_language": output_language,
            "fields": fields,
            "include": include,
            "services": services,
        }
        return await self._operations.get_shows(parameters, (timeout, retries))

    async def get_similar_shows(
        self,
        id: str,
        *,
        country: str,
        catalogs: Optional[Sequence[str]] = None,
        show_type: Optional[ShowType] = None,
        limit: Optional[int] = None,
        series_granularity: Optional[SeriesGranularity] = None,
        output_language: Optional[OutputLanguage] = None,
        fields: Optional[Sequence[str]] = None,
        include: Optional[Sequence[str]] = None,
        services: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> List[Show]:
        """Get similar shows. Shows that can be watched in a country, or in one of several, and resemble a
        show, the most similar first: by people, words of titles and texts, genres, original language,
        years and services.

        :param id: Id of the show, its IMDb id (`tt…`) or its TMDB id (`movie/…`, `tv/…`; the slash may be
            `%2F`).
        :param country: ISO 3166-1 alpha-2 code of the country, in any case; or a list of up to 10 of
            them, such as `us,gb,de`; or `any` for all countries. With several, a show must be in one of them,
            and has the options of just those.
        :param catalogs: Catalogs to look in; all of the country if left out. Each is `<service>`
            (everything on it), `<service>.<type>` (type: subscription, free, rent, buy, addon) or
            `<service>.addon.<addon>`. Ids come from `/countries`; one that the country does not have matches
            nothing.
        :param show_type: Only movies or only series; both if left out.
        :param limit: The most shows, from 1 to 20. By default 20.
        :param series_granularity: How much of a series is answered: no seasons, seasons, or seasons with
            episodes. Movies are not affected. By default "show".
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param fields: Only these members, up to 100, in the order in which answers have them; dots lead
            into objects, also through lists and by country (`streamingOptions.link`). Members that are not
            named are left out, required ones too.
        :param include: Members to add: `numbers`, `provenance`, `tmdbProviderIds`, `aliases`,
            `originalLanguage`, `popularity`, `bestOffer`, `history`. `numbers` are those of seasons and
            episodes, `provenance` is of options, `tmdbProviderIds` are of services, all else is of shows.
        :param services: For `bestOffer`: up to 32 subscriptions that the viewer has, each `<service>` or
            `<service>.addon.<addon>`.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "country": country,
            "catalogs": catalogs,
            "show_type": show_type,
            "limit": limit,
            "series_granularity": series_granularity,
            "output_language": output_language,
            "fields": fields,
            "include": include,
            "services": services,
        }
        return await self._operations.get_similar_shows(id, parameters, (timeout, retries))

    async def get_show_history(
        self,
        id: str,
        *,
        country: str,
        series_granularity: Optional[SeriesGranularity] = None,
        output_language: Optional[OutputLanguage] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> ShowHistory:
        """Get the history of a show. The spans in which a show, its seasons and its episodes were live in a
        country, by service, option type and addon, with their prices, as far back as the operator keeps
        them.

        :param id: Id of the show, its IMDb id (`tt…`) or its TMDB id (`movie/…`, `tv/…`; the slash may be
            `%2F`).
        :param country: ISO 3166-1 alpha-2 code of the country, in any case.
        :param series_granularity: How much of a series is answered: no seasons, seasons, or seasons with
            episodes. Movies are not affected. By default "episode".
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "country": country,
            "series_granularity": series_granularity,
            "output_language": output_language,
        }
        return await self._operations.get_show_history(id, parameters, (timeout, retries))

    def search_by_filters(
        self,
        *,
        country: str,
        catalogs: Optional[Sequence[str]] = None,
        output_language: Optional[OutputLanguage] = None,
        show_type: Optional[ShowType] = None,
        genres: Optional[Sequence[str]] = None,
        genres_relation: Optional[GenresRelation] = None,
        show_original_language: Optional[str] = None,
        year_min: Optional[int] = None,
        year_max: Optional[int] = None,
        rating_min: Optional[int] = None,
        rating_max: Optional[int] = None,
        keyword: Optional[str] = None,
        people: Optional[Sequence[str]] = None,
        runtime_min: Optional[int] = None,
        runtime_max: Optional[int] = None,
        seasons_max: Optional[int] = None,
        exclude_genres: Optional[Sequence[str]] = None,
        ids: Optional[Sequence[str]] = None,
        exclude_ids: Optional[Sequence[str]] = None,
        option_types: Optional[Sequence[str]] = None,
        audios: Optional[Sequence[str]] = None,
        subtitles: Optional[Sequence[str]] = None,
        quality_min: Optional[QualityMin] = None,
        price_max: Optional[str] = None,
        currency: Optional[str] = None,
        available_since_min: Optional[Union[int, datetime]] = None,
        leaving_before: Optional[Union[int, datetime]] = None,
        series_granularity: Optional[SeriesGranularity] = None,
        order_by: Optional[OrderBy] = None,
        seed: Optional[int] = None,
        order_direction: Optional[OrderDirection] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        fields: Optional[Sequence[str]] = None,
        include: Optional[Sequence[str]] = None,
        services: Optional[Sequence[str]] = None,
        max_pages: Optional[int] = None,
        max_items: Optional[int] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> AsyncPages[Show]:
        """Search shows by filters. Shows of the catalogs of a country, or of several, that pass all filters,
        a page at a time. A page holds 20 shows when only movies are asked for or the granularity is
        `show`, 10 when only series are asked for at granularity `episode`, and 15 otherwise.

        :param country: ISO 3166-1 alpha-2 code of the country, in any case; or a list of up to 10 of
            them, such as `us,gb,de`; or `any` for all countries. With several, a show must be in one of them,
            and has the options of just those.
        :param catalogs: Catalogs to look in; all of the country if left out. Each is `<service>`
            (everything on it), `<service>.<type>` (type: subscription, free, rent, buy, addon) or
            `<service>.addon.<addon>`. Ids come from `/countries`; one that the country does not have matches
            nothing.
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param show_type: Only movies or only series; both if left out.
        :param genres: Ids of genres, from `/genres`.
        :param genres_relation: Whether a show must have one of the genres or all of them. By default
            "and".
        :param show_original_language: ISO 639-1 code of the original language, in any case.
        :param year_min: Least release year of a movie, or first air year of a series.
        :param year_max: Greatest release year of a movie, or first air year of a series.
        :param rating_min: Least rating, from 0 to 100.
        :param rating_max: Greatest rating, from 0 to 100.
        :param keyword: Words that all occur in the title or the overview.
        :param people: Names of people, all of whom must be in the cast, or direct, or have created the
            show. Case, accents and the order of the words make no difference; a name that nobody has is taken
            for the nearest one.
        :param runtime_min: Least runtime in minutes, from 0 to 10000. Only movies whose runtime is known
            have one.
        :param runtime_max: Greatest runtime in minutes, from 0 to 10000. Only movies whose runtime is
            known have one.
        :param seasons_max: The most seasons, from 1 to 10000. Only series whose count of seasons is known
            have one.
        :param exclude_genres: Ids of up to 32 genres, from `/genres`, none of which a show may have.
        :param ids: Only these shows. Up to 100 ids of any kind: of the show itself, IMDb ids (`tt…`),
            TMDB ids (`movie/…`, `tv/…`).
        :param exclude_ids: None of these shows. Up to 100 ids of any kind: of the show itself, IMDb ids
            (`tt…`), TMDB ids (`movie/…`, `tv/…`).
        :param option_types: Types of options on any service, at least one of which a show must have:
            subscription, free, rent, buy, addon. All filters on options, `catalogs` included, must hold for
            one and the same option.
        :param audios: Up to 16 languages (ISO 639-1 or 639-2), one of which the option must have as
            audio. All filters on options, `catalogs` included, must hold for one and the same option.
        :param subtitles: Up to 16 languages (ISO 639-1 or 639-2), one of which the option must have as
            subtitles; with `-cc` behind it, as closed captions. All filters on options, `catalogs` included,
            must hold for one and the same option.
        :param quality_min: The least video quality; an option whose quality is not known has none. All
            filters on options, `catalogs` included, must hold for one and the same option.
        :param price_max: The highest price to rent or buy; needs `currency`. Options without a price do
            not match. All filters on options, `catalogs` included, must hold for one and the same option.
        :param currency: ISO 4217 code of the currency of `price_max`. Prices in other currencies do not
            match.
        :param available_since_min: The option was first seen at this time (Unix seconds) or later: what
            is new. All filters on options, `catalogs` included, must hold for one and the same option.
        :param leaving_before: The option ends before this time (Unix seconds), which must be known: what
            is leaving. All filters on options, `catalogs` included, must hold for one and the same option.
        :param series_granularity: How much of a series is answered: no seasons, seasons, or seasons with
            episodes. Movies are not affected. By default "show".
        :param order_by: What the shows are ordered by. Popularity is that in the country, or the highest
            in the countries. `available_since` is when the newest option was first seen, `leaving` when the
            first option ends (last those without a known end), each of the options that pass the filters.
            `random` needs `seed`. Ties are ordered by id. By default "original_title".
        :param seed: Chooses one of the random orders, from 0 to 4294967295: the same seed is the same
            order, on all pages.
        :param order_direction: Direction of the order. By default descending for rating and popularity,
            ascending for all else.
        :param limit: The most shows on a page. A number above the page size, which is 20, 15 or 10,
            changes nothing.
        :param cursor: The `nextCursor` of the page before, URL-encoded; the other parameters stay the
            same.
        :param fields: Only these members, up to 100, in the order in which answers have them; dots lead
            into objects, also through lists and by country (`streamingOptions.link`). Members that are not
            named are left out, required ones too.
        :param include: Members to add: `numbers`, `provenance`, `tmdbProviderIds`, `aliases`,
            `originalLanguage`, `popularity`, `bestOffer`, `history`. `numbers` are those of seasons and
            episodes, `provenance` is of options, `tmdbProviderIds` are of services, all else is of shows.
        :param services: For `bestOffer`: up to 32 subscriptions that the viewer has, each `<service>` or
            `<service>.addon.<addon>`.
        :param max_pages: The most pages to fetch.
        :param max_items: The most items to yield.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "country": country,
            "catalogs": catalogs,
            "output_language": output_language,
            "show_type": show_type,
            "genres": genres,
            "genres_relation": genres_relation,
            "show_original_language": show_original_language,
            "year_min": year_min,
            "year_max": year_max,
            "rating_min": rating_min,
            "rating_max": rating_max,
            "keyword": keyword,
            "people": people,
            "runtime_min": runtime_min,
            "runtime_max": runtime_max,
            "seasons_max": seasons_max,
            "exclude_genres": exclude_genres,
            "ids": ids,
            "exclude_ids": exclude_ids,
            "option_types": option_types,
            "audios": audios,
            "subtitles": subtitles,
            "quality_min": quality_min,
            "price_max": price_max,
            "currency": currency,
            "available_since_min": available_since_min,
            "leaving_before": leaving_before,
            "series_granularity": series_granularity,
            "order_by": order_by,
            "seed": seed,
            "order_direction": order_direction,
            "limit": limit,
            "cursor": cursor,
            "fields": fields,
            "include": include,
            "services": services,
        }
        walk: Walk[Show] = Walk(
            lambda at: self._operations.search_by_filters({**parameters, "cursor": at}, (timeout, retries)), cursor, max_pages, max_items
        )
        return AsyncPages(walk)

    async def count_shows(
        self,
        *,
        country: str,
        catalogs: Optional[Sequence[str]] = None,
        output_language: Optional[OutputLanguage] = None,
        show_type: Optional[ShowType] = None,
        genres: Optional[Sequence[str]] = None,
        genres_relation: Optional[GenresRelation] = None,
        show_original_language: Optional[str] = None,
        year_min: Optional[int] = None,
        year_max: Optional[int] = None,
        rating_min: Optional[int] = None,
        rating_max: Optional[int] = None,
        keyword: Optional[str] = None,
        people: Optional[Sequence[str]] = None,
        runtime_min: Optional[int] = None,
        runtime_max: Optional[int] = None,
        seasons_max: Optional[int] = None,
        exclude_genres: Optional[Sequence[str]] = None,
        ids: Optional[Sequence[str]] = None,
        exclude_ids: Optional[Sequence[str]] = None,
        option_types: Optional[Sequence[str]] = None,
        audios: Optional[Sequence[str]] = None,
        subtitles: Optional[Sequence[str]] = None,
        quality_min: Optional[QualityMin] = None,
        price_max: Optional[str] = None,
        currency: Optional[str] = None,
        available_since_min: Optional[Union[int, datetime]] = None,
        leaving_before: Optional[Union[int, datetime]] = None,
        facets: Optional[Sequence[str]] = None,
        facet_filters: Optional[FacetFilters] = None,
        steps: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> ShowCount:
        """Count shows by filters. How many shows a filter search with the same filters finds, and how many
        of them have each value of some facets: services, types of shows, genres, years and original
        languages. A service counts shows with an option on it that passes all filters on options,
        `catalogs` included.

        :param country: ISO 3166-1 alpha-2 code of the country, in any case; or a list of up to 10 of
            them, such as `us,gb,de`; or `any` for all countries. With several, a show must be in one of them,
            and has the options of just those.
        :param catalogs: Catalogs to look in; all of the country if left out. Each is `<service>`
            (everything on it), `<service>.<type>` (type: subscription, free, rent, buy, addon) or
            `<service>.addon.<addon>`. Ids come from `/countries`; one that the country does not have matches
            nothing.
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param show_type: Only movies or only series; both if left out.
        :param genres: Ids of genres, from `/genres`.
        :param genres_relation: Whether a show must have one of the genres or all of them. By default
            "and".
        :param show_original_language: ISO 639-1 code of the original language, in any case.
        :param year_min: Least release year of a movie, or first air year of a series.
        :param year_max: Greatest release year of a movie, or first air year of a series.
        :param rating_min: Least rating, from 0 to 100.
        :param rating_max: Greatest rating, from 0 to 100.
        :param keyword: Words that all occur in the title or the overview.
        :param people: Names of people, all of whom must be in the cast, or direct, or have created the
            show. Case, accents and the order of the words make no difference; a name that nobody has is taken
            for the nearest one.
        :param runtime_min: Least runtime in minutes, from 0 to 10000. Only movies whose runtime is known
            have one.
        :param runtime_max: Greatest runtime in minutes, from 0 to 10000. Only movies whose runtime is
            known have one.
        :param seasons_max: The most seasons, from 1 to 10000. Only series whose count of seasons is known
            have one.
        :param exclude_genres: Ids of up to 32 genres, from `/genres`, none of which a show may have.
        :param ids: Only these shows. Up to 100 ids of any kind: of the show itself, IMDb ids (`tt…`),
            TMDB ids (`movie/…`, `tv/…`).
        :param exclude_ids: None of these shows. Up to 100 ids of any kind: of the show itself, IMDb ids
            (`tt…`), TMDB ids (`movie/…`, `tv/…`).
        :param option_types: Types of options on any service, at least one of which a show must have:
            subscription, free, rent, buy, addon. All filters on options, `catalogs` included, must hold for
            one and the same option.
        :param audios: Up to 16 languages (ISO 639-1 or 639-2), one of which the option must have as
            audio. All filters on options, `catalogs` included, must hold for one and the same option.
        :param subtitles: Up to 16 languages (ISO 639-1 or 639-2), one of which the option must have as
            subtitles; with `-cc` behind it, as closed captions. All filters on options, `catalogs` included,
            must hold for one and the same option.
        :param quality_min: The least video quality; an option whose quality is not known has none. All
            filters on options, `catalogs` included, must hold for one and the same option.
        :param price_max: The highest price to rent or buy; needs `currency`. Options without a price do
            not match. All filters on options, `catalogs` included, must hold for one and the same option.
        :param currency: ISO 4217 code of the currency of `price_max`. Prices in other currencies do not
            match.
        :param available_since_min: The option was first seen at this time (Unix seconds) or later: what
            is new. All filters on options, `catalogs` included, must hold for one and the same option.
        :param leaving_before: The option ends before this time (Unix seconds), which must be known: what
            is leaving. All filters on options, `catalogs` included, must hold for one and the same option.
        :param facets: What to count by: services, showTypes, genres, years, languages. All of them if
            left out.
        :param facet_filters: Which filters facets are counted with. `others` leaves out the one on what a
            facet counts by: services without `catalogs`, showTypes without `show_type`, genres without
            `genres` if `genres_relation` is `or`, years without `year_min` and `year_max`, languages without
            `show_original_language`. By default "all".
        :param steps: Up to 12 other values of filters, each `<filter>:<value>`, with which shows are
            counted in place of the value that the filter has. The filters are `show_type`, `year_min`,
            `year_max`, `rating_min`, `rating_max`, `runtime_min`, `runtime_max`, `seasons_max`,
            `quality_min`, `price_max`, `available_since_min`, `leaving_before`.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "country": country,
            "catalogs": catalogs,
            "output_language": output_language,
            "show_type": show_type,
            "genres": genres,
            "genres_relation": genres_relation,
            "show_original_language": show_original_language,
            "year_min": year_min,
            "year_max": year_max,
            "rating_min": rating_min,
            "rating_max": rating_max,
            "keyword": keyword,
            "people": people,
            "runtime_min": runtime_min,
            "runtime_max": runtime_max,
            "seasons_max": seasons_max,
            "exclude_genres": exclude_genres,
            "ids": ids,
            "exclude_ids": exclude_ids,
            "option_types": option_types,
            "audios": audios,
            "subtitles": subtitles,
            "quality_min": quality_min,
            "price_max": price_max,
            "currency": currency,
            "available_since_min": available_since_min,
            "leaving_before": leaving_before,
            "facets": facets,
            "facet_filters": facet_filters,
            "steps": steps,
        }
        return await self._operations.count_shows(parameters, (timeout, retries))

    async def search_by_title(
        self,
        title: str,
        *,
        country: str,
        catalogs: Optional[Sequence[str]] = None,
        show_type: Optional[ShowType] = None,
        genres: Optional[Sequence[str]] = None,
        year_min: Optional[int] = None,
        year_max: Optional[int] = None,
        limit: Optional[int] = None,
        series_granularity: Optional[SeriesGranularity] = None,
        output_language: Optional[OutputLanguage] = None,
        fields: Optional[Sequence[str]] = None,
        include: Optional[Sequence[str]] = None,
        services: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> List[Show]:
        """Search shows by title. At most 20 shows by title, the best matches first; if more than 20 titles
        equal the phrase, all of those. Shows that cannot be watched in the country are found too.

        :param title: The title, or a part of it.
        :param country: ISO 3166-1 alpha-2 code of the country, in any case; or a list of up to 10 of
            them, such as `us,gb,de`; or `any` for all countries. With several, a show must be in one of them,
            and has the options of just those. Equally good matches are ordered by their popularity in the
            first of them.
        :param catalogs: Catalogs to look in; all of the country if left out. Each is `<service>`
            (everything on it), `<service>.<type>` (type: subscription, free, rent, buy, addon) or
            `<service>.addon.<addon>`. Ids come from `/countries`; one that the country does not have matches
            nothing.
        :param show_type: Only movies or only series; both if left out.
        :param genres: Ids of genres, from `/genres`.
        :param year_min: Least release year of a movie, or first air year of a series.
        :param year_max: Greatest release year of a movie, or first air year of a series.
        :param limit: The most shows, from 1 to 20. If left out, 20, or all whose title equals the phrase.
        :param series_granularity: How much of a series is answered: no seasons, seasons, or seasons with
            episodes. Movies are not affected. By default "show".
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param fields: Only these members, up to 100, in the order in which answers have them; dots lead
            into objects, also through lists and by country (`streamingOptions.link`). Members that are not
            named are left out, required ones too.
        :param include: Members to add: `numbers`, `provenance`, `tmdbProviderIds`, `aliases`,
            `originalLanguage`, `popularity`, `bestOffer`, `history`. `numbers` are those of seasons and
            episodes, `provenance` is of options, `tmdbProviderIds` are of services, all else is of shows.
        :param services: For `bestOffer`: up to 32 subscriptions that the viewer has, each `<service>` or
            `<service>.addon.<addon>`.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "title": title,
            "country": country,
            "catalogs": catalogs,
            "show_type": show_type,
            "genres": genres,
            "year_min": year_min,
            "year_max": year_max,
            "limit": limit,
            "series_granularity": series_granularity,
            "output_language": output_language,
            "fields": fields,
            "include": include,
            "services": services,
        }
        return await self._operations.search_by_title(parameters, (timeout, retries))

    async def get_top_shows(
        self,
        *,
        country: str,
        service: str,
        show_type: Optional[ShowType] = None,
        output_language: Optional[OutputLanguage] = None,
        fields: Optional[Sequence[str]] = None,
        include: Optional[Sequence[str]] = None,
        services: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> List[Show]:
        """Get the top shows of a service. The service's own official list, in its order; empty for a service
        that publishes none.

        :param country: ISO 3166-1 alpha-2 code of the country, in any case.
        :param service: Id of the service, from `/countries`.
        :param show_type: Only movies or only series; both if left out.
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param fields: Only these members, up to 100, in the order in which answers have them; dots lead
            into objects, also through lists and by country (`streamingOptions.link`). Members that are not
            named are left out, required ones too.
        :param include: Members to add: `numbers`, `provenance`, `tmdbProviderIds`, `aliases`,
            `originalLanguage`, `popularity`, `bestOffer`, `history`. `numbers` are those of seasons and
            episodes, `provenance` is of options, `tmdbProviderIds` are of services, all else is of shows.
        :param services: For `bestOffer`: up to 32 subscriptions that the viewer has, each `<service>` or
            `<service>.addon.<addon>`.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "country": country,
            "service": service,
            "show_type": show_type,
            "output_language": output_language,
            "fields": fields,
            "include": include,
            "services": services,
        }
        return await self._operations.get_top_shows(parameters, (timeout, retries))

    async def search_people(
        self,
        name: str,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> List[Person]:
        """Search people by name. Actors, directors and creators of shows by name, with the number of their
        shows: the best matches first, and among equally good ones people with more shows. The last word
        may be unfinished, and typing errors are forgiven.

        :param name: The name, or a part of it.
        :param limit: The most people, from 1 to 50. By default 20.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "name": name,
            "limit": limit,
        }
        return await self._operations.search_people(parameters, (timeout, retries))

    def list_changes(
        self,
        *,
        country: str,
        change_type: Union[ChangeType, Sequence[ChangeType]],
        item_type: Union[ItemType, Sequence[ItemType]],
        catalogs: Optional[Sequence[str]] = None,
        show_type: Optional[ShowType] = None,
        from_: Optional[Union[int, datetime]] = None,
        to: Optional[Union[int, datetime]] = None,
        include_unknown_dates: Optional[bool] = None,
        since: Optional[str] = None,
        cursor: Optional[str] = None,
        order_direction: Optional[OrderDirection] = None,
        output_language: Optional[OutputLanguage] = None,
        fields: Optional[Sequence[str]] = None,
        include: Optional[Sequence[str]] = None,
        services: Optional[Sequence[str]] = None,
        max_pages: Optional[int] = None,
        max_items: Optional[int] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> AsyncPages[StreamedChange]:
        """Changes in the catalogs of a country by date, page by page, each with its show.

        :param country: ISO 3166-1 alpha-2 code of the country, in any case; or a list of up to 10 of
            them, such as `us,gb,de`; or `any` for all countries. With a list of several or `any`, each change
            says its `country`, and shows have the options of just those countries.
        :param change_type: What happened (`new`, `updated`, `removed`) or will happen (`expiring`,
            `upcoming`); one or several.
        :param item_type: What it happened to (`show`, `season`, `episode`); one or several.
        :param catalogs: Catalogs to look in; all of the country if left out. Each is `<service>`
            (everything on it), `<service>.<type>` (type: subscription, free, rent, buy, addon) or
            `<service>.addon.<addon>`. Ids come from `/countries`; one that the country does not have matches
            nothing.
        :param show_type: Only movies or only series; both if left out.
        :param from_: The earliest change (Unix seconds). Past changes: from the start of the day 31 days
            ago to the end of today; future changes: from the start of today to the end of the day 31 days
            ahead. Days are UTC.
        :param to: The latest change (Unix seconds). Past changes: from the start of the day 31 days ago
            to the end of today; future changes: from the start of today to the end of the day 31 days ahead.
            Days are UTC.
        :param include_unknown_dates: Whether future changes without a date are answered; they count as
            timestamp 0. By default false.
        :param since: The `since` of an earlier answer, or of an export: only what has happened after it.
            `now` answers the token of this moment. For past changes; not together with `from`, `to` and
            `order_direction`.
        :param cursor: The `nextCursor` of the page before, URL-encoded; the other parameters stay the
            same.
        :param order_direction: Direction of the order. Ascending by default.
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param fields: Only these members, up to 100, in the order in which answers have them; dots lead
            into objects, also through lists and by country (`streamingOptions.link`). Members that are not
            named are left out, required ones too. Members of the show begin with `show.`; without any,
            `shows` is empty.
        :param include: Members to add: `numbers`, `provenance`, `tmdbProviderIds`, `aliases`,
            `originalLanguage`, `popularity`, `bestOffer`, `history`. `numbers` are those of seasons and
            episodes, `provenance` is of options, `tmdbProviderIds` are of services, all else is of shows.
        :param services: For `bestOffer`: up to 32 subscriptions that the viewer has, each `<service>` or
            `<service>.addon.<addon>`.
        :param max_pages: The most pages to fetch.
        :param max_items: The most items to yield.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "country": country,
            "change_type": change_type,
            "item_type": item_type,
            "catalogs": catalogs,
            "show_type": show_type,
            "from": from_,
            "to": to,
            "include_unknown_dates": include_unknown_dates,
            "since": since,
            "cursor": cursor,
            "order_direction": order_direction,
            "output_language": output_language,
            "fields": fields,
            "include": include,
            "services": services,
        }
        walk: Walk[StreamedChange] = Walk(
            lambda at: self._operations.list_changes({**parameters, "cursor": at}, (timeout, retries)), cursor, max_pages, max_items
        )
        return AsyncPages(walk)

    async def changes_since(
        self,
        *,
        country: str,
        change_type: Union[ChangeType, Sequence[ChangeType]],
        item_type: Union[ItemType, Sequence[ItemType]],
        since: str,
        catalogs: Optional[Sequence[str]] = None,
        show_type: Optional[ShowType] = None,
        output_language: Optional[OutputLanguage] = None,
        fields: Optional[Sequence[str]] = None,
        include: Optional[Sequence[str]] = None,
        services: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> ChangesSince:
        """All past changes after a token (or "now"), in the order in which they became known, and the token
        for the next time: nothing is missed, and nothing comes twice. Fails with the code `token_expired`
        when the token is older than the changes that the service keeps.

        :param country: ISO 3166-1 alpha-2 code of the country, in any case; or a list of up to 10 of
            them, such as `us,gb,de`; or `any` for all countries. With a list of several or `any`, each change
            says its `country`, and shows have the options of just those countries.
        :param change_type: What happened (`new`, `updated`, `removed`) or will happen (`expiring`,
            `upcoming`); one or several.
        :param item_type: What it happened to (`show`, `season`, `episode`); one or several.
        :param catalogs: Catalogs to look in; all of the country if left out. Each is `<service>`
            (everything on it), `<service>.<type>` (type: subscription, free, rent, buy, addon) or
            `<service>.addon.<addon>`. Ids come from `/countries`; one that the country does not have matches
            nothing.
        :param show_type: Only movies or only series; both if left out.
        :param since: The `since` of an earlier answer, or of an export: only what has happened after it.
            `now` answers the token of this moment. For past changes; not together with `from`, `to` and
            `order_direction`.
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param fields: Only these members, up to 100, in the order in which answers have them; dots lead
            into objects, also through lists and by country (`streamingOptions.link`). Members that are not
            named are left out, required ones too. Members of the show begin with `show.`; without any,
            `shows` is empty.
        :param include: Members to add: `numbers`, `provenance`, `tmdbProviderIds`, `aliases`,
            `originalLanguage`, `popularity`, `bestOffer`, `history`. `numbers` are those of seasons and
            episodes, `provenance` is of options, `tmdbProviderIds` are of services, all else is of shows.
        :param services: For `bestOffer`: up to 32 subscriptions that the viewer has, each `<service>` or
            `<service>.addon.<addon>`.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "country": country,
            "change_type": change_type,
            "item_type": item_type,
            "catalogs": catalogs,
            "show_type": show_type,
            "since": since,
            "output_language": output_language,
            "fields": fields,
            "include": include,
            "services": services,
        }
        return await self._operations.changes_since(parameters, (timeout, retries))

    def stream_changes(
        self,
        *,
        country: str,
        change_type: Union[ChangeType, Sequence[ChangeType]],
        item_type: Union[ItemType, Sequence[ItemType]],
        catalogs: Optional[Sequence[str]] = None,
        show_type: Optional[ShowType] = None,
        since: Optional[str] = None,
        output_language: Optional[OutputLanguage] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> AsyncIterator[ChangeWithToken]:
        """Past changes as they become known, without end; each has its show and `since`, the token behind
        it. A connection that is lost is opened again and goes on behind the last change. Reconnects as
        often as it must, or `retries` times in a row; the timeout holds for each part that arrives.

        :param country: ISO 3166-1 alpha-2 code of the country, in any case.
        :param change_type: What happened (`new`, `updated`, `removed`); one or several.
        :param item_type: What it happened to (`show`, `season`, `episode`); one or several.
        :param catalogs: Catalogs to look in; all of the country if left out. Each is `<service>`
            (everything on it), `<service>.<type>` (type: subscription, free, rent, buy, addon) or
            `<service>.addon.<addon>`. Ids come from `/countries`; one that the country does not have matches
            nothing.
        :param show_type: Only movies or only series; both if left out.
        :param since: Where to begin: the `since` of an answer of `/changes`, of an export, or the id of
            an event. `now` by default. The header `Last-Event-ID` takes precedence.
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "country": country,
            "change_type": change_type,
            "item_type": item_type,
            "catalogs": catalogs,
            "show_type": show_type,
            "since": since,
            "output_language": output_language,
        }
        return self._operations.stream_changes(parameters, (timeout, retries))

    def export_catalog(
        self,
        *,
        country: str,
        since: Optional[str] = None,
        series_granularity: Optional[SeriesGranularity] = None,
        output_language: Optional[OutputLanguage] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> AsyncIterator[Exported]:
        """All shows of a country or, with `since`, those that were altered or left after an earlier export.
        The head comes first, with the token for the next time. An export that is cut off goes on where it
        was; shows may then come twice, and the later one counts. The timeout holds for each part that
        arrives.

        :param country: ISO 3166-1 alpha-2 code of the country, in any case.
        :param since: The `since` of an earlier export: only what was altered after it.
        :param series_granularity: How much of a series is answered: no seasons, seasons, or seasons with
            episodes. Movies are not affected. By default "episode".
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param cursor: The cursor of the last line of an export that was cut off; the other parameters
            stay the same.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "country": country,
            "since": since,
            "series_granularity": series_granularity,
            "output_language": output_language,
            "cursor": cursor,
        }
        return self._operations.export_catalog(parameters, (timeout, retries))

    async def list_countries(
        self,
        *,
        output_language: Optional[OutputLanguage] = None,
        include: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> List[Country]:
        """Get all countries. The countries of the catalog with their services, the most popular first, and
        the addons of those.

        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param include: Members to add: `tmdbProviderIds`, the ids of services in the provider lists of
            TMDB.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "output_language": output_language,
            "include": include,
        }
        return await self._operations.list_countries(parameters, (timeout, retries))

    async def get_country(
        self,
        country_code: str,
        *,
        output_language: Optional[OutputLanguage] = None,
        include: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> Country:
        """Get a country. One country with its services, the most popular first, and the addons of those.

        :param country_code: ISO 3166-1 alpha-2 code, in any case.
        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param include: Members to add: `tmdbProviderIds`, the ids of services in the provider lists of
            TMDB.
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "output_language": output_language,
            "include": include,
        }
        return await self._operations.get_country(country_code, parameters, (timeout, retries))

    async def list_genres(
        self,
        *,
        output_language: Optional[OutputLanguage] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
    ) -> List[Genre]:
        """Get all genres. The genres by which shows can be filtered.

        :param output_language: ISO 639-1 code of the language in which names and texts are answered, in
            any case. By default "en".
        :param timeout: Seconds that a call may take; for this call instead of that of the client.
        :param retries: The most retries; for this call instead of that of the client.
        """
        parameters = {
            "output_language": output_language,
        }
        return await self._operations.list_genres(parameters, (timeout, retries))
