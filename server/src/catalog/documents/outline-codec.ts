import type { Offer } from '../../model/offer.ts'
import type { Episode, Season } from '../../model/show.ts'
import { ByteReader, type ByteWriter } from '../storage/byte-stream.ts'
import type { Dictionary } from '../storage/dictionary.ts'
import { OfferReader, type OfferWriter } from './offers-codec.ts'

/*
 * The outline of a series holds the printed JSON of each season and episode up to `"streamingOptions":`. Their offers are
 * in a record of their own, in the order of the outline: a list for each season, followed by one for each of its
 * episodes. Trailing empty lists are omitted.
 */

export function encodeOutline(out: ByteWriter, seasons: readonly Season[]): void {
  out.varint(seasons.length)
  for (const { title, firstAirYear, lastAirYear, episodes } of seasons) {
    out.sizedText(openFragment({ itemType: 'season', title, firstAirYear, lastAirYear }))
    out.varint(episodes === undefined ? 0 : episodes.length + 1)
    for (const { title, overview, airYear } of episodes ?? []) {
      out.sizedText(openFragment({ itemType: 'episode', title, overview, airYear }))
    }
  }
}

function openFragment(fields: object): string {
  return `${JSON.stringify(fields).slice(0, -1)},"streamingOptions":`
}

function parseFragment(fragment: string): Record<string, unknown> {
  return JSON.parse(`${fragment}{}}`) as Record<string, unknown>
}

/** Encodes the offers of all seasons and episodes, country by country. */
export function encodeSeasonOffers(out: OfferWriter, seasons: readonly Season[]): void {
  const countries = new Set<string>()
  for (const { offers, episodes = NONE } of seasons) {
    for (const country in offers) countries.add(country)
    for (const episode of episodes) for (const country in episode.offers) countries.add(country)
  }
  for (const country of [...countries].sort()) {
    out.beginCountry(country)
    for (const { offers, episodes = NONE } of seasons) {
      out.writeList(offers[country] ?? NONE)
      for (const episode of episodes) out.writeList(episode.offers[country] ?? NONE)
    }
    out.endCountry()
  }
}

const NONE: readonly never[] = []

/** The count of episodes of each season, without decoding them. */
export function decodeEpisodeCounts(outline: Buffer): number[] {
  const input = new ByteReader(outline)
  return Array.from({ length: input.varint() }, () => {
    input.skip(input.varint())
    const episodes = Math.max(0, input.varint() - 1)
    for (let left = episodes; left > 0; left--) input.skip(input.varint())
    return episodes
  })
}

/** The seasons of a series as model objects, from its outline and its offers by country. */
export function decodeSeasons(
  outline: Buffer,
  offersByCountry: readonly [country: string, part: Buffer][],
  dictionary: Dictionary,
): Season[] {
  const input = new ByteReader(outline)
  const readers = offersByCountry.map(([country, part]) => [country, new OfferReader(dictionary, part)] as const)
  const nextOffers = () => {
    const offers: Record<string, Offer[]> = {}
    for (const [country, reader] of readers) {
      const list = reader.readList()
      if (list.length > 0) offers[country] = list
    }
    return offers
  }
  return Array.from({ length: input.varint() }, () => {
    const { title, firstAirYear, lastAirYear } = parseFragment(input.sizedText()) as unknown as Season
    const offers = nextOffers()
    const episodeCount = input.varint()
    const season = { title, firstAirYear, lastAirYear, offers }
    if (episodeCount === 0) return season
    const episodes = Array.from({ length: episodeCount - 1 }, (): Episode => {
      const { title, overview, airYear } = parseFragment(input.sizedText()) as unknown as Episode
      return { title, ...(overview !== undefined && { overview }), airYear, offers: nextOffers() }
    })
    return { ...season, episodes }
  })
}
