import type { Catalog } from '../catalog/catalog.ts'
import { findService } from '../catalog/storage/reference.ts'
import type { FeedSource } from '../ingest/import-feed.ts'
import { UserError } from '../lib/errors.ts'
import { ownEntry } from '../lib/objects.ts'
import { isServiceId } from '../model/service.ts'
import { parseCountry } from './records/locales.ts'

/** An open source: it can be read as a native feed any number of times until it is disposed of. */
export interface OpenFeed {
  /** The lines of the feed, header first. An import reads them twice: to check, then to apply. */
  readonly lines: FeedSource
  /** The share of the source that the current pass has read, from 0 to 1. */
  readonly progress: () => number
  /** Deletes temporary files. */
  dispose(): Promise<void>
}

/** An option of a connector: a flag of `marquee import`, or a member of `options` in `sources.json`. */
export interface ConnectorOption {
  /** Placeholder of the value in help texts, such as `id`; an option without one is a switch. */
  readonly value?: string
  readonly description: string
  readonly required?: true
  /** Describes a valid value if this one is invalid, else returns undefined. */
  readonly validate?: (value: string) => string | undefined
}

/** Option values as the operator gave them: a text, or true for a switch. */
export type GivenOptions = Readonly<Record<string, string | true>>

/** What a connector may use beside the source itself. */
export interface ConnectorContext {
  /** The current catalog: connectors use it to skip unknown titles and to find shows by title. */
  readonly catalog: Catalog
  /** The URL that the source was downloaded from, if it was. */
  readonly web?: WebOrigin
}

/** The URL of a downloaded source, and a function that downloads further pages. */
export interface WebOrigin {
  readonly address: string
  /** Downloads a page and returns the path of the file. */
  readonly fetchPage: (url: string) => Promise<string>
}

/**
 * Converts a source of one format into the lines of a native feed, in bounded memory. Faults of the source become lines
 * too (`FeedLine`): a `problem` marks data that could not be read, so the import removes nothing; a `note` is only
 * reported. Identifying shows, computing changes and guarding removals is left to the importer.
 */
export interface Connector {
  /** The value of `--format`. */
  readonly name: string
  /** What it reads, for help texts. */
  readonly summary: string
  /** By name in camel case; `linkTemplate` is `--link-template` on the command line. */
  readonly options: Readonly<Record<string, ConnectorOption>>
  /** Opens a file or folder. Options are already checked. Rejects with a `ConnectorError` if the source is unusable. */
  open(path: string, options: GivenOptions, context: ConnectorContext): Promise<OpenFeed>
}

/** Thrown when a source or an option is unusable; the message says how to fix it. */
export class ConnectorError extends UserError {
  override readonly name: string = 'ConnectorError'
}

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
