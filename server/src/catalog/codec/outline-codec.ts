import type { Offer } from '../../model/offer.ts'
import type { Episode, Season } from '../../model/show.ts'
import type { Dictionary } from '../dictionary.ts'
import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import { readOffer, StoredOffer, writeOffer } from './offers-codec.ts'

/*
 * The outline of a series is what answers print of its seasons and episodes up to `"streamingOptions":`, as ready
 * JSON text. Their offers lie apart, one record a country, in the order of the outline: for each season a count and
 * its offers, then the same for each of its episodes. Items at the end that have none are left out.
 */

export function writeOutline(out: ByteWriter, seasons: readonly Season[]): void {
  out.varint(seasons.length)
  for (const { title, firstAirYear, lastAirYear, episodes } of seasons) {
    out.sizedText(opened({ itemType: 'season', title, firstAirYear, lastAirYear }))
    out.varint(episodes === undefined ? 0 : episodes.length + 1)
    for (const { title, overview, airYear } of episodes ?? []) {
      out.sizedText(opened({ itemType: 'episode', title, overview, airYear }))
    }
  }
}

function opened(fields: object): string {
  return `${JSON.stringify(fields).slice(0, -1)},"streamingOptions":`
}

function closed(fragment: string): Record<string, unknown> {
  return JSON.parse(`${fragment}{}}`) as Record<string, unknown>
}

/** The offers of one country for all seasons and episodes, or undefined where there are none. */
export function encodeSeasonOffers(
  seasons: readonly Season[],
  country: string,
  dictionary: Dictionary,
): Buffer | undefined {
  const out = new ByteWriter(1024)
  let used = 0
  const writeList = (offers: readonly Offer[] | undefined) => {
    out.varint(offers?.length ?? 0)
    for (const offer of offers ?? []) writeOffer(out, offer, dictionary)
    if (offers !== undefined && offers.length > 0) used = out.position
  }
  for (const season of seasons) {
    writeList(season.offers[country])
    for (const episode of season.episodes ?? []) writeList(episode.offers[country])
  }
  if (used === 0) return undefined
  out.retract(out.position - used)
  return out.finish()
}

/** Reads a series' seasons back as the model knows them, given its outline and its offers by country. */
export function readSeasons(
  outline: Buffer,
  offersByCountry: ReadonlyMap<string, Buffer>,
  dictionary: Dictionary,
): Season[] {
  const input = new ByteReader(outline)
  const readers = [...offersByCountry].map(([country, buffer]) => [country, new ByteReader(buffer)] as const)
  const stored = new StoredOffer()
  const nextOffers = () => {
    const offers: Record<string, Offer[]> = {}
    for (const [country, reader] of readers) {
      const count = reader.done ? 0 : reader.varint()
      if (count > 0) offers[country] = Array.from({ length: count }, () => readOffer(reader, dictionary, stored))
    }
    return offers
  }
  return Array.from({ length: input.varint() }, () => {
    const { title, firstAirYear, lastAirYear } = closed(input.sizedText()) as unknown as Season
    const offers = nextOffers()
    const episodeCount = input.varint()
    const season = { title, firstAirYear, lastAirYear, offers }
    if (episodeCount === 0) return season
    const episodes = Array.from({ length: episodeCount - 1 }, (): Episode => {
      const { title, overview, airYear } = closed(input.sizedText()) as unknown as Episode
      return { title, ...(overview !== undefined && { overview }), airYear, offers: nextOffers() }
    })
    return { ...season, episodes }
  })
}
