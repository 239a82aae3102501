import type { Reference } from '../../catalog/storage/reference.ts'
import { type Country, isCountryCode, normalizeCountryCode } from '../../model/country.ts'
import { type Genre, isGenreId, STANDARD_GENRES } from '../../model/genre.ts'
import { OFFER_TYPES } from '../../model/offer.ts'
import {
  type Addon,
  type Brand,
  defaultServiceFlags,
  isAddonId,
  isServiceId,
  isThemeColor,
  type Service,
  type ServiceInCountry,
} from '../../model/service.ts'
import type { LogoSet } from '../../model/show.ts'
import { Fields, formatValue, isObject, type JsonObject, type RecordLocation } from './fields.ts'

const standardGenres = new Map(STANDARD_GENRES.map((genre) => [genre.id, genre]))

/**
 * The reference data during an import: services, countries and genres. Records of these kinds set it. Services, addons
 * and genres that are embedded in shows, as API responses print them, only add what is not known yet.
 */
export class ReferenceBuilder {
  private readonly services: Map<string, Service>
  private readonly countries: Map<string, Country>
  private readonly genres: Map<string, Genre>
  private isChanged = false
  private fingerprintText: string | undefined
  /** How many embedded services and addons were resolved so far; a line with one has effects beside its show. */
  embeddedCount = 0

  constructor({ services, countries, genres }: Reference) {
    this.services = new Map(Object.entries(services))
    this.countries = new Map(Object.entries(countries))
    this.genres = new Map(Object.entries(genres))
  }

  /** The reference data, if it has changed since the last call. */
  flushChanges(): Reference | undefined {
    if (!this.isChanged) return undefined
    this.isChanged = false
    return {
      services: Object.fromEntries(this.services),
      countries: Object.fromEntries(this.countries),
      genres: Object.fromEntries(this.genres),
    }
  }

  hasAddon(service: string, addon: string, country: string): boolean {
    return (
      this.ensureService(service, country) &&
      this.inCountry(service, country)?.addons.some(({ id }) => id === addon) === true
    )
  }

  /** The home page of a service in a country; empty if it is not known. */
  homePage(service: string, country: string): string {
    return this.inCountry(service, country)?.homePage ?? ''
  }

  /**
   * Changes whenever the set of addons does, or that of services without a home page. The result of a record depends on
   * both; services and genres matter too, but a known one never becomes unknown.
   */
  fingerprint(): string {
    if (this.fingerprintText === undefined) {
      const services = [...this.services.values()].flatMap(({ id, countries }) =>
        Object.entries(countries).flatMap(([country, { addons, homePage }]) =>
          addons.length > 0 || homePage === '' ? [[id, country, homePage === '', ...addons.map((one) => one.id)]] : [],
        ),
      )
      this.fingerprintText = JSON.stringify(services)
    }
    return this.fingerprintText
  }

  /** Whether a service is known in a country. A service that is defined for all countries is added on its first use. */
  ensureService(id: string, country: string): boolean {
    if (this.inCountry(id, country) !== undefined) return true
    const service = this.services.get(id)
    if (service?.everywhere === undefined) return false
    this.putInCountry(service, country, service.everywhere)
    return true
  }

  /** Applies a `genre` record. */
  applyGenre(fields: Fields): void {
    const id = fields.requiredText('id')
    if (id === undefined) return
    if (!isGenreId(id)) {
      fields.addNotice('invalid_field', `"id" is ${formatValue(id)}; letters, digits, "-" and "_" are needed`)
      return
    }
    const name = fields.text('name')
    const known = this.genres.get(id) ?? standardGenres.get(id)
    const names = { ...known?.names, ...(name !== undefined && { en: name }), ...parseNames(fields) }
    this.put(this.genres, id, { id, names })
  }

  /** Resolves a genre of a show, an id or an embedded object, to its id; adds it if it is a standard or named one. */
  resolveGenre(value: unknown, fields: Fields): string | undefined {
    const id = isObject(value) ? value.id : value
    if (typeof id !== 'string' || !isGenreId(id)) {
      return fields.addNotice('ignored_field', `"genres" holds ${formatValue(value)}; an id is needed`)
    }
    if (this.genres.has(id)) return id
    const standard = standardGenres.get(id)
    const name = isObject(value) && typeof value.name === 'string' ? value.name : undefined
    if (standard === undefined && name === undefined) {
      return fields.addNotice('unknown_genre', `The genre ${formatValue(id)} is not known`)
    }
    this.put(this.genres, id, { id, names: { ...standard?.names, ...(name !== undefined && { en: name }) } })
    return id
  }

