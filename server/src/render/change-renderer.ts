import type { StoredChange } from '../catalog/changes/stored-change.ts'
import { encodeUnpooled } from '../lib/unpooled-buffer.ts'
import { VersionedCache } from '../lib/versioned-cache.ts'
import type { OutputLanguage } from '../model/language.ts'
import type { FieldTree, ShowShape } from '../query/show-shape.ts'
import type { PrintedOption } from './best-offer.ts'
import type { ReferenceRenderer } from './reference-renderer.ts'
import { chooseFields } from './shape-object.ts'
import { addProviderIds } from './shaped-show-renderer.ts'

const MAX_CACHE_BYTES = 16 * 1024 * 1024

/** The size of a cache entry beside its bytes, about. */
const ENTRY_BYTES = 256

interface RenderedChange {
  readonly language: OutputLanguage
  readonly namesCountry: boolean
  readonly bytes: Buffer
}

/**
 * Renders changes as JSON, with a cache by identity: a page that is read again brings the same decoded changes. An
 * entry holds the last form only and is valid for one version of the reference data.
 */
export class ChangeRenderer {
  readonly cache = new VersionedCache<StoredChange, RenderedChange>({
    name: 'rendered_changes',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ bytes }) => bytes.length + ENTRY_BYTES,
  })

  /** A change behind a comma; with `namesCountry`, its country is its last member. */
  render(change: StoredChange, reference: ReferenceRenderer, language: OutputLanguage, namesCountry: boolean): Buffer {
    const cached = this.cache.get(change, reference)
    if (cached?.language === language && cached.namesCountry === namesCountry) return cached.bytes
    const json = encodeChange(change, reference, language)
    const bytes = encodeUnpooled(
      namesCountry ? `,${json.slice(0, -1)},"country":"${change.list.country}"}` : `,${json}`,
    )
    this.cache.set(change, { language, namesCountry, bytes }, reference)
    return bytes
  }
}

/** A rendered change with the members that were chosen, and those that were included. */
export function shapeChange(
  rendered: Buffer,
  country: string,
  shape: ShowShape,
  fields: FieldTree | undefined,
): Buffer {
  const change = JSON.parse(rendered.toString('utf8', 1)) as PrintedOption
  if (shape.includes.has('tmdbProviderIds')) addProviderIds(change, country)
  const chosen = fields === undefined ? change : chooseFields(change, fields, shape.extraMembers)
  return Buffer.from(`,${JSON.stringify(chosen)}`)
}

function encodeChange(stored: StoredChange, reference: ReferenceRenderer, language: OutputLanguage): string {
  const { changeType, itemType, showId, showType, season, episode, service, country, offerType, addon, ...rest } =
    stored.change
  const head = JSON.stringify({ changeType, itemType, showId, showType, season, episode }).slice(0, -1)
  const tail = JSON.stringify({ timestamp: rest.timestamp, link: rest.link }).slice(1)
  const addonPart = addon === undefined ? '' : `,"addon":${reference.addonJson(addon, service, country, language)}`
  const serviceJson = reference.serviceJson(service, country, language)
  return `${head},"service":${serviceJson},"streamingOptionType":"${offerType}"${addonPart}${tail === '}' ? '' : ','}${tail}`
}
