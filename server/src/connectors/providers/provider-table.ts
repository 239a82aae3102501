import { ownEntry } from '../../lib/objects.ts'
import { PROVIDER_ROWS, type ProviderRow } from '../../model/tmdb-providers.ts'
import knownServices from '../records/known-services.json' with { type: 'json' }
import otherNames from './other-names.json' with { type: 'json' }
import resellerData from './resellers.json' with { type: 'json' }

/** Names, home pages and colours of well-known services, by service id. */
export const KNOWN_SERVICES: ReadonlyMap<string, { name: string; homePage: string; color: string }> = new Map(
  Object.entries(knownServices),
)

/** Plans of one service, which TMDB lists as providers of their own. */
const VARIANT_SUFFIXES =
  / *[-–(]? *\b(?:(?:basic|standard|premium|essential|free)\b *)?(?:with|w\/|mit|avec|con) (?:ads?|adverts|werbung|pub|anuncios)\)?$/i

const rowsById = groupBy<number, ProviderRow>(PROVIDER_ROWS, ({ id }) => [id])
/** Names that other APIs have for the services of the table. */
const OTHER_NAMES: readonly Omit<ProviderRow, 'id'>[] = otherNames
const rowsByName = groupBy<string, Omit<ProviderRow, 'id'>>(
  [...PROVIDER_ROWS, ...OTHER_NAMES],
  ({ names }) => new Set(names.map((name) => foldName(stripVariant(name)))),
)
const serviceNames = new Map([...PROVIDER_ROWS].reverse().map(({ service, names }) => [service, names[0] as string]))

/** The name of a service of the table. */
export function tableServiceName(service: string): string | undefined {
  return KNOWN_SERVICES.get(service)?.name ?? serviceNames.get(service)
}

/** The row of a provider id of TMDB. Its name must resemble a known one, since TMDB may reassign an id. */
export function findProviderById(id: number, name: string, country: string): ProviderRow | undefined {
  const rows = (rowsById.get(id) ?? []).filter((row) => row.names.some((known) => isSimilar(known, name)))
  return rows.find(({ countries }) => countries?.includes(country)) ?? rows[0]
}

/** The row of a provider name in a country: "NOW" is one service in Brazil and another in Britain. */
export function findProviderByName(name: string, country: string): Omit<ProviderRow, 'id'> | undefined {
  const rows = rowsByName.get(foldName(stripVariant(name))) ?? []
  return rows.find(({ countries }) => countries === undefined || countries.includes(country))
}

/** Splits "Starz Amazon Channel" into the reseller and the name of the channel. */
export function splitChannel(name: string): { readonly service: string; readonly channel: string } | undefined {
  const lower = name.toLowerCase()
  for (const { service, suffixes } of resellerData.resellers) {
    const suffix = suffixes.find((one) => lower.endsWith(` ${one}`) && lower.length > one.length + 1)
    if (suffix !== undefined) return { service, channel: name.slice(0, -suffix.length).trim() }
  }
  return undefined
}

/** The id of an addon, the same for all spellings: "AMC+", "AMC Plus" and "AMC + with Ads" are `amcplus`. */
export function toAddonId(channel: string): string | undefined {
  const folded = foldName(stripVariant(channel)).replace(/[^a-z0-9]/g, '')
  const id = ownEntry<string>(resellerData.addonAliases, folded) ?? folded
  return id === '' ? undefined : id.slice(0, 64)
}

/** Whether an id belongs to a service of the table. */
export function isTableService(service: string): boolean {
  return serviceNames.has(service)
}

function stripVariant(name: string): string {
  const plain = name.replace(VARIANT_SUFFIXES, '').trim()
  return plain === '' ? name : plain
}

/** A name in lower case without accents, spaces and punctuation; `+` is "plus". */
function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('+', 'plus')
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** Words that many names have. */
const COMMON_WORDS = new Set(
  'tv plus channel amazon apple the on play video premium with ads store go basic standard free home film films'.split(
    ' ',
  ),
)

/** Whether two names of one provider id can be the same provider: equal or contained in each other, or with a rare word in common. */
function isSimilar(a: string, b: string): boolean {
  const [first, second] = [foldName(a), foldName(b)]
  if (first === second) return true
  const [short, long] = first.length < second.length ? [first, second] : [second, first]
  if (short.length >= 3 && long.includes(short)) return true
  const words = new Set(listWords(a))
  return listWords(b).some((word) => words.has(word) && !COMMON_WORDS.has(word))
}

function listWords(name: string): string[] {
  return name.toLowerCase().split(/[^\p{L}\p{N}]+/u)
}

function groupBy<K, R>(rows: readonly R[], keys: (row: R) => Iterable<K>): ReadonlyMap<K, R[]> {
  const groups = new Map<K, R[]>()
  for (const row of rows) {
    for (const key of keys(row)) groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return groups
}