  /** Applies a `service` record: its default for all countries, and overrides by country. */
  applyService(fields: Fields): void {
    const id = parseServiceId(fields)
    if (id === undefined) return
    const known = this.services.get(id)
    const flags = defaultServiceFlags(id)
    const overrides = fields.nested('countries')
    // A record may define the service by country alone, without a default.
    const hasDefault = fields.has('name') || known?.everywhere !== undefined || overrides === undefined
    const everywhere = hasDefault ? parseServiceInCountry(fields, known?.everywhere) : undefined
    if (hasDefault && everywhere === undefined) return
    // Countries that already have the service get the new default.
    const countries: Record<string, ServiceInCountry> = {}
    for (const [country, old] of Object.entries(known?.countries ?? {})) countries[country] = everywhere ?? old
    for (const code of Object.keys(overrides?.value ?? {})) {
      const country = normalizeCountryCode(code)
      const override = overrides?.nested(code)
      if (override === undefined || !isCountryCode(country)) continue
      const inCountry = parseServiceInCountry(override, everywhere)
      if (inCountry !== undefined) countries[country] = inCountry
    }
    this.put(this.services, id, {
      id,
      hasTopList: fields.boolean('hasTopList') ?? known?.hasTopList ?? flags.hasTopList,
      hasUpcoming: fields.boolean('hasUpcoming') ?? known?.hasUpcoming ?? flags.hasUpcoming,
      ...(everywhere !== undefined && { everywhere }),
      countries,
    })
    for (const country of Object.keys(countries)) this.listService(id, country)
    // A country may have listed the service before this record.
    for (const [code, { services }] of this.countries) if (services.includes(id)) this.ensureService(id, code)
  }

  /** Applies a `country` record, with its services, most popular first, as ids or embedded objects. */
  applyCountry(fields: Fields): void {
    const countryCode = fields.requiredText('countryCode')
    if (countryCode === undefined) return
    const code = normalizeCountryCode(countryCode)
    if (!isCountryCode(code)) {
      fields.addNotice('invalid_field', `"countryCode" is ${formatValue(countryCode)}; two letters are needed`)
      return
    }
    const known = this.countries.get(code)
    const name = fields.text('name')
    const names = { ...known?.names, ...(name !== undefined && { en: name }), ...parseNames(fields) }
    this.put(this.countries, code, { code, names, services: known?.services ?? [] })
    const services = (fields.list('services') ?? known?.services ?? []).flatMap((service) => {
      if (isObject(service)) return this.resolveService(service, code, fields) ?? []
      if (typeof service === 'string' && isServiceId(service)) return service
      fields.addNotice('ignored_field', `"services" holds ${formatValue(service)}; the id of a service is needed`)
      return []
    })
    const unlisted = (known?.services ?? []).filter((id) => !services.includes(id))
    this.put(this.countries, code, { code, names, services: [...new Set([...services, ...unlisted])] })
    for (const id of services) this.ensureService(id, code)
  }

  /** Resolves an embedded service to its id; adds it if it is not known in the country, or if it is described in full. */
  resolveService(value: JsonObject, country: string, parent: Fields): string | undefined {
    this.embeddedCount++
    const fields = new Fields(value, parent.location, 'service.')
    const id = parseServiceId(fields)
    if (id === undefined) return undefined
    const known = this.inCountry(id, country)
    const isFull = isObject(value.streamingOptionTypes)
    if (known === undefined || isFull) {
      const inCountry = parseServiceInCountry(fields, known ?? this.services.get(id)?.everywhere)
      if (inCountry === undefined) return undefined
      const service = this.services.get(id) ?? { id, ...defaultServiceFlags(id), countries: {} }
      this.putInCountry(service, country, inCountry)
    }
    return id
  }

  /** Resolves an embedded addon to its id; adds it if it is not known. */
  resolveAddon(value: JsonObject, service: string, country: string, parent: Fields): string | undefined {
    this.embeddedCount++
    const addon = parseAddon(value, parent.location)
    const inCountry = this.inCountry(service, country)
    if (addon === undefined || inCountry === undefined) return undefined
    if (!inCountry.addons.some(({ id }) => id === addon.id)) {
      const addons = [...inCountry.addons, addon]
      this.putInCountry(this.services.get(service) as Service, country, { ...inCountry, addons })
    }
    return addon.id
  }

