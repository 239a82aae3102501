import type { Catalog } from '../catalog/catalog.ts'
import { findTmdbProviderIds } from '../model/service.ts'
import type { FieldTree, ShowShape } from '../query/queries.ts'
import { findBestOffer, type PrintedOption } from './best-offer.ts'
import type { HistoryRenderer } from './history-renderer.ts'
import type { ShowPrinter } from './printer/show-printer.ts'
import { ProvenanceReader } from './provenance.ts'
import type { RenderOptions } from './render-options.ts'
import { chooseFields, type JsonObject, toOptionFields } from './shape-object.ts'

/** Options of an item by country, as they are printed. */
type PrintedOptions = Record<string, (PrintedOption & JsonObject)[]>

/** A show, a season or an episode as it is printed. */
interface PrintedItem extends JsonObject {
  readonly streamingOptions: PrintedOptions
}

/** What shows are shaped from: the catalog, or a snapshot of its documents. */
export type ShapedDocuments = Pick<Catalog, 'documents' | 'dictionary' | 'source'>

/**
 * Renders shows of a shape: what the printer prints is parsed, gets the included members, and loses those that
 * were not chosen. That costs several times as much as a plain show, and nothing where no shape is asked for.
 */
export class ShapedShowRenderer {
  private readonly catalog: ShapedDocuments
  private readonly history: HistoryRenderer

  constructor(catalog: ShapedDocuments, history: HistoryRenderer) {
    this.catalog = catalog
    this.history = history
  }

  /**
   * A show as JSON, in pieces of about one season, episode or place of its history; returns the instant until which it is
   * valid. The printer must not be used for anything else meanwhile; what it prints is behind what its output has.
   */
  *render(printer: ShowPrinter, doc: number, options: RenderOptions, shape: ShowShape): Generator<string, number> {
    const { includes, fields, extraMembers } = shape
    const parts = withoutUnusedParts(options, shape)
    const start = printer.size
    printer.setOptions(parts)
    const isWhole = printer.beginShow(doc)
    if (isWhole === undefined) throw new RangeError(`The records of document ${doc} are larger than the cache`)
    if (parts.isOptionsOnly === true) {
      // What has the chosen members already is not parsed.
      yield printer.view(start).toString()
      return printer.validUntil
    }
    const show = parseItem(printer, start, isWhole ? '' : ']}')
    const provenance = includes.has('provenance') ? new ShowProvenance(this.catalog, doc) : undefined
    provenance?.addToShow(show)
    this.addMembers(show, doc, options, shape)
    const chosen = fields === undefined ? show : (chooseFields(show, fields, extraMembers) as JsonObject)
    if (isWhole && chosen.history === undefined) {
      yield JSON.stringify(chosen)
      return printer.validUntil
    }
    // The history is the last member of a show, and has pieces of its own.
    const { history, ...members } = chosen
    const { before, after } = cutAtList(members, 'seasons')
    yield before
    if (!isWhole && members.seasons !== undefined) yield* this.renderSeasons(printer, start, shape, provenance)
    yield history === undefined ? after : after.slice(0, -1)
    const { validUntil } = printer
    if (history === undefined) return validUntil
    yield Object.keys(members).length === 0 ? '"history":' : ',"history":'
    yield* this.history.byCountry(doc, options.countries, options, shape)
    yield '}'
    return Math.min(validUntil, this.history.validUntil(options.now))
  }

  /** The seasons of a show and their episodes, without the brackets of the list. */
  private *renderSeasons(
    printer: ShowPrinter,
    start: number,
    { includes, fields, extraMembers }: ShowShape,
    provenance: ShowProvenance | undefined,
  ): Generator<string, void> {
    const seasonFields = fields?.members?.get('seasons')
    const episodeFields = seasonFields?.members?.get('episodes')
    const choose = (item: JsonObject, tree: FieldTree | undefined) =>
      tree === undefined ? item : (chooseFields(item, tree, extraMembers) as JsonObject)
    const hasNumbers = includes.has('numbers')
    let season = 0
    let episode = 0
    /** What ends the season that was begun; undefined if its episodes were not chosen. */
    let endOfSeason: string | undefined = ''
    for (let part = printer.nextPart(); part !== 'end'; part = printer.nextPart()) {
      if (part === 'endOfEpisodes') {
        printer.endEpisodes()
        yield endOfSeason ?? ''
        continue
      }
      printer.truncate(start)
      printer.printItem()
      const item = parseItem(printer, start, '}')
      if (includes.has('tmdbProviderIds')) addOptionProviderIds(item.streamingOptions)
      if (part === 'episode') {
        provenance?.addToEpisode(item)
        episode++
        // Members are numbered by their place, as changes name them.
        if (hasNumbers) item.number = episode
        if (endOfSeason !== undefined) yield (episode > 1 ? ',' : '') + JSON.stringify(choose(item, episodeFields))
        continue
      }
      const hasEpisodes = printer.hasEpisodes()
      provenance?.addToSeason(item, hasEpisodes)
      season++
      episode = 0
      const whole = { ...item, ...(hasEpisodes && { episodes: [] }), ...(hasNumbers && { number: season }) }
      const chosen = choose(whole, seasonFields)
      const { before, after } = cutAtList(chosen, 'episodes')
      endOfSeason = chosen.episodes === undefined ? undefined : after
      yield (season > 1 ? ',' : '') + before + (endOfSeason !== undefined ? '' : after)
    }
  }

