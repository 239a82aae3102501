import type { BenchContext, Scenario } from '../context.ts'
import { compareTargets, type TargetSet } from '../measure/compare.ts'
import { measureHalfLoad } from '../measure/half-load.ts'
import type { Comparison } from '../results/figures.ts'
import type { RequestMode } from '../targets/target.ts'
import { type ApiRequest, apiRequest } from '../workloads/api-request.ts'
import { changePages, freshChanges } from '../workloads/changes.ts'
import { readCountries } from '../workloads/countries.ts'
import {
  countsOf,
  filterSearches,
  freshFilters,
  UNCACHED_SIZE,
  withFields,
  withMoreFilters,
} from '../workloads/filters.ts'
import { manyShows, showsInAllCountries, showsInOneCountry, similarShows } from '../workloads/shows.ts'
import { exactTitles, freshTitles, misspelledTitles, titlePrefixes } from '../workloads/titles.ts'

/** Requests that are few enough to be served from caches, as popular ones are. */
const POPULAR_SIZE = 100

interface Workload {
  readonly title: string
  readonly requests: readonly ApiRequest[]
  readonly mode?: RequestMode
  /** Other requests of the same kind for every round. */
  readonly next?: () => readonly ApiRequest[]
  /** Leaves the peers out. */
  readonly withoutPeers?: boolean
  /** Measures latencies at half load, too. */
  readonly withHalfLoad?: boolean
}

/** A scenario that sends workloads to all targets. */
function requestScenario(
  name: string,
  description: string,
  buildWorkloads: (context: BenchContext, targets: TargetSet) => Promise<readonly Workload[]>,
): Scenario {
  return {
    name,
    description,
    async run(context) {
      const targets = await context.targets()
      const comparisons: Comparison[] = []
      for (const workload of await buildWorkloads(context, targets)) {
        const { title, requests, mode, next, withoutPeers, withHalfLoad } = workload
        const selected = withoutPeers ? { ...targets, peers: [] } : targets
        const comparison = await compareTargets(context, selected, title, requests, mode, next)
        const halfLoad = withHalfLoad && next ? await measureHalfLoad(context, targets, comparison, next) : undefined
        comparisons.push(halfLoad === undefined ? comparison : { ...comparison, halfLoad })
      }
      return { kind: 'comparisons', comparisons }
    },
  }
}

/** Shows by id, with small and with large responses. */
export const show = requestScenario('show', 'a show by id', async (context) => {
  const { sample } = await context.catalog()
  return [
    { title: 'Show by id, one country', requests: showsInOneCountry(sample) },
    { title: 'Show by id, all countries and episodes', requests: showsInAllCountries(sample) },
  ]
})

/** Filter searches, fewer and more than the caches hold. */
export const filters = requestScenario('filters', 'a page of a filter search', async (context, { marquee }) => {
  const { sample } = await context.catalog()
  return [
    { title: 'Filter searches, cached', requests: await filterSearches(marquee, sample) },
    {
      title: 'Filter searches, uncached',
      requests: await filterSearches(marquee, sample, UNCACHED_SIZE),
      // The peers have no cache, so for them this is the same workload as the first one.
      withoutPeers: true,
    },
  ]
})

/** Filter searches with filters on options, runtime and seasons beside the same ones without, and counts. */
export const moreFilters = requestScenario(
  'more-filters',
  'filters on options against the same searches without them, and counts with facets',
  async (context, { marquee }) => {
    const { sample } = await context.catalog()
    const searches = await filterSearches(marquee, sample, UNCACHED_SIZE)
    return [
      { title: 'Filter searches without new filters', requests: searches, withoutPeers: true },
      { title: 'The same with new filters', requests: withMoreFilters(searches), withoutPeers: true },
      { title: 'Counts with facets', requests: countsOf(searches), withoutPeers: true },
    ]
  },
)

