import type { Catalog } from '../../catalog/catalog.ts'
import type { JsonObject } from '../../ingest/parse/fields.ts'
import { DEFAULT_LANGUAGE } from '../../model/language.ts'
import { defaultServiceFlags } from '../../model/service.ts'
import { type PopularityWindow, SHOW_TYPES, type Show, type ShowType } from '../../model/show.ts'
import { CHANGE_WINDOW_DAYS, SECONDS_PER_DAY } from '../../model/time.ts'
import { objectListField, toText } from '../records/values.ts'
import { digestScope } from '../sync/sync-store.ts'
import { type CatalogFilter, countryCode, type RemoteReference } from './records.ts'
import type { ShowDetails, V4Store } from './v4-store.ts'

/** What a sync takes from a service. */
export interface V4Target {
  /** Country codes in lower case; undefined for all that the service has. */
  readonly countries: readonly string[] | undefined
  readonly filter: CatalogFilter
  /** Languages of texts and names; English always. */
  readonly languages: readonly string[]
  readonly popularity: readonly PopularityWindow[]
  readonly originalLanguages: boolean
  /** The age at which all shows of a country are walked again: only offers are in `/changes`. */
  readonly refreshDays: number
}

/**
 * The phases of a sync, in order. Announced offers come first, since they are part of the records of shows; walks for
 * further facts come last, so that a quota is used for shows first.
 */
export const PHASES = ['upcoming', 'walk', 'changes', 'top', 'sweep'] as const
export const DETAIL_PHASES = ['texts', 'translate', 'rank', 'language'] as const

/** Past changes are asked for while they are certain to be there. */
const MAX_CHANGES_AGE_SECONDS = (CHANGE_WINDOW_DAYS - 1) * SECONDS_PER_DAY

/** A key of what records hold. A country whose records have another key is walked again. */
export function scopeKey({ filter }: V4Target): string {
  return digestScope(filter.parameters())
}

/** A key of the facts that have walks of their own. */
export function detailsKey({ languages, popularity, originalLanguages }: V4Target): string {
  return digestScope([[...languages].sort(), popularity, originalLanguages])
}

/** A key of everything that a plan depends on. A plan with another key is not resumed. */
export function targetKey(target: V4Target): string {
  return digestScope([target.countries, scopeKey(target), detailsKey(target)])
}

/** The wanted countries, in the order of the service. */
export function selectCountries({ countries }: V4Target, remote: RemoteReference): string[] {
  const all = (remote.countries.en ?? []).map(countryCode)
  return countries === undefined ? all : all.filter((code) => countries.includes(code))
}

/** Whether the shows of a country have to be walked: it is new, its scope changed, or the last walk is too old. */
export function needsWalk(store: V4Store, country: string, target: V4Target, now: number): boolean {
  const state = store.countryState(country)
  if (state === undefined || state.scope !== scopeKey(target)) return true
  const isOld = now - state.walkedAt >= target.refreshDays * SECONDS_PER_DAY
  return isOld || now - state.changesSince >= MAX_CHANGES_AGE_SECONDS
}

/** The tasks of a sync: for each country either a walk through all its shows, or through its changes. */
export function planTasks(store: V4Store, target: V4Target, remote: RemoteReference, now: number): string[] {
  const countries = selectCountries(target, remote)
  const parts = target.filter.parameters().map((_, i) => i)
  const tasks = countries.flatMap((country, i) => {
    const isWalked = needsWalk(store, country, target, now)
    const shows = isWalked
      ? SHOW_TYPES.flatMap((showType) => parts.map((part) => `walk ${country} ${showType} ${part}`))
      : ['new', 'updated', 'removed'].flatMap((type) => parts.map((part) => `changes ${country} ${type} ${part}`))
    const hasDetails = !isWalked && store.countryState(country)?.details === detailsKey(target)
    return [
      `upcoming ${country}`,
      ...shows,
      ...(isWalked ? [`sweep ${country}`] : []),
      ...listTopServices(store, country, target, remote, i === 0 && isWalked),
      ...(hasDetails ? [] : planDetails(country, target, parts)),
    ]
  })
  return tasks
}

