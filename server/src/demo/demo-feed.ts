import { STANDARD_GENRES } from '../model/genre.ts'
import { DEMO_SOURCE, type DemoOptions, type FeedHeader, type FeedRecord, type ShowRecord } from './feed-records.ts'
import { createMarkets, createServiceRecords, type Market } from './market/markets.ts'
import { ShowGenerator } from './shows/generated-show.ts'
import { TopLists } from './shows/popularity.ts'
import { RealShowGenerator } from './shows/real-show.ts'

const FEED_NOTE =
  'A demo catalog. Facts about well-known titles are real; other titles and all availability are invented.'

/** Generates the demo catalog as a native feed: reference data, then shows, then top lists. */
export function* demoFeed(options: DemoOptions): Generator<FeedRecord> {
  const catalog = new DemoCatalog(options)
  const topLists = new TopLists(catalog.markets)
  yield createFeedHeader('snapshot')
  yield* catalog.buildReferenceRecords()
  for (let i = 0; i < options.shows; i++) {
    const show = catalog.show(i)
    topLists.add(show)
    yield show
  }
  yield* topLists.records()
}

/** Creates the header record of a demo feed. */
export function createFeedHeader(mode: FeedHeader['mode']): FeedHeader {
  return { kind: 'feed', source: DEMO_SOURCE, mode, note: FEED_NOTE }
}

/** Generates the shows of a demo by index, and the reference data that they refer to. */
export class DemoCatalog {
  readonly markets: readonly Market[]
  private readonly real: RealShowGenerator
  private readonly generated: ShowGenerator
  private readonly options: DemoOptions

  constructor(options: DemoOptions) {
    this.options = options
    this.markets = createMarkets(options.countries, options.baseUrl)
    this.real = new RealShowGenerator(options, this.markets)
    this.generated = new ShowGenerator(options, this.markets)
  }

  /** Generates the show at an index, counted from 0: real titles first, generated ones after them. */
  show(index: number): ShowRecord {
    return index < RealShowGenerator.count
      ? this.real.show(index)
      : this.generated.show(index - RealShowGenerator.count)
  }

  /** Generates the records of genres, services and countries. */
  *buildReferenceRecords(): Generator<FeedRecord> {
    for (const { id, names } of STANDARD_GENRES) yield { kind: 'genre', id, name: names.en ?? id, names }
    yield* createServiceRecords(this.markets, this.options.baseUrl)
    for (const { country } of this.markets) {
      yield { kind: 'country', countryCode: country.code, services: country.services }
    }
  }
}
