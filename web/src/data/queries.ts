import type {
  ChangeWithShow,
  Country,
  CountShowsParameters,
  Genre,
  ListChangesParameters,
  Season,
  Service,
  Show,
  ShowCount,
  ShowHistory,
  ShowType,
} from 'marquee-client'
import { textLanguage, type Viewer } from '../app/viewer.ts'
import { type BrowseFilters, filtersAsParameters, filtersWithoutOrder } from '../explorer/browse/browse-filters.ts'
import { filterSteps, STEP_PARAMETERS, type StepFilter } from '../explorer/browse/filter-steps.ts'
import { readShowId } from '../explorer/show-path.ts'
import type { PagedQuery, Query } from './query-cache.ts'

/* Queries that several components share, or that pages need first: see `INITIAL_QUERIES`. */

/** The number of shows on the first shelf of the start page. */
const POPULAR_SHOWS = 12

/** The number of similar shows on the page of one. */
const SIMILAR_SHOWS = 6

/** The viewer's country with its services. */
export function countryQuery({ country, language }: Viewer): Query<Country> {
  return {
    key: `country ${country} ${language}`,
    fetch: (signal, client) => client.countries.get(country, { outputLanguage: language }, { signal }),
  }
}

/** All genres, with names in the viewer's language. */
export function genresQuery({ language }: Viewer): Query<Genre[]> {
  return {
    key: `genres ${language}`,
    fetch: (signal, client) => client.genres.list({ outputLanguage: language }, { signal }),
  }
}

/** The most popular shows in the viewer's country, or in some of its catalogs. */
export function popularShowsQuery(viewer: Viewer, catalogs: readonly string[]): Query<Show[]> {
  const { country } = viewer
  return {
    key: `home popular ${country} ${textLanguage(viewer)} ${catalogs}`,
    async fetch(signal, client) {
      const parameters = {
        country,
        outputLanguage: textLanguage(viewer),
        orderBy: 'popularity_1week',
        ...(catalogs.length > 0 && { catalogs }),
      } as const
      const { items } = await client.shows.filter(parameters, { signal }).page()
      return items.slice(0, POPULAR_SHOWS)
    },
  }
}

/** Shows by title. */
export function titleQuery(viewer: Viewer, title: string): Query<Show[]> {
  const parameters = { title, country: viewer.country, outputLanguage: textLanguage(viewer) }
  return {
    key: `title ${JSON.stringify(parameters)}`,
    fetch: (signal, client) => client.shows.search(parameters, { signal }),
  }
}

/** A show with the offers of the viewer's country but without seasons, by the rest of its path: its id, and a slug. */
export function showQuery(viewer: Viewer, rest: string): Query<Show> {
  const id = readShowId(rest)
  const parameters = {
    country: viewer.country,
    seriesGranularity: 'show',
    outputLanguage: textLanguage(viewer),
  } as const
  return {
    key: `show ${id} ${JSON.stringify(parameters)}`,
    fetch: (signal, client) => client.shows.get(id, parameters, { signal }),
  }
}

/** What the page of a series shows of an offer of a season or an episode. */
const PART_OPTION_FIELDS = [
  ...['service.id', 'service.name', 'service.themeColorCode', 'type', 'price', 'link', 'videoLink'],
  ...['expiresSoon', 'expiresOn'],
].map((name) => `streamingOptions.${name}`)

/** What the page of a series shows of its parts: a tenth of what there is, and long series have hundreds of episodes. */
const SEASON_FIELDS = [
  ...['title', 'firstAirYear', ...PART_OPTION_FIELDS],
  ...['title', 'overview', ...PART_OPTION_FIELDS].map((name) => `episodes.${name}`),
].map((name) => `seasons.${name}`)

/** The seasons of a series with their episodes, and the offers of the viewer's country. */
export function seasonsQuery(viewer: Viewer, id: string): Query<readonly Season[]> {
  const parameters = { country: viewer.country, outputLanguage: textLanguage(viewer), fields: SEASON_FIELDS }
  return {
    key: `seasons ${id} ${viewer.country} ${textLanguage(viewer)}`,
    async fetch(signal, client) {
      // The page reads no members that are not asked for.
      const { seasons = [] } = (await client.shows.get(id, parameters, { signal })) as { readonly seasons?: Season[] }
      return seasons
    },
  }
}

