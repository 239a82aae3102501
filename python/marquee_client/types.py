"""What answers hold, and the words that parameters take.

Made from spec/openapi.json by scripts/generate-api-code.mjs: do not edit.
"""

from __future__ import annotations

from typing import Dict, List, Literal, TypedDict, Union

#: The best video quality.
Quality = Literal["sd", "hd", "qhd", "uhd"]

#: How much of a series is answered: no seasons, seasons, or seasons with episodes.
SeriesGranularity = Literal["show", "season", "episode"]

#: Languages in which names and texts are answered (ISO 639-1).
OutputLanguage = Literal["en", "es", "fr", "tr", "de", "it", "pt", "nl", "pl", "sv", "ja", "ko"]

#: Whether a show must have one of several genres or all of them.
GenresRelation = Literal["or", "and"]

QualityMin = Literal["sd", "hd", "qhd", "uhd"]

#: What shows are ordered by.
OrderBy = Literal["original_title", "release_date", "rating", "popularity_alltime", "popularity_1year", "popularity_1month", "popularity_1week", "runtime", "available_since", "leaving", "random"]

#: Direction of an order.
OrderDirection = Literal["asc", "desc"]

FacetFilters = Literal["all", "others"]

class _MovieRequired(TypedDict):
    #: Always `show`.
    itemType: Literal["show"]
    #: Always `movie`.
    showType: Literal["movie"]
    #: Id of the show.
    id: str
    #: IMDb id; empty if there is none.
    imdbId: str
    #: TMDB id.
    tmdbId: str
    #: Title in the output language.
    title: str
    #: What it is about.
    overview: str
    #: Title in the original language.
    originalTitle: str
    #: Its genres.
    genres: List[Genre]
    #: Its cast.
    cast: List[str]
    #: Average rating; 0 means unknown.
    rating: int
    #: Posters carry the title; backdrops carry no text.
    imageSet: ShowImageSet
    #: Streaming options by lower-case country code; a country without options has no entry.
    streamingOptions: Dict[str, List[StreamingOption]]


class _MovieOptional(TypedDict, total=False):
    #: Year of release.
    releaseYear: int
    #: Its directors.
    directors: List[str]
    #: Length in minutes.
    runtime: int
    #: Its alternative titles. Only with `include=aliases`.
    aliases: List[str]
    #: ISO 639-1 code of the original language, if it is known. Only with `include=originalLanguage`.
    originalLanguage: str
    #: Its popularity by country. Only with `include=popularity`.
    popularity: Dict[str, Popularity]
    #: The cheapest option by country: on a subscription of `services`, else free, else the cheapest rental, else
    #: the cheapest purchase. Of several currencies, in the one that most of them have. Only with
    #: `include=bestOffer`.
    bestOffer: Dict[str, StreamingOption]
    #: When it was live, by country: its places as in `/shows/{id}/history`, as far down as the seasons and
    #: episodes of the answer. Only with `include=history`.
    history: Dict[str, List[PlaceHistory]]


class Movie(_MovieRequired, _MovieOptional):
    """A movie."""


class _SeriesRequired(TypedDict):
    #: Always `show`.
    itemType: Literal["show"]
    #: Always `series`.
    showType: Literal["series"]
    #: Id of the show.
    id: str
    #: IMDb id; empty if there is none.
    imdbId: str
    #: TMDB id.
    tmdbId: str
    #: Title in the output language.
    title: str
    #: What it is about.
    overview: str
    #: Title in the original language.
    originalTitle: str
    #: Its genres.
    genres: List[Genre]
    #: Its cast.
    cast: List[str]
    #: Average rating; 0 means unknown.
    rating: int
    #: Posters carry the title; backdrops carry no text.
    imageSet: ShowImageSet
    #: Streaming options by lower-case country code; a country without options has no entry.
    streamingOptions: Dict[str, List[StreamingOption]]


