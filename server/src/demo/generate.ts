import { STANDARD_GENRES } from '../model/genre.ts'
import { DEMO_SOURCE, type DemoOptions } from './demo-options.ts'
import type { FeedHeader, FeedRecord, ShowRecord } from './feed-record.ts'
import { ShowGenerator } from './generated-show.ts'
import { demoMarkets, type Market } from './markets.ts'
import { RealShowMaker } from './real-show.ts'
import { serviceRecords } from './service-records.ts'
import { TopLists } from './top-lists.ts'

export type { DemoOptions } from './demo-options.ts'
export type { FeedRecord } from './feed-record.ts'

const NOTE = 'A demo catalog. Facts about well-known titles are real; other titles and all availability are invented.'

/** The demo catalog as a native feed, one record at a time: reference data, then shows, then top lists. */
export function* demoFeed(options: DemoOptions): Generator<FeedRecord> {
  const catalog = new DemoCatalog(options)
  const topLists = new TopLists(catalog.markets)
  yield demoHeader('snapshot')
  yield* catalog.referenceRecords()
  for (let i = 0; i < options.shows; i++) {
    const show = catalog.show(i)
    topLists.consider(show)
    yield show
  }
  yield* topLists.records()
}

/** The first record of a feed of the demo. */
export function demoHeader(mode: FeedHeader['mode']): FeedHeader {
  return { kind: 'feed', source: DEMO_SOURCE, mode, note: NOTE }
}

/** The shows of a demo by position, and the reference data they need. */
export class DemoCatalog {
  readonly markets: readonly Market[]
  private readonly real: RealShowMaker
  private readonly generated: ShowGenerator
  private readonly options: DemoOptions

  constructor(options: DemoOptions) {
    this.options = options
    this.markets = demoMarkets(options.countries, options.baseUrl)
    this.real = new RealShowMaker(options, this.markets)
    this.generated = new ShowGenerator(options, this.markets)
  }

  /** The show at a position, counted from 0: well-known titles first. */
  show(index: number): ShowRecord {
    return index < RealShowMaker.count ? this.real.show(index) : this.generated.show(index - RealShowMaker.count)
  }

  /** Genres, services and countries. */
  *buildReferenceRecords(): Generator<FeedRecord> {
    for (const { id, names } of STANDARD_GENRES) yield { kind: 'genre', id, name: names.en ?? id, names }
    yield* serviceRecords(this.markets, this.options.baseUrl)
    for (const { country } of this.markets) {
      yield { kind: 'country', countryCode: country.code, services: country.services }
    }
  }
}