/** Shows of the viewer's country that resemble one. */
export function similarShowsQuery(viewer: Viewer, id: string): Query<Show[]> {
  const parameters = { country: viewer.country, outputLanguage: textLanguage(viewer), limit: SIMILAR_SHOWS }
  return {
    key: `similar ${id} ${JSON.stringify(parameters)}`,
    fetch: (signal, client) => client.shows.similar(id, parameters, { signal }),
  }
}

/** What the table of countries shows of an offer: a fifth of what there is. */
const COUNTRY_FIELDS = [
  ...['service.id', 'service.name', 'service.themeColorCode', 'addon.id', 'addon.name'],
  ...['type', 'quality', 'price', 'link', 'videoLink'],
].map((name) => `streamingOptions.${name}`)

/** The offers of a show in all countries. */
export function countriesQuery(id: string): Query<Pick<Show, 'streamingOptions'>> {
  return {
    key: `countries ${id}`,
    async fetch(signal, client) {
      // Of offers, members that are not asked for are missing: the table of countries reads none of them.
      return (await client.shows.get(id, { seriesGranularity: 'show', fields: COUNTRY_FIELDS }, { signal })) as Show
    },
  }
}

/** When a show could be watched in the viewer's country. */
export function historyQuery(viewer: Viewer, id: string): Query<ShowHistory> {
  const parameters = {
    country: viewer.country,
    seriesGranularity: 'show',
    outputLanguage: textLanguage(viewer),
  } as const
  return {
    key: `history ${id} ${JSON.stringify(parameters)}`,
    fetch: (signal, client) => client.shows.history(id, parameters, { signal }),
  }
}

/** The first page of a filter search, or the one at a cursor of the URL. */
export function browseQuery(
  viewer: Viewer,
  filters: BrowseFilters,
  included: readonly string[],
  start: string | null,
): PagedQuery<Show> {
  const parameters = { ...filtersAsParameters(filters, viewer, included), ...(start && { cursor: start }) }
  return pagedQuery(`browse ${JSON.stringify(parameters)}`, (cursor, signal, client) =>
    client.shows.filter({ ...parameters, ...(cursor && { cursor }) }, { signal }).page(),
  )
}

/** What the options of filters are counted by. */
const COUNTED_FACETS = ['services', 'showTypes', 'genres', 'languages'] as const

type Counts = ReadonlyMap<string, number>

/** How many shows pass the filters, and how many there would be with each option of a filter. */
export interface BrowseCounts {
  readonly total: number
  /** By value; values that no show has are absent. */
  readonly facets: Readonly<Record<(typeof COUNTED_FACETS)[number], Counts>>
  /** By value of a filter that is chosen in steps. */
  readonly steps: Readonly<Record<StepFilter, Counts>>
}

/**
 * Counts for the filters. An option of a filter is counted without what is chosen in that filter, since choosing it takes
 * the place of that; genres that must all be there are added to those chosen.
 */
