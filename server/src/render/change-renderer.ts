import type { StoredChange } from '../catalog/changes/stored-change.ts'
import type { OutputLanguage } from '../model/language.ts'
import type { ReferenceRenderer } from './reference-renderer.ts'

interface RenderedChange {
  readonly reference: ReferenceRenderer
  readonly language: OutputLanguage
  readonly bytes: Buffer
}

/** RenderedChange changes, kept ready for as long as the stored ones are kept. */
export class ChangeRenderer {
  private readonly printed = new WeakMap<StoredChange, RenderedChange>()

  /** A printed change behind a comma. */
  render(change: StoredChange, reference: ReferenceRenderer, language: OutputLanguage): Buffer {
    const known = this.printed.get(change)
    if (known !== undefined && known.reference === reference && known.language === language) return known.bytes
    const bytes = Buffer.from(`,${encodeChange(change, reference, language)}`)
    this.printed.set(change, { reference, language, bytes })
    return bytes
  }
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
