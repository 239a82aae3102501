import { createHash } from 'node:crypto'
import type { Catalog } from '../catalog/catalog.ts'
import { term } from '../catalog/index/terms.ts'
import {
  findAddonInCountry,
  findCountry,
  findGenre,
  findServiceInCountry,
  type Reference,
} from '../catalog/storage/reference.ts'
import { encodeUnpooled } from '../lib/bytes.ts'
import type { CacheMeter } from '../lib/cache.ts'
import { countryName } from '../model/country.ts'
import { genreName } from '../model/genre.ts'
import type { OutputLanguage } from '../model/language.ts'
import type { OFFER_TYPES, OfferType } from '../model/offer.ts'
import { type Brand, findTmdbProviderIds, type ServiceInCountry } from '../model/service.ts'

/** The order of the keys of `streamingOptionTypes`. */
const OPTION_TYPE_ORDER = [
  'addon',
  'buy',
  'rent',
  'free',
  'subscription',
] as const satisfies (typeof OFFER_TYPES)[number][]

/** Memory for rendered reference data; all of it is dropped beyond that. */
export const MAX_REFERENCE_CACHE_BYTES = 64 * 1024 * 1024

/**
 * Renders one version of the reference data as JSON and caches every object by language and country.
 */
export class ReferenceRenderer {
  private readonly catalog: Catalog
  private readonly reference: Reference
  private readonly meter: CacheMeter
  private readonly documents = new Map<string, Buffer>()
  private readonly unstatedTypes = new Map<string, UnstatedTypes>()
  private unstatedOfAll: { readonly version: number; readonly key: string } | undefined

  /** The meter outlives this renderer: it counts over all versions of the reference data. */
  constructor(catalog: Catalog, reference: Reference, meter: CacheMeter) {
    this.catalog = catalog
    this.reference = reference
    this.meter = meter
    meter.entries = 0
    meter.bytes = 0
  }

  /** A genre as shows print it. */
  genre(id: string, language: OutputLanguage): string {
    return JSON.stringify({ id, name: genreName(findGenre(this.reference, id) ?? { id, names: {} }, language) })
  }

  /** A service as options and changes print it. */
  service(id: string, country: string, language: OutputLanguage): Buffer {
    return this.document(`service/${country}/${language}/${id}`, () =>
      brandObject(id, findServiceInCountry(this.reference, id, country), language),
    )
  }

  /** An addon of a service as options and changes print it. */
  addon(id: string, service: string, country: string, language: OutputLanguage): Buffer {
    return this.document(`addon/${country}/${language}/${service}/${id}`, () =>
      brandObject(id, findAddonInCountry(this.reference, service, id, country), language),
    )
  }

  genres(language: OutputLanguage): Buffer {
    return this.document(`genres/${language}`, () =>
      Object.values(this.reference.genres)
        .map((genre) => ({ id: genre.id, name: genreName(genre, language) }))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    )
  }

  /** All countries, as of a catalog version. */
  countries(language: OutputLanguage, as: 'array' | 'map', version: number, withProviderIds = false): Buffer {
    const kind = withProviderIds ? `countries-ids/${as}` : `countries/${as}`
    return this.document(`${kind}/${language}/${this.unstatedTypesKey(version)}`, () => {
      const codes = Object.keys(this.reference.countries).sort()
      const countries = codes.map((code) => this.countryObject(code, language, version, withProviderIds))
      return as === 'array' ? countries : Object.fromEntries(codes.map((code, i) => [code, countries[i]]))
    })
  }

  /** A country as of a catalog version, or undefined where the catalog has no such code. */
  country(code: string, language: OutputLanguage, version: number, withProviderIds = false): Buffer | undefined {
    if (findCountry(this.reference, code) === undefined) return undefined
    const { key } = this.findUnstatedTypes(code, version)
    const kind = withProviderIds ? 'country-ids' : 'country'
    return this.document(`${kind}/${code}/${language}/${key}`, () =>
      this.countryObject(code, language, version, withProviderIds),
    )
  }