export function browseCountsQuery(
  viewer: Viewer,
  filters: BrowseFilters,
  included: readonly string[],
): Query<BrowseCounts> {
  const { genres, genresRelation } = filters
  const parameters = {
    ...filtersWithoutOrder(filters, viewer, included),
    // One genre can be replaced by another one, or be joined by it.
    ...(genres.length === 1 && genresRelation === 'or' && { genresRelation }),
  }
  const steps = countedSteps(viewer, filters, included)
  // A price may be asked for in other catalogs than all else: then its steps take a request of their own.
  const isApart = (step: CountedStep) => String(step.parameters.catalogs ?? '') !== String(parameters.catalogs ?? '')
  const apart = steps.filter(isApart)
  const shared = steps.filter((step) => !isApart(step))
  const currency = shared.find((step) => step.parameters.currency !== undefined)?.parameters.currency
  const requests: CountShowsParameters[] = [
    {
      ...parameters,
      ...(currency !== undefined && { currency }),
      facets: COUNTED_FACETS,
      facetFilters: 'others',
      steps: shared.map(({ step }) => step),
    },
  ]
  if (apart[0] !== undefined) {
    const { priceMax: _price, ...others } = apart[0].parameters
    requests.push({ ...others, facets: ['showTypes'], steps: apart.map(({ step }) => step) })
  }
  return {
    key: `browse counts ${JSON.stringify(requests)}`,
    async fetch(signal, client) {
      const [whole, other] = await Promise.all(requests.map((request) => client.shows.count(request, { signal })))
      const { count: total, facets, steps: counted = [] } = whole as ShowCount
      const counts = [...counted, ...(other?.steps ?? [])]
      const named = [...shared, ...apart].map(({ filter, value }, i) => ({
        filter,
        value,
        count: counts[i]?.count ?? 0,
      }))
      return {
        total,
        facets: mapNames(COUNTED_FACETS, (facet) => facets[facet]?.map(({ value, count }) => [value, count])),
        steps: mapNames(Object.keys(STEP_PARAMETERS) as StepFilter[], (filter) =>
          named.flatMap((step) => (step.filter === filter ? [[step.value, step.count]] : [])),
        ),
      }
    },
  }
}

/** A value of a filter that is counted, as the page and as the API has it. */
interface CountedStep {
  readonly filter: StepFilter
  readonly value: string
  readonly step: string
  /** The filters with this value. */
  readonly parameters: CountShowsParameters
}

function countedSteps(viewer: Viewer, filters: BrowseFilters, included: readonly string[]): CountedStep[] {
  return Object.entries(filterSteps(viewer.country)).flatMap(([name, values]) => {
    const filter = name as StepFilter
    const parameter = STEP_PARAMETERS[filter]
    const apiName = parameter.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`)
    return values.map((value) => {
      const parameters = filtersWithoutOrder({ ...filters, [filter]: value }, viewer, included)
      return { filter, value: String(value), step: `${apiName}:${parameters[parameter]}`, parameters }
    })
  })
}

function mapNames<Name extends string>(
  names: readonly Name[],
  entriesOf: (name: Name) => readonly (readonly [string, number])[] | undefined,
): Record<Name, Counts> {
  const maps: Partial<Record<Name, Counts>> = {}
  for (const name of names) maps[name] = new Map(entriesOf(name))
  return maps as Record<Name, Counts>
}

/** The first page of changes, or the one at a cursor of the URL. */
export function changesQuery(query: ListChangesParameters, start: string | null): PagedQuery<ChangeWithShow> {
  const parameters = { ...query, ...(start && { cursor: start }) }
  return pagedQuery(`changes ${JSON.stringify(parameters)}`, (cursor, signal, client) =>
    client.changes.list({ ...parameters, ...(cursor && { cursor }) }, { signal }).page(),
  )
}

/** A service with its official top list. */
export interface ServiceTopList {
  readonly service: Service
  readonly shows: readonly Show[]
}

/** The official top lists of the services that publish one. */
export function topListsQuery(
  viewer: Viewer,
  showType: ShowType,
  services: readonly Service[],
): Query<ServiceTopList[]> {
  const { country } = viewer
  return {
    key: `top ${country} ${textLanguage(viewer)} ${showType}`,
    async fetch(signal, client) {
      const requests = services.map(async (service) => {
        const parameters = { country, service: service.id, showType, outputLanguage: textLanguage(viewer) }
        return { service, shows: await client.shows.top(parameters, { signal }) }
      })
      // A service without a list returns an empty one.
      return (await Promise.all(requests)).filter(({ shows }) => shows.length > 0)
    },
  }
}

function pagedQuery<Item>(key: string, fetchPage: PagedQuery<Item>['fetchPage']): PagedQuery<Item> {
  return { key, fetchPage, fetch: async (signal, client) => [await fetchPage(undefined, signal, client)] }
}