class _SeriesOptional(TypedDict, total=False):
    #: First year on air.
    firstAirYear: int
    #: Last year on air.
    lastAirYear: int
    #: Its creators.
    creators: List[str]
    #: Seasons aired or announced.
    seasonCount: int
    #: Episodes aired or announced.
    episodeCount: int
    #: Its seasons, at granularity `season` or `episode`.
    seasons: List[Season]
    #: Its alternative titles. Only with `include=aliases`.
    aliases: List[str]
    #: ISO 639-1 code of the original language, if it is known. Only with `include=originalLanguage`.
    originalLanguage: str
    #: Its popularity by country. Only with `include=popularity`.
    popularity: Dict[str, Popularity]
    #: The cheapest option by country: on a subscription of `services`, else free, else the cheapest rental, else
    #: the cheapest purchase. Of several currencies, in the one that most of them have. Only with
    #: `include=bestOffer`.
    bestOffer: Dict[str, StreamingOption]
    #: When it was live, by country: its places as in `/shows/{id}/history`, as far down as the seasons and
    #: episodes of the answer. Only with `include=history`.
    history: Dict[str, List[PlaceHistory]]


class Series(_SeriesRequired, _SeriesOptional):
    """A series."""


class _SeasonRequired(TypedDict):
    #: Always `season`.
    itemType: Literal["season"]
    #: Title of the season.
    title: str
    #: First year on air.
    firstAirYear: int
    #: Last year on air.
    lastAirYear: int
    #: Streaming options by lower-case country code; a country without options has no entry.
    streamingOptions: Dict[str, List[StreamingOption]]


class _SeasonOptional(TypedDict, total=False):
    #: Its episodes, at granularity `episode`.
    episodes: List[Episode]
    #: Number of the season, from 1. Only with `include=numbers`.
    number: int


class Season(_SeasonRequired, _SeasonOptional):
    """A season of a series."""


class _EpisodeRequired(TypedDict):
    #: Always `episode`.
    itemType: Literal["episode"]
    #: Title of the episode.
    title: str
    #: Year on air.
    airYear: int
    #: Streaming options by lower-case country code; a country without options has no entry.
    streamingOptions: Dict[str, List[StreamingOption]]


class _EpisodeOptional(TypedDict, total=False):
    #: What it is about.
    overview: str
    #: Number of the episode, from 1. Only with `include=numbers`.
    number: int


class Episode(_EpisodeRequired, _EpisodeOptional):
    """An episode of a season."""


class _StreamingOptionRequired(TypedDict):
    #: A streaming service as it is in a country.
    service: ServiceInfo
    #: How a service lets something be watched.
    type: StreamingOptionType
    #: Deep link to it in the service's web app.
    link: str
    #: Audio languages.
    audios: List[Locale]
    #: Subtitles.
    subtitles: List[Subtitle]
    #: Whether it ends within 31 days, or shortly on a day that is not known.
    expiresSoon: bool
    #: When it was first seen (Unix seconds).
    availableSince: int


class _StreamingOptionOptional(TypedDict, total=False):
    #: A channel that is subscribed to through a service.
    addon: Addon
    #: Deep link to the player.
    videoLink: str
    #: The best video quality.
    quality: Quality
    #: What renting or buying costs.
    price: Price
    #: When it ends, if that is known (Unix seconds).
    expiresOn: int
    #: The sources that state it. Only with `include=provenance`.
    provenance: List[Provenance]


class StreamingOption(_StreamingOptionRequired, _StreamingOptionOptional):
    """One way to watch something in one country."""


class _ProvenanceRequired(TypedDict):
    #: Name of the source.
    source: str
    #: Since when it states the option (Unix seconds).
    firstConfirmed: int


class _ProvenanceOptional(TypedDict, total=False):
    #: When its last complete feed for the option's country and service was imported, if there was one since
    #: (Unix seconds).
    lastConfirmed: int