  private countryObject(
    code: string,
    language: OutputLanguage,
    version: number,
    withProviderIds: boolean,
  ): object | undefined {
    const country = findCountry(this.reference, code)
    if (country === undefined) return undefined
    const { byService } = this.findUnstatedTypes(code, version)
    const services = country.services.flatMap((id) => {
      const service = findServiceInCountry(this.reference, id, code)
      if (service === undefined) return []
      const object = serviceObject(id, service, byService.get(id) ?? [], language)
      return withProviderIds ? withIds(object, code) : object
    })
    return { countryCode: code, name: countryName(country, language), services }
  }

  /** The types of live offers that the records of the country's services do not state. Looked up once a catalog version. */
  private findUnstatedTypes(code: string, version: number): UnstatedTypes {
    const known = this.unstatedTypes.get(code)
    if (known?.version === version) return known
    const byService = new Map<string, readonly OfferType[]>()
    for (const id of findCountry(this.reference, code)?.services ?? []) {
      const stated = findServiceInCountry(this.reference, id, code)?.optionTypes ?? OPTION_TYPE_ORDER
      const types = OPTION_TYPE_ORDER.filter(
        (type) => !stated.includes(type) && this.catalog.postings.has(term.serviceType(code, id, type)),
      )
      if (types.length > 0) byService.set(id, types)
    }
    const key = [...byService].map(([id, types]) => `${id}.${types.join('.')}`).join(' ')
    const found = { version, byService, key }
    this.unstatedTypes.set(code, found)
    return found
  }

  /** The unstated types of all countries, as part of a cache key. Computed once a catalog version. */
  private unstatedTypesKey(version: number): string {
    if (this.unstatedOfAll?.version !== version) {
      const codes = Object.keys(this.reference.countries)
      const key = codes.map((code) => `${code} ${this.findUnstatedTypes(code, version).key}`).join()
      this.unstatedOfAll = { version, key: createHash('sha256').update(key).digest('base64') }
    }
    return this.unstatedOfAll.key
  }

  private document(key: string, encode: () => unknown): Buffer {
    const cached = this.documents.get(key)
    if (cached !== undefined) {
      this.meter.hits++
      return cached
    }
    const bytes = encodeUnpooled(JSON.stringify(encode()))
    this.count(bytes)
    this.documents.set(key, bytes)
    return bytes
  }

  /** Counts a new entry; drops all entries first if it would exceed the limit. */
  private readonly count = ({ length }: Buffer): void => {
    const { meter } = this
    meter.misses++
    if (meter.bytes + length > MAX_REFERENCE_CACHE_BYTES) {
      meter.evictions += meter.entries
      meter.entries = 0
      meter.bytes = 0
      this.documents.clear()
    }
    meter.entries++
    meter.bytes += length
  }
}

/** A service or an addon as options and changes print it. An unknown one has its id as its name. */
function brandObject(id: string, brand: Brand | undefined, language: OutputLanguage): BrandObject {
  const { lightThemeImage = '', darkThemeImage = '', whiteImage = '' } = brand?.imageSet ?? {}
  return {
    id,
    name: brand?.names?.[language] ?? brand?.name ?? id,
    homePage: brand?.homePage ?? '',
    themeColorCode: brand?.themeColorCode ?? '#000000',
    imageSet: { lightThemeImage, darkThemeImage, whiteImage },
  }
}

/** A service or an addon as it is printed. */
interface BrandObject {
  readonly [member: string]: unknown
  readonly id: string
}

/** A service with the ids that it has at TMDB. */
function withIds(service: BrandObject, country: string): object {
  return { ...service, tmdbProviderIds: findTmdbProviderIds(service.id, country) }
}

/** Types of live offers in a country by service, where its record does not state them; `key` names all of them. */
interface UnstatedTypes {
  readonly version: number
  readonly byService: ReadonlyMap<string, readonly OfferType[]>
  readonly key: string
}

/** A service of a country. Its option types are those that its record states, and those that its live offers have. */
function serviceObject(
  id: string,
  service: ServiceInCountry,
  unstatedTypes: readonly OfferType[],
  language: OutputLanguage,
): BrandObject {
  const types = [...service.optionTypes, ...unstatedTypes]
  return {
    ...brandObject(id, service, language),
    streamingOptionTypes: Object.fromEntries(OPTION_TYPE_ORDER.map((type) => [type, types.includes(type)])),
    addons: service.addons.map((addon) => brandObject(addon.id, addon, language)),
  }
}
