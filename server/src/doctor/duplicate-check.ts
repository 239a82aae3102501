import type { Catalog } from '../catalog/catalog.ts'
import type { PrintedFacts } from '../catalog/documents/document-store.ts'
import { fold } from '../catalog/index/analyzer.ts'
import { type DocSet, RoaringBitmap32 } from '../catalog/index/doc-set.ts'
import { isKeptApart } from '../model/identity.ts'
import { type Finding, FindingBuilder } from './finding.ts'
import { describeShow } from './offer-checks.ts'

/** Years of one title that differ by more are those of a remake. */
const MAX_YEARS_APART = 1

/** Of a title that very many shows have, only this many neighbours by year are compared with each show. */
const MAX_NEIGHBOURS = 32

/** A show whose title others have, too. */
interface Namesake extends PrintedFacts {
  readonly doc: number
}

/**
 * Finds pairs of shows that are probably one: a title in common in any language, the same type, years that fit, no ids
 * that differ, not two casts without anyone in common, and no decision of the operator. It reads the posting lists of whole titles, so its memory is
 * that of one bitmap.
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
      .map((doc): Namesake => ({ doc, ...this.catalog.documents.printedFacts(doc) }))
      .sort((a, b) => (a.year ?? 0) - (b.year ?? 0) || a.doc - b.doc)
    for (const [i, one] of namesakes.entries()) {
      for (const other of namesakes.slice(i + 1, i + 1 + MAX_NEIGHBOURS)) {
        const later = Math.max(one.doc, other.doc)
        if (this.counted.has(later) || !isLikelySame(one, other) || this.areKeptApart(one, other)) continue
        this.counted.add(later)
        this.finding.add(() => this.buildExample(one, other))
      }
    }
  }

  /** Whether an operator has decided that the two are not one. */
  private areKeptApart({ doc: one }: Namesake, { doc: other }: Namesake): boolean {
    const [a, b] = [one, other].map((doc) => this.catalog.documents.identity(doc))
    return a !== undefined && b !== undefined && isKeptApart(a, b)
  }

  build(): Finding {
    return this.finding.build()
  }

  private buildExample(one: Namesake, other: Namesake) {
    const [first, second] = one.doc < other.doc ? [one, other] : [other, one]
    const ids = ({ id, imdbId, tmdbId }: Namesake) => [id, imdbId, tmdbId].filter((text) => text !== '').join(' ')
    return {
      subject: describeShow(this.catalog, first.doc),
      details: [`show ${ids(first)}`, `show ${ids(second)}`],
      command: `marquee identities join ${first.id} ${second.id}`,
    }
  }
}

function isLikelySame(one: Namesake, other: Namesake): boolean {
  const areYearsNear =
    one.year === undefined || other.year === undefined || Math.abs(one.year - other.year) <= MAX_YEARS_APART
  const differ = (a: string, b: string) => a !== '' && b !== '' && a !== b
  return (
    one.showType === other.showType &&
    areYearsNear &&
    !differ(one.imdbId, other.imdbId) &&
    !differ(one.tmdbId, other.tmdbId) &&
    !haveOtherPeople(one, other)
  )
}

/** Whether both shows name people, and nobody is in both. */
function haveOtherPeople(one: Namesake, other: Namesake): boolean {
  if (one.people.length < 2 || other.people.length < 2) return false
  const names = new Set(one.people.map(fold))
  return !other.people.some((name) => names.has(fold(name)))
}