class Provenance(_ProvenanceRequired, _ProvenanceOptional):
    """A source that states an option."""


_PopularityOptional = TypedDict(
    "_PopularityOptional",
    {
        #: Of all time.
        "alltime": "float",
        #: Of the last year.
        "1year": "float",
        #: Of the last month.
        "1month": "float",
        #: Of the last week.
        "1week": "float",
    },
    total=False,
)


class Popularity(_PopularityOptional):
    """Popularity in a country by span of time: higher is more popular."""


class _PriceRequired(TypedDict):
    #: The amount as a decimal number.
    amount: str
    #: ISO 4217 code of the currency.
    currency: str
    #: Amount and currency.
    formatted: str


class Price(_PriceRequired):
    """What renting or buying costs."""


class _LocaleRequired(TypedDict):
    #: ISO 639-2 or 639-3 code.
    language: str


class _LocaleOptional(TypedDict, total=False):
    #: ISO 3166-1 alpha-3 or UN M49 code.
    region: str


class Locale(_LocaleRequired, _LocaleOptional):
    """A language, and where it is spoken if that matters."""


class _SubtitleRequired(TypedDict):
    #: Whether it describes sounds too.
    closedCaptions: bool
    #: A language, and where it is spoken if that matters.
    locale: Locale


class Subtitle(_SubtitleRequired):
    """A subtitle track."""


class _ShowImageSetRequired(TypedDict):
    #: A vertical image by width.
    verticalPoster: VerticalImage
    #: A horizontal image by width.
    horizontalPoster: HorizontalImage


class _ShowImageSetOptional(TypedDict, total=False):
    #: A vertical image by width.
    verticalBackdrop: VerticalImage
    #: A horizontal image by width.
    horizontalBackdrop: HorizontalImage


class ShowImageSet(_ShowImageSetRequired, _ShowImageSetOptional):
    """Posters carry the title; backdrops carry no text."""


class _VerticalImageRequired(TypedDict):
    #: The image, 240 pixels wide.
    w240: str
    #: The image, 360 pixels wide.
    w360: str
    #: The image, 480 pixels wide.
    w480: str
    #: The image, 600 pixels wide.
    w600: str
    #: The image, 720 pixels wide.
    w720: str


class VerticalImage(_VerticalImageRequired):
    """A vertical image by width."""


class _HorizontalImageRequired(TypedDict):
    #: The image, 360 pixels wide.
    w360: str
    #: The image, 480 pixels wide.
    w480: str
    #: The image, 720 pixels wide.
    w720: str
    #: The image, 1080 pixels wide.
    w1080: str
    #: The image, 1440 pixels wide.
    w1440: str


class HorizontalImage(_HorizontalImageRequired):
    """A horizontal image by width."""


class _ServiceInfoRequired(TypedDict):
    #: Id of the service.
    id: str
    #: Name of the service.
    name: str
    #: Address of its home page.
    homePage: str
    #: Its colour as a hex code.
    themeColorCode: str
    #: Logos.
    imageSet: ServiceImageSet


class _ServiceInfoOptional(TypedDict, total=False):
    #: Its ids in the provider lists of TMDB, ascending. Only with `include=tmdbProviderIds`.
    tmdbProviderIds: List[int]


class ServiceInfo(_ServiceInfoRequired, _ServiceInfoOptional):
    """A streaming service as it is in a country."""


class _AddonRequired(TypedDict):
    #: Id of the addon.
    id: str
    #: Name of the addon.
    name: str
    #: Address of its home page.
    homePage: str
    #: Its colour as a hex code.
    themeColorCode: str
    #: Logos.
    imageSet: ServiceImageSet


class Addon(_AddonRequired):
    """A channel that is subscribed to through a service."""