/** The walks for facts that no answer prints, or that are printed in one language at a time. */
function planDetails(country: string, target: V4Target, parts: readonly number[]): string[] {
  const languages = target.languages.filter((language) => language !== DEFAULT_LANGUAGE)
  const walks = [
    ...languages.map((language) => `translate ${country} ${language}`),
    ...target.popularity.map((window) => `rank ${country} ${window}`),
  ]
  return [
    ...walks.flatMap((walk) => parts.map((part) => `${walk} ${part}`)),
    ...(target.originalLanguages ? [`language ${country}`] : []),
  ]
}

/** Services that may have a top list: those with the flag, and in the first country all, to find others. */
function listTopServices(
  store: V4Store,
  country: string,
  { filter }: V4Target,
  remote: RemoteReference,
  isSearch: boolean,
): string[] {
  const flagged = store.flaggedServices('hasTopList')
  const isAsked = (id: string) => isSearch || flagged.includes(id) || defaultServiceFlags(id).hasTopList
  const entry = (remote.countries.en ?? []).find((one) => countryCode(one) === country) as JsonObject
  return objectListField(entry, 'services')
    .map(({ id }) => toText(id))
    .filter((id) => isAsked(id) && filter.includesService(id))
    .map((id) => `top ${country} ${id}`)
}

/** Records that set the flags of services which have had a top list or announced offers. */
export function* buildFlagRecords(store: V4Store): Iterable<object> {
  for (const flag of ['hasTopList', 'hasUpcoming'] as const) {
    for (const id of store.flaggedServices(flag)) {
      // Without `countries` the record would define the service everywhere.
      if (!defaultServiceFlags(id)[flag]) yield { kind: 'service', id, [flag]: true, countries: {} }
    }
  }
}

/** The fetched top lists. An empty one is stated only if it replaces another. */
export function* buildTopRecords(store: V4Store, catalog: Catalog): Iterable<object> {
  for (const { key, ids } of store.topLists()) {
    const [country = '', service = '', showType] = key.split(' ')
    const isKnown = catalog.topList(country, service, showType as ShowType).length > 0
    if (ids.length > 0 || isKnown) yield { kind: 'top', country, service, showType, shows: ids }
  }
}

/** Partial records with the facts that walks of their own gave, for the shows that the catalog has. */
export function* buildDetailRecords(store: V4Store, catalog: Catalog): Iterable<object> {
  for (const { value } of store.details()) {
    const doc = value.show && catalog.findDoc(value.show.id)
    const show = doc === undefined ? undefined : catalog.show(doc)
    // A record would restore a deleted show, and an own id may belong to another show in this catalog.
    if (show === undefined || show.deleted === true || show.originalTitle !== value.show?.originalTitle) continue
    const { id, showType, imdbId, tmdbId, title } = show
    yield {
      kind: 'show',
      partial: true,
      showType,
      id,
      imdbId,
      tmdbId,
      title,
      ...(value.originalLanguage !== undefined && { originalLanguage: value.originalLanguage }),
      ...popularityField(value, show),
      ...translationsField(value, show),
    }
  }
}

/** Popularity is replaced as a whole, so what is known of other countries is repeated. */
function popularityField({ popularity = {} }: ShowDetails, show: Show): object {
  if (Object.keys(popularity).length === 0) return {}
  return { popularity: { ...show.popularity, ...popularity } }
}

/** Texts that equal the English ones are a fallback of the service, not a translation. */
function translationsField({ texts = {} }: ShowDetails, show: Show): object {
  const translations = Object.entries(texts).flatMap(([language, { title, overview, imageSet }]) => {
    const hasImages = JSON.stringify(imageSet) !== JSON.stringify(show.imageSet)
    if (title === show.title && overview === show.overview && !hasImages) return []
    return [[language, { title, overview, ...(hasImages && { imageSet }) }]]
  })
  return translations.length === 0 ? {} : { translations: Object.fromEntries(translations) }
}
