import type { Catalog } from '../catalog/catalog.ts'
import type { Reference } from '../catalog/storage/reference.ts'
import type { Change } from '../model/change.ts'
import { formatPrice, OFFER_TYPES, type Offer, type OffersByCountry } from '../model/offer.ts'
import type { ServiceInCountry } from '../model/service.ts'
import type { Episode, Season, Show } from '../model/show.ts'

/** The source in the header of an export; the offers name their own. */
const EXPORT_SOURCE = 'export'

/**
 * Exports the whole catalog as a native feed: imported into an empty data directory, it gives a catalog with the same
 * responses. Read it within one turn of the event loop, so that all of it is of one catalog version.
 */
export function* exportFeed(catalog: Catalog): Generator<object> {
  const { countries, services, genres } = catalog.reference()
  const topLists = catalog.topLists()
  const version = catalog.version()
  const ranges = catalog.changes.listIds()
  const count = [countries, services, genres].reduce((sum, all) => sum + Object.keys(all).length, 0)
  yield {
    kind: 'feed',
    source: EXPORT_SOURCE,
    mode: 'snapshot',
    statesChanges: true,
    ...collectAttributions(catalog),
    ...collectHistories(catalog),
    count:
      count +
      catalog.documents.count() +
      topLists.length +
      ranges.reduce((sum, range) => sum + catalog.changes.count(range, version), 0),
  }
  yield* referenceRecords({ countries, services, genres })
  for (const doc of catalog.documents.docs()) yield formatShow(catalog.show(doc) as Show)
  for (const { country, service, showType, shows } of topLists) {
    yield { kind: 'top', country, service, showType, shows: ownIds(catalog, shows) }
  }
  for (const range of ranges) {
    for (const { change } of catalog.changes.scanAscending(range, version)) yield formatChange(change)
  }
}

/** The attributions of all sources: they must be shown wherever the data goes. */
function collectAttributions(catalog: Catalog): object {
  const stated = catalog.sources().flatMap(({ name, attribution }) => (attribution ? [[name, attribution]] : []))
  return stated.length === 0 ? {} : { attributions: Object.fromEntries(stated) }
}

/** The old snapshots that history was filled from: they say until when what they show was live. */
function collectHistories(catalog: Catalog): object {
  const filled = catalog
    .sources()
    .flatMap(({ name, recordedSince, snapshots }) => (snapshots ? [[name, { recordedSince, snapshots }]] : []))
  return filled.length === 0 ? {} : { histories: Object.fromEntries(filled) }
}

/** The current ids of shows, without duplicates: some may have been merged since. */
function ownIds(catalog: Catalog, ids: readonly string[]): string[] {
  const ownId = (id: string) => {
    const doc = catalog.findDoc(id)
    return doc === undefined ? id : (catalog.facts(doc)?.id ?? id)
  }
  return [...new Set(ids.map(ownId))]
}

function* referenceRecords({ countries, services, genres }: Reference): Generator<object> {
  for (const { id, names } of sortById(genres)) yield { kind: 'genre', id, names }
  for (const { id, hasTopList, hasUpcoming, everywhere, countries } of sortById(services)) {
    const codes = Object.keys(countries).sort()
    const inCountries = codes.map((code) => [code, formatService(countries[code] as ServiceInCountry)])
    yield {
      kind: 'service',
      id,
      hasTopList,
      hasUpcoming,
      ...(everywhere !== undefined && formatService(everywhere)),
      countries: Object.fromEntries(inCountries),
    }
  }
  for (const { code, names, services } of sortById(countries)) {
    yield { kind: 'country', countryCode: code, names, services }
  }
}

/** Sorts by id, since the order of arrival is arbitrary. */
function sortById<T>(byId: Readonly<Record<string, T>>): T[] {
  return Object.keys(byId)
    .sort()
    .map((id) => byId[id] as T)
}

function formatService({ optionTypes, ...service }: ServiceInCountry): object {
  const streamingOptionTypes = Object.fromEntries(OFFER_TYPES.map((type) => [type, optionTypes.includes(type)]))
  return { ...service, streamingOptionTypes }
}

/** A show in the format of API responses, followed by the fields that only feeds have. */
function formatShow(show: Show): object {
  const { year, offers, seasons, originalLanguage, translations, popularity } = show
  const movie = show.showType === 'movie'
  return {
    kind: 'show',
    itemType: 'show',
    showType: show.showType,
    id: show.id,
    imdbId: show.imdbId,
    tmdbId: show.tmdbId,
    title: show.title,
    overview: show.overview,
    ...(movie ? { releaseYear: year } : { firstAirYear: year, lastAirYear: show.lastAirYear }),
    originalTitle: show.originalTitle,
    genres: show.genres,
    ...(movie ? { directors: show.directors } : { creators: show.creators }),
    cast: show.cast,
    rating: show.rating,
    ...(movie ? { runtime: show.runtime } : { seasonCount: show.seasonCount, episodeCount: show.episodeCount }),
    imageSet: show.imageSet,
    streamingOptions: formatOptions(offers),
    seasons: seasons?.map(formatSeason),
    originalLanguage,
    translations,
    aliases: show.aliases,
    popularity,
    ratings: show.ratings,
    formerIds: show.formerIds,
    withdrawn: show.deleted,
    mergedInto: show.mergedInto,
    mergedIds: show.mergedIds,
    records: show.records,
    decisions: show.decisions,
    fieldSources: show.fieldSources,
    fieldSharers: show.fieldSharers,
    history: show.history,
  }
}

function formatSeason({ title, firstAirYear, lastAirYear, offers, episodes }: Season): object {
  return {
    itemType: 'season',
    title,
    firstAirYear,
    lastAirYear,
    streamingOptions: formatOptions(offers),
    episodes: episodes?.map(formatEpisode),
  }
}

function formatEpisode({ title, overview, airYear, offers }: Episode): object {
  return { itemType: 'episode', title, overview, airYear, streamingOptions: formatOptions(offers) }
}

function formatOptions(offers: OffersByCountry): object {
  return Object.fromEntries(Object.entries(offers).map(([country, list]) => [country, list.map(formatOption)]))
}

function formatOption(offer: Offer): object {
  const { service, type, addon, link, videoLink, quality, audios, subtitles, price, expiresOn, startsOn } = offer
  return {
    service,
    type,
    addon,
    link,
    videoLink,
    quality,
    audios,
    subtitles,
    price: price && { ...price, formatted: formatPrice(price) },
    expiresSoon: offer.imminent,
    expiresOn,
    availableSince: offer.availableSince,
    startsOn,
    source: offer.source,
    rolledUp: offer.rolledUp,
  }
}

function formatChange({ offerType, ...change }: Change): object {
  return { kind: 'change', ...change, streamingOptionType: offerType }
}
