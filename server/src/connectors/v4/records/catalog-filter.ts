import { isObject } from '../../../ingest/parse/fields.ts'
import { OFFER_TYPES, type OfferType } from '../../../model/offer.ts'

/** An entry of `catalogs`: a service, an option type of it, or an addon. */
export interface CatalogEntry {
  readonly service: string
  readonly type?: OfferType
  readonly addon?: string
}

/** The limit of the contract on `catalogs`. */
const MAX_ENTRIES = 32

/** Parses `netflix,prime.rent,apple.addon.tvs.sbd.1000579`; returns the first entry that is invalid as a text. */
export function parseCatalogs(text: string): readonly CatalogEntry[] | string {
  const entries: CatalogEntry[] = []
  for (const entry of text.split(',').map((one) => one.trim())) {
    const match = /^([\w-]+)(?:\.([a-z]+)(?:\.([\w.-]+))?)?$/.exec(entry)
    const [, service, typeText, addon] = match ?? []
    const type = OFFER_TYPES.find((one) => one === typeText)
    if (service === undefined || (typeText !== undefined && type === undefined)) return entry
    if (addon !== undefined && type !== 'addon') return entry
    entries.push({ service, ...(type !== undefined && { type }), ...(addon !== undefined && { addon }) })
  }
  return entries
}

/** The offers that a sync takes: those of some catalogs, or all. */
export class CatalogFilter {
  private readonly entries: readonly CatalogEntry[]

  /** @param entries none for all catalogs */
  constructor(entries: readonly CatalogEntry[]) {
    this.entries = entries
  }

  /** The values of `catalogs` that together select all entries; one undefined value for all catalogs. */
  parameters(): (string | undefined)[] {
    if (this.entries.length === 0) return [undefined]
    const texts = this.entries.map(({ service, type, addon }) =>
      [service, type, addon].filter((part) => part !== undefined).join('.'),
    )
    const count = Math.ceil(texts.length / MAX_ENTRIES)
    return Array.from({ length: count }, (_, i) => texts.slice(i * MAX_ENTRIES, (i + 1) * MAX_ENTRIES).join(','))
  }

  /** Whether any offers of a service are of these catalogs. */
  includesService(service: string): boolean {
    return this.entries.length === 0 || this.entries.some((entry) => entry.service === service)
  }

  /** Whether an option, or a change, is of these catalogs. */
  includes(service: string, type: unknown, addon: string | undefined): boolean {
    if (this.entries.length === 0) return true
    return this.entries.some(
      (entry) =>
        entry.service === service &&
        (entry.type === undefined || entry.type === type) &&
        (entry.addon === undefined || entry.addon === addon),
    )
  }
}

/** The id of a service or addon, which answers print as an object. */
export function readId(value: unknown): string | undefined {
  const id = isObject(value) ? value.id : value
  return typeof id === 'string' ? id : undefined
}