class _ServiceRequired(TypedDict):
    #: Id of the service.
    id: str
    #: Name of the service.
    name: str
    #: Address of its home page.
    homePage: str
    #: Its colour as a hex code.
    themeColorCode: str
    #: Logos.
    imageSet: ServiceImageSet
    #: Which option types a service has in a country.
    streamingOptionTypes: StreamingOptionTypes
    #: Its addons in this country.
    addons: List[Addon]


class _ServiceOptional(TypedDict, total=False):
    #: Its ids in the provider lists of TMDB, ascending. Only with `include=tmdbProviderIds`.
    tmdbProviderIds: List[int]


class Service(_ServiceRequired, _ServiceOptional):
    """A streaming service in a country, with all that it offers there."""


class _ServiceImageSetRequired(TypedDict):
    #: For light backgrounds.
    lightThemeImage: str
    #: For dark backgrounds.
    darkThemeImage: str
    #: All white.
    whiteImage: str


class ServiceImageSet(_ServiceImageSetRequired):
    """Logos."""


class _StreamingOptionTypesRequired(TypedDict):
    #: Has `addon`.
    addon: bool
    #: Has `buy`.
    buy: bool
    #: Has `rent`.
    rent: bool
    #: Has `free`.
    free: bool
    #: Has `subscription`.
    subscription: bool


class StreamingOptionTypes(_StreamingOptionTypesRequired):
    """Which option types a service has in a country."""


class _CountryRequired(TypedDict):
    #: ISO 3166-1 alpha-2 code in lower case.
    countryCode: str
    #: Name in the output language.
    name: str
    #: Its services, the most popular first.
    services: List[Service]


class Country(_CountryRequired):
    """A country of the catalog."""


class _GenreRequired(TypedDict):
    #: Id of the genre.
    id: str
    #: Name in the output language.
    name: str


class Genre(_GenreRequired):
    """A genre."""


class _PersonRequired(TypedDict):
    #: Name.
    name: str
    #: In how many shows of the catalog.
    showCount: int


class Person(_PersonRequired):
    """Somebody in the cast of a show, or its director or creator."""


class _ChangeRequired(TypedDict):
    #: What happened or will happen.
    changeType: ChangeType
    #: A whole show, a season or an episode.
    itemType: ItemType
    #: Id of the show; the show itself is under it in `shows`.
    showId: str
    #: A movie or a series.
    showType: ShowType
    #: A streaming service as it is in a country.
    service: ServiceInfo
    #: How a service lets something be watched.
    streamingOptionType: StreamingOptionType


class _ChangeOptional(TypedDict, total=False):
    #: Number of the season, of seasons and episodes.
    season: int
    #: Number of the episode, of episodes.
    episode: int
    #: A channel that is subscribed to through a service.
    addon: Addon
    #: When; left out only of future changes whose date is not known (Unix seconds).
    timestamp: int
    #: Deep link; left out only of upcoming changes whose link is not known.
    link: str
    #: The country; only in answers to requests for several countries, or for `any`.
    country: str


class Change(_ChangeRequired, _ChangeOptional):
    """Something that happened, or will, to the options of one item on one service."""


class _StreamedChangeRequired(TypedDict):
    #: What happened or will happen.
    changeType: ChangeType
    #: A whole show, a season or an episode.
    itemType: ItemType
    #: Id of the show; the show itself is under it in `shows`.
    showId: str
    #: A movie or a series.
    showType: ShowType
    #: A streaming service as it is in a country.
    service: ServiceInfo
    #: How a service lets something be watched.
    streamingOptionType: StreamingOptionType
    #: A movie or a series.
    show: Show


class _StreamedChangeOptional(TypedDict, total=False):
    #: Number of the season, of seasons and episodes.
    season: int
    #: Number of the episode, of episodes.
    episode: int
    #: A channel that is subscribed to through a service.
    addon: Addon
    #: When; left out only of future changes whose date is not known (Unix seconds).
    timestamp: int
    #: Deep link; left out only of upcoming changes whose link is not known.
    link: str
    #: The country; only in answers to requests for several countries, or for `any`.
    country: str