/** What one request answers that took many: a hundred shows, similar ones, and pages of a few members. */
export const moreRequests = requestScenario(
  'more-requests',
  'a hundred shows by id, similar shows, and pages of a few members',
  async (context, { marquee }) => {
    const { sample } = await context.catalog()
    const searches = await filterSearches(marquee, sample)
    const next = manyShows(sample)
    return [
      { title: 'A hundred shows by id', requests: next(), next, withoutPeers: true },
      { title: 'Similar shows', requests: similarShows(sample), withoutPeers: true },
      { title: 'Filter searches with fields', requests: withFields(searches), withoutPeers: true },
    ]
  },
)

/** Title searches. */
export const titles = requestScenario('titles', 'a title search: exact, prefix, misspelled', async (context) => {
  const { sample } = await context.catalog()
  return [
    { title: 'Exact titles', requests: exactTitles(sample) },
    { title: 'Title prefixes', requests: titlePrefixes(sample) },
    { title: 'Misspelled titles', requests: misspelledTitles(sample) },
  ]
})

/** Title searches that no cache can answer. */
export const freshTitleSearches = requestScenario(
  'fresh-titles',
  'a title search that was never sent before: complete, misspelled, unfinished',
  async (context) => {
    const { sample } = await context.catalog()
    const next = freshTitles(sample)
    return [{ title: 'Titles never searched before', requests: next(), next, withHalfLoad: true }]
  },
)

/** Filter searches that no cache can answer. */
export const freshFilterSearches = requestScenario(
  'fresh-filters',
  'a page of a filter search that was never sent before',
  async (context, { marquee }) => {
    const { sample } = await context.catalog()
    const next = await freshFilters(marquee, sample)
    return [{ title: 'Filters never searched before', requests: next(), next, withHalfLoad: true }]
  },
)

/** Windows of changes that no cache can answer. */
export const freshChangeWindows = requestScenario(
  'fresh-changes',
  'a page of changes in a window that was never sent before',
  async (_, { marquee }) => {
    const next = await freshChanges(marquee, Math.floor(Date.now() / 1000))
    return [{ title: 'Changes never asked for before', requests: next(), next, withHalfLoad: true }]
  },
)

/** Pages of changes. */
export const changes = requestScenario('changes', 'a page of changes with its shows', async (_, { marquee }) => {
  return [{ title: 'Changes', requests: await changePages(marquee, Math.floor(Date.now() / 1000)) }]
})

/** Reference data. */
export const countries = requestScenario('countries', 'reference data', async (_, { marquee }) => {
  const codes = (await readCountries(marquee)).map(({ code }) => code)
  return [
    { title: 'One country', requests: codes.map((code) => apiRequest('countries', `/countries/${code}`)) },
    { title: 'All countries', requests: [apiRequest('countries', '/countries')] },
  ]
})

/** Revalidation by ETag. */
export const notModified = requestScenario('not-modified', 'a 304 by ETag', async (context, { marquee }) => {
  const { sample } = await context.catalog()
  const mode = { revalidate: true }
  return [
    { title: 'Show by id, 304', requests: showsInOneCountry(sample), mode },
    { title: 'Filter searches, 304', requests: await filterSearches(marquee, sample), mode },
  ]
})

/** The same responses uncompressed, with gzip and with brotli. */
export const compression = requestScenario(
  'compression',
  'responses uncompressed, in gzip and in brotli',
  async (context, { marquee }) => {
    const { sample } = await context.catalog()
    const lists = [
      { name: '100 shows', requests: showsInOneCountry(sample).slice(0, POPULAR_SIZE) },
      { name: '100 searches', requests: (await filterSearches(marquee, sample)).slice(0, POPULAR_SIZE) },
    ]
    return lists.flatMap(({ name, requests }) => [
      { title: `${name}, uncompressed`, requests },
      ...['gzip', 'br'].map((encoding) => ({ title: `${name}, ${encoding}`, requests, mode: { encoding } })),
    ])
  },
)
