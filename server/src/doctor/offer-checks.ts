import type { Catalog } from '../catalog/catalog.ts'
import type { Facts } from '../catalog/documents/facts-codec.ts'
import { type DocSet, RoaringBitmap32 } from '../catalog/index/doc-set.ts'
import { findServiceInCountry } from '../catalog/storage/reference.ts'
import { isLikelyDuplicate } from '../ingest/identity/find-match.ts'
import { formatPrice, isLive, type Offer, type OffersByCountry, offerGroupKey } from '../model/offer.ts'
import type { Show } from '../model/show.ts'
import { formatTime, SECONDS_PER_DAY, startOfDay } from '../model/time.ts'
import { type Finding, FindingBuilder, type MendingCommands } from './finding.ts'

/** Two ends that differ by less than this are the same: sources state days in different time zones. */
const SAME_DAY_SECONDS = 1.5 * SECONDS_PER_DAY

/** An address without a path and a query. */
const FRONT_PAGE = /^https?:\/\/[^/?#]*\/?$/i

/** The checks of one show after the other: no offers, offers without links, sources that disagree about an offer. */
export class OfferChecks {
  private readonly catalog: Catalog
  private readonly commands: MendingCommands
  private readonly withoutOffers = new FindingBuilder('shows_without_offers')
  private readonly withoutLinks = new FindingBuilder('offers_without_links')
  private readonly disagreements = new FindingBuilder('sources_disagree')

  constructor(catalog: Catalog, commands: MendingCommands) {
    this.catalog = catalog
    this.commands = commands
  }

  /** Checks a show that is not deleted. Offers of seasons and episodes are rolled up into those of the show. */
  check(doc: number, facts: Facts): void {
    const offers = this.catalog.documents.showOffers(doc)
    if (Object.keys(offers).length === 0) {
      this.withoutOffers.add(() => ({
        subject: this.describeShow(doc),
        details: [`show ${facts.id}`],
        command: this.commands.syncTmdb(),
      }))
      return
    }
    this.checkLinks(doc, facts, offers)
    for (const [country, list] of Object.entries(offers)) this.checkSources(doc, facts, country, list)
  }

  findings(): Finding[] {
    return [this.withoutOffers, this.withoutLinks, this.disagreements].map((builder) => builder.build())
  }

  private checkLinks(doc: number, { id }: Facts, offers: OffersByCountry): void {
    for (const [country, list] of Object.entries(offers)) {
      for (const offer of list) {
        if (!isLive(offer) || this.leadsToShow(country, offer)) continue
        this.withoutLinks.add(() => ({
          subject: this.describeShow(doc),
          details: [`show ${id}`, describePlace(country, offer), offer.source],
          command: this.commands.refresh(
            offer.source,
            ...(offer.source.startsWith('csv/') ? ["--link-template 'https://HOST/{COLUMN}'"] : []),
          ),
        }))
      }
    }
  }

  /** Whether a link leads further than the front page. An offer without a link of its own gets the home page. */
  private leadsToShow(country: string, { link, service }: Offer): boolean {
    if (link === '' || FRONT_PAGE.test(link)) return false
    return link !== findServiceInCountry(this.catalog.reference(), service, country)?.homePage
  }

  private checkSources(doc: number, { id }: Facts, country: string, list: readonly Offer[]): void {
    // Most shows have the offers of one source.
    if (list.every(({ source }) => source === list[0]?.source)) return
    const places = new Map<string, Offer[]>()
    for (const offer of list) {
      const key = offerGroupKey(offer)
      const place = places.get(key)
      if (place === undefined) places.set(key, [offer])
      else place.push(offer)
    }
    for (const offers of places.values()) {
      const disagreement = findDisagreement(offers)
      if (disagreement === undefined) continue
      this.disagreements.add(() => ({
        subject: this.describeShow(doc),
        details: [
          `show ${id}`,
          describePlace(country, offers[0] as Offer),
          ...disagreement.map(([source, says]) => `${source}: ${says}`),
        ],
        command: this.commands.refresh(this.oldestSource(disagreement.map(([source]) => source))),
      }))
    }
  }

  /** The source whose last import is the longest ago: most likely the one that is wrong. */
  private oldestSource(sources: readonly string[]): string {
    const importedAt = (source: string) => this.catalog.source(source)?.lastImport?.at ?? 0
    return [...sources].sort((a, b) => importedAt(a) - importedAt(b))[0] as string
  }

  private describeShow(doc: number): string {
    return describeShow(this.catalog, doc)
  }
}

/** A show as examples name it: its title, with the year. */
function describeShow(catalog: Catalog, doc: number): string {
  const { title, year } = catalog.documents.titleAndYear(doc)
  return year === undefined ? title : `${title} (${year})`
}

function describePlace(country: string, { service, type, addon }: Offer): string {
  return [country, service, type, ...(addon === undefined ? [] : [addon])].join(' ')
}

type Disagreement = readonly (readonly [source: string, says: string])[]

/** What two sources say differently about one place: whether it is live, its price, or its end. */
function findDisagreement(offers: readonly Offer[]): Disagreement | undefined {
  const bySource = new Map<string, Offer[]>()
  for (const offer of offers) bySource.set(offer.source, [...(bySource.get(offer.source) ?? []), offer])
  const sources = [...bySource]
  for (const [i, [source, own]] of sources.entries()) {
    for (const [other, others] of sources.slice(i + 1)) {
      const found = compareStart(own, others) ?? comparePrices(own, others) ?? compareEnds(own, others)
      if (found !== undefined) {
        return [
          [source, found[0]],
          [other, found[1]],
        ]
      }
    }
  }
  return undefined
}

type Compared = readonly [own: string, other: string] | undefined

function compareStart(own: readonly Offer[], others: readonly Offer[]): Compared {
  const says = (offers: readonly Offer[]) => (offers.some(isLive) ? 'live' : 'upcoming')
  return says(own) === says(others) ? undefined : [says(own), says(others)]
}

/** Prices are compared by quality, since a better one costs more. */
function comparePrices(own: readonly Offer[], others: readonly Offer[]): Compared {
  for (const { price, quality } of own) {
    if (price === undefined) continue
    const comparable = others.filter((offer) => offer.quality === quality && offer.price !== undefined)
    const [first] = comparable
    const isStated = (offer: Offer) =>
      Number(offer.price?.amount) === Number(price.amount) && offer.price?.currency === price.currency
    if (first?.price !== undefined && !comparable.some(isStated)) return [formatPrice(price), formatPrice(first.price)]
  }
  return undefined
}

/** The ends of the last offers, if both sources state one. */
function compareEnds(own: readonly Offer[], others: readonly Offer[]): Compared {
  const [end, otherEnd] = [lastEnd(own), lastEnd(others)]
  if (end === undefined || otherEnd === undefined || Math.abs(end - otherEnd) < SAME_DAY_SECONDS) return undefined
  return [`until ${formatTime(startOfDay(end))}`, `until ${formatTime(startOfDay(otherEnd))}`]
}

function lastEnd(offers: readonly Offer[]): number | undefined {
  const ends = offers.map(({ expiresOn }) => expiresOn)
  return ends.every((end) => end !== undefined) ? Math.max(...(ends as number[])) : undefined
}

/** Of a title that very many shows have, only this many neighbours by year are compared with each show. */
const MAX_NEIGHBOURS = 32

/** A show whose title others have, too. */
interface Namesake {
  readonly doc: number
  /** Without offers, seasons, overview and images. */
  readonly show: Show
}

/**
 * Finds pairs of shows that are probably one, by the evidence that imports join records by, though less of it is enough
 * here. It reads the posting lists of whole titles, so its memory is that of one bitmap.
 */
export class DuplicateCheck {
  private readonly catalog: Catalog
  private readonly finding = new FindingBuilder('likely_duplicates')
  /** Shows that were counted, so that two titles in common count once. */
  private readonly counted: DocSet = new RoaringBitmap32()

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  /** Compares the shows that have a title. */
  checkTitle(docs: Iterable<number>): void {
    const namesakes = [...docs]
      .flatMap((doc): Namesake[] => {
        const show = this.catalog.documents.identityOutline(doc)
        return show === undefined ? [] : [{ doc, show }]
      })
      .sort((a, b) => (a.show.year ?? 0) - (b.show.year ?? 0) || a.doc - b.doc)
    for (const [i, one] of namesakes.entries()) {
      for (const other of namesakes.slice(i + 1, i + 1 + MAX_NEIGHBOURS)) {
        const later = Math.max(one.doc, other.doc)
        if (this.counted.has(later) || !isLikelyDuplicate(one.show, other.show)) continue
        this.counted.add(later)
        this.finding.add(() => this.buildExample(one, other))
      }
    }
  }

  build(): Finding {
    return this.finding.build()
  }

  private buildExample(one: Namesake, other: Namesake) {
    const [first, second] = one.doc < other.doc ? [one, other] : [other, one]
    const ids = ({ show: { id, imdbId, tmdbId } }: Namesake) =>
      [id, imdbId, tmdbId].filter((text) => text !== '').join(' ')
    return {
      subject: describeShow(this.catalog, first.doc),
      details: [`show ${ids(first)}`, `show ${ids(second)}`],
      command: `marquee identities join ${first.show.id} ${second.show.id}`,
    }
  }
}