class StreamedChange(_StreamedChangeRequired, _StreamedChangeOptional):
    """The data of an event of a stream: a change with its show."""


class _SearchResultRequired(TypedDict):
    #: The shows.
    shows: List[Show]
    #: Whether there is a next page.
    hasMore: bool


class _SearchResultOptional(TypedDict, total=False):
    #: The cursor of the next page; there only if there is one.
    nextCursor: str


class SearchResult(_SearchResultRequired, _SearchResultOptional):
    """A page of shows."""


class _ShowCountRequired(TypedDict):
    #: How many shows.
    count: int
    #: Counts by value, the highest first. Values that no show has are left out, and so are facets that were not
    #: asked for.
    facets: Facets


class _ShowCountOptional(TypedDict, total=False):
    #: Counts with other values of filters, in the order of `steps`, if that was given.
    steps: List[StepCount]


class ShowCount(_ShowCountRequired, _ShowCountOptional):
    """How many shows pass filters."""


class _FacetsOptional(TypedDict, total=False):
    #: By service.
    services: List[FacetCount]
    #: By type of show.
    showTypes: List[FacetCount]
    #: By genre.
    genres: List[FacetCount]
    #: By release year of movies and first air year of series.
    years: List[FacetCount]
    #: By original language.
    languages: List[FacetCount]


class Facets(_FacetsOptional):
    """Counts by value, the highest first. Values that no show has are left out, and so are facets that were
    not asked for.
    """


class _FacetCountRequired(TypedDict):
    #: Id of a service or genre, a type of show, a year, or an ISO 639-1 code.
    value: str
    #: How many shows.
    count: int


class FacetCount(_FacetCountRequired):
    """How many shows have a value."""


class _StepCountRequired(TypedDict):
    #: Name of the filter.
    filter: str
    #: Its value.
    value: str
    #: How many shows.
    count: int


class StepCount(_StepCountRequired):
    """How many shows there are with another value of a filter."""


class _ShowHistoryRequired(TypedDict):
    #: Id of the show.
    showId: str
    #: The country.
    country: str
    #: By season, episode, service, option type and addon.
    places: List[PlaceHistory]


class ShowHistory(_ShowHistoryRequired):
    """When a show was live in a country."""


class _PlaceHistoryRequired(TypedDict):
    #: A whole show, a season or an episode.
    itemType: ItemType
    #: A streaming service as it is in a country.
    service: ServiceInfo
    #: How a service lets something be watched.
    streamingOptionType: StreamingOptionType
    #: The spans, the earliest first.
    spans: List[Span]


class _PlaceHistoryOptional(TypedDict, total=False):
    #: Number of the season, of seasons and episodes.
    season: int
    #: Number of the episode, of episodes.
    episode: int
    #: A channel that is subscribed to through a service.
    addon: Addon


class PlaceHistory(_PlaceHistoryRequired, _PlaceHistoryOptional):
    """When a show, a season or an episode was live on a service, by option type and addon."""


_SpanRequired = TypedDict(
    "_SpanRequired",
    {
        #: When it began (Unix seconds).
        "from": "int",
        #: Its prices, the earliest first; empty where there are none.
        "prices": "List[PriceSpan]",
    },
)


class _SpanOptional(TypedDict, total=False):
    #: When it ended; absent while it is live (Unix seconds).
    to: int


class Span(_SpanRequired, _SpanOptional):
    """A time in which something was live without a break."""


_PriceSpanRequired = TypedDict(
    "_PriceSpanRequired",
    {
        #: Since when (Unix seconds).
        "from": "int",
        #: What renting or buying costs.
        "price": "Price",
    },
)


class _PriceSpanOptional(TypedDict, total=False):
    #: Until when; absent while it holds (Unix seconds).
    to: int
    #: The best video quality.
    quality: Quality


class PriceSpan(_PriceSpanRequired, _PriceSpanOptional):
    """A price, and when it held."""


