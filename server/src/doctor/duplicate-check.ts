import type { Catalog } from '../catalog/catalog.ts'
import { type DocSet, RoaringBitmap32 } from '../catalog/index/doc-set.ts'
import { isLikelyDuplicate } from '../ingest/identity/find-match.ts'
import type { Show } from '../model/show.ts'
import { type Finding, FindingBuilder } from './finding.ts'
import { describeShow } from './offer-checks.ts'

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