  private addMembers(show: PrintedItem, doc: number, options: RenderOptions, shape: ShowShape): void {
    const { countries } = options
    const { includes, services } = shape
    if (includes.has('tmdbProviderIds')) addOptionProviderIds(show.streamingOptions)
    if (includes.has('aliases') || includes.has('originalLanguage') || includes.has('popularity')) {
      const { aliases = [], originalLanguage, popularity = {} } = this.catalog.documents.facts(doc) ?? {}
      if (includes.has('aliases')) show.aliases = aliases
      if (includes.has('originalLanguage') && originalLanguage !== undefined) show.originalLanguage = originalLanguage
      if (includes.has('popularity')) {
        const entries = Object.entries(popularity).filter(([country]) => countries?.includes(country) !== false)
        show.popularity = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
      }
    }
    if (includes.has('bestOffer')) {
      const best = Object.entries(show.streamingOptions).flatMap(([country, options]) => {
        const offer = findBestOffer(options, services)
        return offer === undefined ? [] : [[country, offer]]
      })
      show.bestOffer = Object.fromEntries(best)
    }
    if (includes.has('history')) show.history = {}
  }
}

/** Adds provenance to the options of a show, then to those of its seasons and episodes in their order. */
class ShowProvenance {
  private readonly catalog: ShapedDocuments
  private readonly doc: number
  private seasons: { readonly reader: ProvenanceReader; readonly episodeCounts: readonly number[] } | undefined
  private season = -1

  constructor(catalog: ShapedDocuments, doc: number) {
    this.catalog = catalog
    this.doc = doc
  }

  addToShow(show: PrintedItem): void {
    addProvenance(show, new ProvenanceReader(this.catalog, 'offers', this.doc))
  }

  addToSeason(season: PrintedItem, hasEpisodes: boolean): void {
    const { reader, episodeCounts } = this.readSeasons()
    this.season++
    addProvenance(season, reader)
    if (hasEpisodes) return
    // Where no episodes are printed, their offers are passed over.
    for (let left = episodeCounts[this.season] ?? 0; left > 0; left--) reader.next()
  }

  addToEpisode(episode: PrintedItem): void {
    addProvenance(episode, this.readSeasons().reader)
  }

  private readSeasons() {
    this.seasons ??= {
      reader: new ProvenanceReader(this.catalog, 'seasonOffers', this.doc),
      episodeCounts: this.catalog.documents.episodeCounts(this.doc),
    }
    return this.seasons
  }
}

function addProvenance({ streamingOptions }: PrintedItem, reader: ProvenanceReader): void {
  const provenance = reader.next()
  for (const [country, options] of Object.entries(streamingOptions)) {
    options.forEach((option, i) => {
      ;(option as JsonObject).provenance = provenance.get(country)?.[i] ?? []
    })
  }
}

/** Parses what was printed from a position on, with the end that it lacks. */
function parseItem(printer: ShowPrinter, start: number, end: string): PrintedItem {
  return JSON.parse(printer.view(start).toString() + end) as PrintedItem
}

/** The JSON of an object, cut inside a list that is empty; without it, before its last brace. */
function cutAtList(object: JsonObject, name: string): { readonly before: string; readonly after: string } {
  const members = Object.entries(object)
  const index = members.findIndex(([key]) => key === name)
  const print = (part: typeof members) => JSON.stringify(Object.fromEntries(part))
  if (index < 0) return { before: print(members).slice(0, -1), after: '}' }
  const before = print(members.slice(0, index + 1)).slice(0, -2)
  const after = print(members.slice(index + 1)).slice(1)
  return { before, after: after === '}' ? ']}' : `],${after}` }
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

function addOptionProviderIds(streamingOptions: PrintedOptions): void {
  for (const [country, options] of Object.entries(streamingOptions)) {
    for (const option of options) addProviderIds(option, country)
  }
}

/** Adds the ids at TMDB to the service of an option or a change. */
export function addProviderIds({ service }: Pick<PrintedOption, 'service'>, country: string): void {
  Object.assign(service, { tmdbProviderIds: findTmdbProviderIds(service.id, country) })
}