class _ChangesResultRequired(TypedDict):
    #: The changes, by date.
    changes: List[Change]
    #: The shows that the changes are about, by id.
    shows: Dict[str, Show]
    #: Whether there is a next page.
    hasMore: bool


class _ChangesResultOptional(TypedDict, total=False):
    #: The cursor of the next page; there only if there is one.
    nextCursor: str
    #: The token of the answer: with `since`, what happens after it. Only in answers to requests with `since`.
    since: str


class ChangesResult(_ChangesResultRequired, _ChangesResultOptional):
    """A page of changes."""


class _ExportHeadRequired(TypedDict):
    #: Always `export`.
    kind: Literal["export"]
    #: The country.
    country: str
    #: How much of a series the lines have.
    seriesGranularity: SeriesGranularity
    #: The language of the lines.
    outputLanguage: str
    #: The token of the export, for the next one.
    since: str


_ExportHeadOptional = TypedDict(
    "_ExportHeadOptional",
    {
        #: The token that was asked for: the export has what was altered after it.
        "from": "str",
    },
    total=False,
)


class ExportHead(_ExportHeadRequired, _ExportHeadOptional):
    """The first line of an export."""


class _ExportRemovalRequired(TypedDict):
    #: Always `remove`.
    kind: Literal["remove"]
    #: Id of the show.
    id: str


class ExportRemoval(_ExportRemovalRequired):
    """A show that can no longer be watched in the country."""


class _ExportCheckpointRequired(TypedDict):
    #: Always `checkpoint`.
    kind: Literal["checkpoint"]
    #: For the parameter `cursor`.
    cursor: str


class ExportCheckpoint(_ExportCheckpointRequired):
    """A place from which the export can go on after it was cut off."""


class _ExportEndRequired(TypedDict):
    #: Always `end`.
    kind: Literal["end"]
    #: Whether this is all; otherwise the rest follows at the cursor.
    complete: bool
    #: How many shows came in this part.
    shows: int


class _ExportEndOptional(TypedDict, total=False):
    #: For the parameter `cursor`.
    cursor: str


class ExportEnd(_ExportEndRequired, _ExportEndOptional):
    """The last line of an export."""


class _ErrorBodyRequired(TypedDict):
    #: For people.
    message: str


class ErrorBody(_ErrorBodyRequired):
    """What went wrong. The headers `X-Error-Code` and `X-Error-Parameter` say it to programs."""


class _ProblemRequired(TypedDict):
    #: Address of the documentation of the error.
    type: str
    #: What the code means.
    title: str
    #: The status of the response.
    status: int
    #: What is wrong with this request, for people.
    detail: str
    #: For programs.
    code: str
    #: Finds the request in the log of the service.
    requestId: str


class _ProblemOptional(TypedDict, total=False):
    #: The parameter at fault.
    parameter: str
    #: Seconds after which it is worth trying again.
    retryAfter: int
    #: The base address that the key belongs to.
    base: str
    #: The header that the key belongs in.
    header: str


class Problem(_ProblemRequired, _ProblemOptional):
    """What went wrong, as problem details (RFC 9457): for requests that accept them."""


#: A movie or a series.
Show = Union[Movie, Series]


#: A movie or a series.
ShowType = Literal["movie", "series"]


#: A whole show, a season or an episode.
ItemType = Literal["show", "season", "episode"]


#: How a service lets something be watched.
StreamingOptionType = Literal["subscription", "free", "rent", "buy", "addon"]


#: What happened or will happen.
ChangeType = Literal["new", "updated", "removed", "expiring", "upcoming"]


#: A line of an export: a show, or an object whose `kind` says what it is.
ExportLine = Union[Show, ExportHead, ExportRemoval, ExportCheckpoint, ExportEnd]


#: What an export yields: its head first, then shows and removals.
Exported = Union[ExportHead, ExportRemoval, Show]
