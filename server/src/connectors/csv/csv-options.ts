import type { Catalog } from '../../catalog/catalog.ts'
import { fold } from '../../catalog/index/analyzer.ts'
import { isObject } from '../../ingest/parse/fields.ts'
import { OFFER_TYPES } from '../../model/offer.ts'
import { isServiceId } from '../../model/service.ts'
import { SHOW_TYPES } from '../../model/show.ts'
import {
  buildServiceRecord,
  COUNTRIES_OPTION,
  type Connector,
  type GivenOptions,
  SERVICE_NAME_OPTION,
  SERVICE_OPTION,
} from '../connector.ts'
import knownServices from '../records/known-services.json' with { type: 'json' }
import { parseCountry } from '../records/locales.ts'
import { slugify } from '../records/values.ts'
import { isEncoding } from '../streams/text-encoding.ts'
import {
  CSV_FIELDS,
  type CsvField,
  type CsvMapping,
  isLinkTemplate,
  LINK_TEMPLATE_RULE,
  toColumnRule,
} from './csv-mapping.ts'
import { validateDateFormat } from './date-format.ts'

const oneOf = (values: readonly string[]) => (value: string) =>
  values.includes(value) ? undefined : `one of ${values.join(', ')}`

/** The options of the format: the mapping, and what a table does not say. They override the mapping. */
export const CSV_OPTIONS: Connector['options'] = {
  mapping: { value: 'file', description: 'JSON file that maps the columns to fields' },
  service: SERVICE_OPTION,
  serviceName: SERVICE_NAME_OPTION,
  countries: COUNTRIES_OPTION,
  linkTemplate: {
    value: 'url',
    description: 'address of what is watched, with headings in braces, such as https://acme.example/watch/{show_id}',
    validate: (template) => (isLinkTemplate(template) ? undefined : LINK_TEMPLATE_RULE.replace(/,$/, '')),
  },
  offerType: {
    value: 'type',
    description: 'type of the offers where the table does not say: subscription, free, rent, buy or addon',
    validate: oneOf(OFFER_TYPES),
  },
  showType: {
    value: 'type',
    description: 'type of the shows where the table does not say: movie or series',
    validate: oneOf(SHOW_TYPES),
  },
  dateFormat: {
    value: 'format',
    description: 'format of the dates where it is not clear, such as DD/MM/YYYY',
    validate: validateDateFormat,
  },
  encoding: {
    value: 'name',
    description: 'encoding of the table, such as windows-1252, where it is not recognised',
    validate: (label) => (isEncoding(label) ? undefined : 'the name of an encoding, such as utf-8 or windows-1252'),
  },
}

/** The fields that options give a default for. */
const DEFAULTS: Readonly<Record<string, CsvField>> = {
  service: 'service',
  countries: 'country',
  offerType: 'type',
  showType: 'showType',
}

/** The country codes of `--countries`. */
export function splitCountryCodes(countries: string): string[] {
  return countries.split(',').flatMap((code) => parseCountry(code) ?? [])
}

/** A mapping with the given options in place of what it says itself. */
export function withGivenOptions(mapping: CsvMapping, given: GivenOptions): CsvMapping {
  const defaults: Partial<Record<CsvField, string>> = { ...mapping.defaults }
  for (const [option, field] of Object.entries(DEFAULTS)) {
    const value = given[option]
    if (typeof value === 'string') defaults[field] = value
  }
  const { linkTemplate, dateFormat, encoding, countries, service } = given
  const scope = mapping.scope && {
    ...mapping.scope,
    ...(typeof countries === 'string' && { countries: splitCountryCodes(countries) }),
    ...(typeof service === 'string' && { services: [service] }),
  }
  const columns = Object.entries(mapping.columns).flatMap(([heading, column]) => {
    const rule = toColumnRule(column)
    if (typeof linkTemplate === 'string' && rule.field === 'link') return []
    if (typeof dateFormat !== 'string' || CSV_FIELDS[rule.field] !== 'time') return [[heading, column] as const]
    return [[heading, { ...rule, format: dateFormat }] as const]
  })
  return {
    ...mapping,
    columns: Object.fromEntries(columns),
    defaults,
    ...(scope !== undefined && { scope }),
    ...(typeof linkTemplate === 'string' && { linkTemplate }),
    ...(typeof encoding === 'string' && { encoding }),
  }
}

const KNOWN_SERVICES = new Map(Object.entries(knownServices))
const idsByName = new Map([...KNOWN_SERVICES].map(([id, { name }]) => [fold(name), id]))

/** The id of a well-known service by its name. */
export function findKnownService(name: string): string | undefined {
  return idsByName.get(fold(name))
}

/**
 * A function from what a table calls a service to the `service` of an option. A service that the mapping defines is
 * referenced by its id. Any other is described by what the catalog or the list of well-known services has of it.
 */
export function resolveServices(
  { reference = [], linkTemplate }: CsvMapping,
  catalog: Catalog,
  { service: given, serviceName }: GivenOptions,
): (name: string) => unknown {
  const defined = new Set(
    reference.flatMap((record) => (isObject(record) && record.kind === 'service' ? [record.id] : [])),
  )
  const resolved = new Map<string, unknown>()
  const resolve = (name: string): unknown => {
    const id = isServiceId(name) ? name : (findKnownService(name) ?? slugify(name))
    if (id === undefined || defined.has(id)) return id ?? name
    const known = KNOWN_SERVICES.get(id)
    const isGiven = name === given
    const homePage =
      known?.homePage ?? (isGiven && linkTemplate !== undefined ? new URL(linkTemplate).origin : undefined)
    const statedName =
      isGiven && typeof serviceName === 'string' ? serviceName : (known?.name ?? (id === name ? undefined : name))
    return buildServiceRecord(catalog, id, {
      ...(statedName !== undefined && { name: statedName }),
      ...(homePage !== undefined && { homePage }),
    })
  }
  return (name) => {
    if (!resolved.has(name)) resolved.set(name, resolve(name))
    return resolved.get(name)
  }
}
