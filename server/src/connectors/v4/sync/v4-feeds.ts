import type { Catalog } from '../../../catalog/catalog.ts'
import { defaultServiceFlags } from '../../../model/service.ts'
import type { Show, ShowType } from '../../../model/show.ts'
import type { ShowDetails, V4Store } from './v4-store.ts'

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