  private inCountry(service: string, country: string): ServiceInCountry | undefined {
    return this.services.get(service)?.countries[country]
  }

  private putInCountry(service: Service, country: string, inCountry: ServiceInCountry): void {
    this.put(this.services, service.id, { ...service, countries: { ...service.countries, [country]: inCountry } })
    this.listService(service.id, country)
  }

  private listService(id: string, code: string): void {
    const country = this.countries.get(code) ?? { code, names: {}, services: [] }
    if (country.services.includes(id)) return
    this.put(this.countries, code, { ...country, services: [...country.services, id] })
  }

  private put<T>(map: Map<string, T>, id: string, value: T): void {
    if (JSON.stringify(map.get(id)) === JSON.stringify(value)) return
    map.set(id, value)
    this.isChanged = true
    this.fingerprintText = undefined
  }
}

function parseServiceId(fields: Fields): string | undefined {
  const id = fields.requiredText('id')
  if (id === undefined || isServiceId(id)) return id
  return fields.addNotice(
    'invalid_field',
    `The id ${formatValue(id)} cannot be used; letters, digits, "-" and "_" are needed`,
  )
}

function parseAddonId(fields: Fields): string | undefined {
  const id = fields.requiredText('id')
  if (id === undefined || isAddonId(id)) return id
  return fields.addNotice(
    'invalid_field',
    `The id ${formatValue(id)} cannot be used; letters, digits, "-", "_" and, inside, dots are needed`,
  )
}

function parseServiceInCountry(fields: Fields, base: ServiceInCountry | undefined): ServiceInCountry | undefined {
  const brand = parseBrand(fields, base)
  if (brand === undefined) return undefined
  const types = fields.nested('streamingOptionTypes')
  const addons = fields.list('addons')
  return {
    ...brand,
    optionTypes:
      types === undefined ? (base?.optionTypes ?? []) : OFFER_TYPES.filter((type) => types.value[type] === true),
    addons:
      addons === undefined
        ? (base?.addons ?? [])
        : addons.flatMap((addon) => (isObject(addon) ? (parseAddon(addon, fields.location) ?? []) : [])),
  }
}

function parseAddon(value: JsonObject, location: RecordLocation): Addon | undefined {
  const fields = new Fields(value, location, 'addon.')
  const id = parseAddonId(fields)
  const brand = parseBrand(fields, undefined)
  return id === undefined || brand === undefined ? undefined : { id, ...brand }
}

function parseBrand(fields: Fields, base: Brand | undefined): Brand | undefined {
  const name = fields.text('name') ?? base?.name ?? fields.requiredText('name')
  if (name === undefined) return undefined
  const names = { ...base?.names, ...parseNames(fields) }
  return {
    name,
    homePage: fields.link('homePage') ?? base?.homePage ?? '',
    themeColorCode: parseColor(fields) ?? base?.themeColorCode ?? '#000000',
    imageSet: parseLogos(fields, base?.imageSet),
    ...(Object.keys(names).length > 0 && { names }),
  }
}

function parseColor(fields: Fields): string | undefined {
  const color = fields.text('themeColorCode')
  if (color === undefined || isThemeColor(color)) return color
  return fields.addNotice(
    'ignored_field',
    `"themeColorCode" is ${formatValue(color)}; a colour such as "#e50914" is needed`,
  )
}

function parseLogos(fields: Fields, base: LogoSet | undefined): LogoSet {
  const logos = fields.nested('imageSet')
  return {
    lightThemeImage: logos?.link('lightThemeImage') ?? base?.lightThemeImage ?? '',
    darkThemeImage: logos?.link('darkThemeImage') ?? base?.darkThemeImage ?? '',
    whiteImage: logos?.link('whiteImage') ?? base?.whiteImage ?? '',
  }
}

function parseNames(fields: Fields): Record<string, string> {
  const names = fields.nested('names')
  return Object.fromEntries(
    Object.keys(names?.value ?? {}).flatMap((language) => {
      const name = names?.text(language)
      return name === undefined ? [] : [[language, name]]
    }),
  )
}
