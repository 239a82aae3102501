import type { Catalog } from '../catalog/catalog.ts'
import type { ByteWriter } from '../catalog/storage/byte-stream.ts'
import { findTmdbProviderIds } from '../model/tmdb-providers.ts'
import type { ShowShape } from '../query/show-shape.ts'
import { findBestOffer, type PrintedOption } from './best-offer.ts'
import type { HistoryRenderer } from './history-renderer.ts'
import { ProvenanceReader } from './option-provenance.ts'
import { chooseFields, type JsonObject, toOptionFields } from './shape-object.ts'
import type { RenderOptions, ShowRenderer } from './show-renderer.ts'

/** Options of an item by country, as they are printed. */
type PrintedOptions = Record<string, (PrintedOption & JsonObject)[]>

/** A show, a season or an episode as it is printed. */
interface PrintedItem extends JsonObject {
  readonly streamingOptions: PrintedOptions
  readonly seasons?: readonly PrintedItem[]
  readonly episodes?: readonly PrintedItem[]
}

/**
 * Renders shows of a shape: what the plain renderer prints is parsed, gets the included members, and loses those that
 * were not chosen. That costs several times as much as a plain show, and nothing where no shape is asked for.
 */
export class ShapedShowRenderer {
  private readonly catalog: Catalog
  private readonly renderer: ShowRenderer
  private readonly history: HistoryRenderer

  constructor(catalog: Catalog, renderer: ShowRenderer, history: HistoryRenderer) {
    this.catalog = catalog
    this.renderer = renderer
    this.history = history
  }

  /** A show as JSON, and the instant until which it is valid. */
  render(
    out: ByteWriter,
    doc: number,
    options: RenderOptions,
    shape: ShowShape,
  ): { readonly json: string; readonly validUntil: number } {
    const parts = withoutUnusedParts(options, shape)
    const { start, ...plain } = this.renderer.write(out, doc, parts, '')
    // What has the chosen members already is not parsed.
    if (parts.isOptionsOnly === true) return { json: out.view(start).toString(), validUntil: plain.validUntil }
    const hasHistory = shape.includes.has('history')
    const validUntil = hasHistory ? Math.min(plain.validUntil, this.history.validUntil(options.now)) : plain.validUntil
    const show = JSON.parse(out.view(start).toString()) as PrintedItem
    this.addMembers(show, doc, options, shape)
    const { fields, extraMembers } = shape
    return { json: JSON.stringify(fields === undefined ? show : chooseFields(show, fields, extraMembers)), validUntil }
  }

  private addMembers(show: PrintedItem, doc: number, options: RenderOptions, shape: ShowShape): void {
    const { countries } = options
    const { includes, services } = shape
    if (includes.has('numbers')) addNumbers(show)
    if (includes.has('provenance')) this.addProvenance(show, doc)
    if (includes.has('tmdbProviderIds')) for (const item of listItems(show)) addOptionProviderIds(item.streamingOptions)
    const added: JsonObject = show
    if (includes.has('aliases') || includes.has('originalLanguage') || includes.has('popularity')) {
      const { aliases = [], originalLanguage, popularity = {} } = this.catalog.facts(doc) ?? {}
      if (includes.has('aliases')) added.aliases = aliases
      if (includes.has('originalLanguage') && originalLanguage !== undefined) added.originalLanguage = originalLanguage
      if (includes.has('popularity')) {
        const entries = Object.entries(popularity).filter(([country]) => countries?.includes(country) !== false)
        added.popularity = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
      }
    }
    if (includes.has('bestOffer')) {
      const best = Object.entries(show.streamingOptions).flatMap(([country, options]) => {
        const offer = findBestOffer(options, services)
        return offer === undefined ? [] : [[country, offer]]
      })
      added.bestOffer = Object.fromEntries(best)
    }
    if (includes.has('history')) added.history = this.history.byCountry(doc, countries, options)
  }

  private addProvenance(show: PrintedItem, doc: number): void {
    const add = (item: PrintedItem, reader: ProvenanceReader) => {
      const provenance = reader.next()
      for (const [country, options] of Object.entries(item.streamingOptions)) {
        options.forEach((option, i) => {
          ;(option as JsonObject).provenance = provenance.get(country)?.[i] ?? []
        })
      }
    }
    add(show, new ProvenanceReader(this.catalog, 'offers', doc))
    if (show.seasons === undefined) return
    const reader = new ProvenanceReader(this.catalog, 'seasonOffers', doc)
    // Where no episodes are printed, their offers are passed over.
    const episodeCounts = this.catalog.documents.episodeCounts(doc)
    show.seasons.forEach((season, s) => {
      add(season, reader)
      for (let e = 0; e < (episodeCounts[s] ?? 0); e++) {
        const episode = season.episodes?.[e]
        if (episode === undefined) reader.next()
        else add(episode, reader)
      }
    })
  }
}

/** The options without what no field and no included member needs: seasons, all offers, or members of offers. */
function withoutUnusedParts(options: RenderOptions, { fields, includes }: ShowShape): RenderOptions {
  const members = fields?.members
  if (members === undefined) return options
  const hasSeasons = members.has('seasons')
  const hasOffers = hasSeasons || members.has('streamingOptions') || includes.has('bestOffer')
  const chosen = hasSeasons || includes.size > 0 ? undefined : members.get('streamingOptions')?.members
  return {
    ...options,
    ...(!hasSeasons && { granularity: 'show' as const }),
    ...(!hasOffers && { countries: [] }),
    ...(chosen !== undefined && { optionFields: toOptionFields(chosen), isOptionsOnly: members.size === 1 }),
  }
}

function* listItems(show: PrintedItem): Iterable<PrintedItem> {
  yield show
  for (const season of show.seasons ?? []) {
    yield season
    yield* season.episodes ?? []
  }
}

/** Seasons and episodes are numbered by their place, as changes name them. */
function addNumbers({ seasons = [] }: PrintedItem): void {
  seasons.forEach((season, s) => {
    ;(season as JsonObject).number = s + 1
    season.episodes?.forEach((episode, e) => {
      ;(episode as JsonObject).number = e + 1
    })
  })
}

function addOptionProviderIds(streamingOptions: PrintedOptions): void {
  for (const [country, options] of Object.entries(streamingOptions)) {
    for (const option of options) addProviderIds(option, country)
  }
}

/** Adds the ids at TMDB to the service of an option or a change. */
export function addProviderIds({ service }: Pick<PrintedOption, 'service'>, country: string): void {
  Object.assign(service, { tmdbProviderIds: findTmdbProviderIds(service.id, country) })
}
