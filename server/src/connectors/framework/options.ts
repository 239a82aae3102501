import type { Catalog } from '../../catalog/catalog.ts'
import { findService } from '../../catalog/storage/reference.ts'
import { ownEntry } from '../../lib/objects.ts'
import { isServiceId } from '../../model/service.ts'
import { parseCountry } from '../records/locales.ts'
import { type Connector, ConnectorError, type ConnectorOption, type GivenOptions } from './connector.ts'

/** The command-line flag of an option, with the placeholder of its value if there is one. */
export function optionFlag(name: string, value?: string): string {
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  return value === undefined ? flag : `${flag} <${value}>`
}

/** Throws a `ConnectorError` that names every unknown, missing and invalid option. */
export function checkOptions(
  { name: format, options }: Pick<Connector, 'name' | 'options'>,
  given: GivenOptions,
): void {
  const problems: string[] = []
  for (const [name, value] of Object.entries(given)) {
    const option = ownEntry(options, name)
    if (option === undefined) {
      problems.push(`The format ${format} has no option ${optionFlag(name)}`)
    } else if ((option.value === undefined) !== (value === true) || value === '') {
      problems.push(
        `${optionFlag(name)} needs ${option.value === undefined ? 'no value' : `a value: ${option.description}`}`,
      )
    } else if (value !== true) {
      const needed = option.validate?.(value)
      if (needed !== undefined) problems.push(`${optionFlag(name)} is "${value}"; it must be ${needed}`)
    }
  }
  for (const [name, { value, description, required }] of Object.entries(options)) {
    if (required === true && given[name] === undefined) {
      problems.push(`The format ${format} needs ${optionFlag(name, value)}: ${description}`)
    }
  }
  if (problems.length > 0) throw new ConnectorError(problems.join('\n'))
}

/** `--countries`, for formats in which an offer may name no country. */
export const COUNTRIES_OPTION: ConnectorOption = {
  value: 'codes',
  description: 'countries that are meant where the feed names none, such as us,gb; otherwise those of the catalog',
  validate: (codes) =>
    splitCodes(codes).every((code) => parseCountry(code)) ? undefined : 'country codes such as us,gb',
}

/** The countries of `--countries`; by default those of the catalog. */
export function resolveCountries({ countries }: GivenOptions, catalog: Catalog): string[] {
  if (typeof countries !== 'string') return Object.keys(catalog.reference().countries).sort()
  return splitCodes(countries).flatMap((code) => parseCountry(code) ?? [])
}

function splitCodes(codes: string): string[] {
  return codes.split(',').map((code) => code.trim())
}

/** `--service`, for formats that do not name their service. */
export const SERVICE_OPTION: ConnectorOption = {
  value: 'id',
  description: 'id of the service that the feed is of',
  validate: (id) => (isServiceId(id) ? undefined : 'up to 64 letters, digits, "-" and "_"'),
}

/** `--service-name`, for a service that is new to the catalog. */
export const SERVICE_NAME_OPTION: ConnectorOption = {
  value: 'name',
  description: 'name of the service, where the catalog does not know it yet',
}

/**
 * The `service` of the options of a feed. A service that the catalog has for all countries is referenced by id alone.
 * Any other is stated in full, so the importer adds it in each country in which it has offers.
 */
export function buildServiceRecord(catalog: Catalog, id: string, given: { name?: string; homePage?: string }): object {
  const known = findService(catalog.reference(), id)
  if (known?.everywhere !== undefined) return { id }
  const [elsewhere] = Object.values(known?.countries ?? {})
  if (elsewhere !== undefined) {
    const { name, homePage, themeColorCode, imageSet, names } = elsewhere
    return { id, name, homePage, themeColorCode, imageSet, names }
  }
  return { id, name: given.name ?? id.charAt(0).toUpperCase() + id.slice(1), homePage: given.homePage }
}

/** The name of a service in the catalog. */
export function findServiceName(catalog: Catalog, id: string): string | undefined {
  const known = findService(catalog.reference(), id)
  return (known?.everywhere ?? Object.values(known?.countries ?? {})[0])?.name
}
