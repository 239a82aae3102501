import { findServiceInCountry, type Reference } from '../../catalog/storage/reference.ts'
import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import { OFFER_TYPES } from '../../model/offer.ts'
import type { ServiceInCountry } from '../../model/service.ts'
import { objectField, objectListField, textField, toText } from '../records/values.ts'
import type { RecordContext } from './show-record.ts'

/** Countries and genres of a service by output language, as printed. Stored as JSON with the run. */
export interface RemoteReference {
  readonly countries: Readonly<Record<string, readonly JsonObject[]>>
  readonly genres: Readonly<Record<string, readonly JsonObject[]>>
}

/** The code of a printed country, in lower case. */
export function countryCode(country: JsonObject): string {
  return toText(country.countryCode).toLowerCase()
}

/** The native records of the reference data: genres, then the wanted countries with their services in full. */
export function buildReferenceRecords(
  remote: RemoteReference,
  countries: readonly string[],
  reference: Reference,
): object[] {
  const genres = (remote.genres.en ?? []).map((genre) => ({
    kind: 'genre',
    id: genre.id,
    name: genre.name,
    ...namesField(remote.genres, 'id', genre),
  }))
  const printed = (remote.countries.en ?? []).filter((country) => countries.includes(countryCode(country)))
  return [
    ...genres,
    ...printed.map((country) => ({
      kind: 'country',
      countryCode: countryCode(country),
      name: country.name,
      ...namesField(remote.countries, 'countryCode', country),
      services: objectListField(country, 'services').map((service) => {
        const code = countryCode(country)
        const translated = Object.entries(remote.countries).map(([language, all]) => {
          const same = all.find((one) => countryCode(one) === code)
          return [language, same === undefined ? [] : objectListField(same, 'services')] as const
        })
        const known = findServiceInCountry(reference, toText(service.id), code)
        return buildService(service, Object.fromEntries(translated), known)
      }),
    })),
  ]
}

/** A service in a country. Option types and addons that other sources have there stay, since their offers need them. */
function buildService(
  service: JsonObject,
  translated: Readonly<Record<string, readonly JsonObject[]>>,
  known: ServiceInCountry | undefined,
): object {
  const types = objectField(service, 'streamingOptionTypes')
  const addons = objectListField(service, 'addons').map((addon) => {
    const inLanguages = Object.entries(translated).map(([language, services]) => {
      const same = services.find(({ id }) => id === service.id)
      return [language, same === undefined ? [] : objectListField(same, 'addons')]
    })
    return { ...addon, ...namesField(Object.fromEntries(inLanguages), 'id', addon) }
  })
  const ids = new Set(objectListField(service, 'addons').map(({ id }) => id))
  return {
    ...service,
    ...namesField(translated, 'id', service),
    streamingOptionTypes: Object.fromEntries(
      OFFER_TYPES.map((type) => [type, types[type] === true || known?.optionTypes.includes(type) === true]),
    ),
    addons: [...addons, ...(known?.addons ?? []).filter(({ id }) => !ids.has(id))],
  }
}

/** `names` in the languages in which an item is called differently than in English. */
function namesField(
  byLanguage: Readonly<Record<string, readonly JsonObject[]>>,
  idField: string,
  item: JsonObject,
): { names?: Record<string, string> } {
  const names = Object.entries(byLanguage).flatMap(([language, items]) => {
    const same = items.find((one) => one[idField] === item[idField])
    const name = same === undefined ? undefined : textField(same, 'name')
    return language === 'en' || name === undefined || name === item.name ? [] : [[language, name]]
  })
  return names.length === 0 ? {} : { names: Object.fromEntries(names) }
}

/** Which services, addons and genres the printed reference data has. */
export function createReferenceIndex(remote: RemoteReference): Omit<RecordContext, 'filter'> {
  const known = new Set<string>()
  for (const country of remote.countries.en ?? []) {
    const code = countryCode(country)
    for (const service of objectListField(country, 'services')) {
      known.add(`${code} ${service.id}`)
      for (const addon of objectListField(service, 'addons')) known.add(`${code} ${service.id} ${addon.id}`)
    }
  }
  const genres = new Set((remote.genres.en ?? []).map(({ id }) => id))
  return {
    hasService: (service, country) => known.has(`${country} ${service}`),
    hasAddon: (service, addon, country) => known.has(`${country} ${service} ${addon}`),
    hasGenre: (genre) => genres.has(genre),
  }
}

/** The attributions that the service passes on, as those of one source. */
export function readAttributions(answer: unknown): JsonObject[] {
  if (!Array.isArray(answer)) return []
  return answer.flatMap((entry) => (isObject(entry) ? objectListField(entry, 'attribution') : []))
}
