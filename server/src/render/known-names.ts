import type { Reference } from '../catalog/reference.ts'
import type { KnownNames } from './answers.ts'

/** The names that the reference data holds. */
export function knownNames({ countries, genres, services }: Reference): KnownNames {
  const countryCodes = Object.keys(countries).sort()
  const genreIds = Object.keys(genres).sort()
  const addons = new Set(
    Object.values(services).flatMap(({ id, countries }) =>
      Object.values(countries).flatMap(({ addons }) => addons.map((addon) => `${id}.${addon.id}`)),
    ),
  )
  const inUse = new Set(Object.values(services).flatMap(({ id, countries }) => (hasAny(countries) ? id : [])))
  return {
    hasCountry: (code) => Object.hasOwn(countries, code),
    hasGenre: (id) => Object.hasOwn(genres, id),
    hasService: (id) => inUse.has(id),
    hasAddon: (service, addon) => addons.has(`${service}.${addon}`),
    countryCodes: () => countryCodes,
    genreIds: () => genreIds,
  }
}

function hasAny(record: object): boolean {
  return Object.keys(record).length > 0
}
