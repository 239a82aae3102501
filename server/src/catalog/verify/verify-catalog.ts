import type { Show } from '../../model/show.ts'
import type { Catalog } from '../catalog.ts'
import { decodeDocSet } from '../index/doc-set.ts'
import { Dictionary } from '../storage/dictionary.ts'
import { DOCS_PER_BLOCK, readBlockVersions } from '../storage/meta.ts'
import { type CatalogProblem, ProblemCollector } from './catalog-problems.ts'
import { BlockCheck, compareLists, compareTables } from './compare-tables.ts'
import { checkHistory, checkRecords, checkReferences, readDocuments } from './read-documents.ts'
import { buildIndexes } from './rebuild-catalog.ts'

/** The version that the indexes for comparison are written with. */
const SCRATCH_VERSION = 1

/** Called with what is being done, and how much of it is done. */
export type OnVerifyProgress = (label: string, done: number, total: number) => void

/** What a verification found. */
export interface VerifyReport {
  readonly version: number
  readonly documents: number
  readonly shows: number
  readonly offers: number
  readonly problems: readonly CatalogProblem[]
}

/**
 * Verifies a catalog against itself: builds all indexes anew from the documents, in an empty catalog beside it, and
 * compares them table by table. Synchronous, so that all reads see one version of the catalog.
 */
export function verifyCatalog(catalog: Catalog, scratch: Catalog, onProgress?: OnVerifyProgress): VerifyReport {
  return new Verification(catalog, scratch, onProgress).run()
}

class Verification {
  private readonly catalog: Catalog
  private readonly scratch: Catalog
  private readonly onProgress: OnVerifyProgress
  private readonly problems = new ProblemCollector()
  private readonly version: number
  /** The show id of each readable document; 0 for none. */
  private readonly showIds: Float64Array

  constructor(catalog: Catalog, scratch: Catalog, onProgress: OnVerifyProgress = () => {}) {
    this.catalog = catalog
    this.scratch = scratch
    this.onProgress = onProgress
    this.version = catalog.version()
    // A reverse cursor of lmdb does not find key 0.
    let last = catalog.environment.facts.doesExist(0) ? 0 : -1
    for (const doc of catalog.environment.facts.getKeys({ reverse: true, limit: 1 })) last = doc
    this.showIds = new Float64Array(last + 1)
  }

  run(): VerifyReport {
    const { catalog, problems } = this
    buildIndexes(this.scratch, this.readShows(), SCRATCH_VERSION, 'ids')
    const steps = [
      () => checkRecords(catalog, this.showIds, problems),
      () => this.compareIds(),
      () => this.comparePostings(),
      () => this.compareSpellings(),
      () => this.compareColumns(),
      () => this.compareWindows(),
      () => this.compareIdentities(),
      () => this.compareCounts(),
      () => this.checkChanges(),
      () => this.checkJournal(),
      () => this.checkDictionary(),
      () => this.checkTopLists(),
    ]
    steps.forEach((step, i) => {
      this.onProgress('tables compared', i, steps.length)
      step()
    })
    const { shows, offers } = this.scratch.counts()
    return { version: this.version, documents: this.showIds.length, shows, offers, problems: problems.list() }
  }

  private *readShows(): Iterable<readonly [doc: number, show: Show]> {
    const { catalog, problems, showIds } = this
    const onDocument = (done: number) => this.onProgress('documents read', done, showIds.length)
    for (const [doc, show] of readDocuments(catalog, problems, onDocument)) {
      showIds[doc] = Number(show.id)
      if (catalog.environment.checksums?.doesExist(doc) !== true) {
        problems.add('documents', 'missing', `the checksums of document ${doc}`)
      }
      problems.attempt('reference data', () => checkReferences(catalog, show, problems))
      checkHistory(show, problems)
      yield [doc, show]
    }
    for (let doc = 0; doc < catalog.nextDoc(); doc++) {
      if (!catalog.environment.facts.doesExist(doc)) problems.add('documents', 'missing', `document ${doc}`)
    }
  }

  private compareIds(): void {
    compareTables(
      {
        part: 'ids',
        expected: this.scratch.environment.ids,
        found: this.catalog.environment.ids,
        isSame: (expected, found) => expected === found,
        describe: describeTarget,
      },
      this.problems,
    )
  }

  private comparePostings(): void {
    compareTables(
      {
        part: 'postings',
        expected: this.scratch.environment.postings,
        found: this.catalog.environment.postings,
        isSame: isSamePostingList,
        describe: (term, expected, found) => {
          if (expected === undefined || found === undefined) return `term ${term}`
          return `term ${term} with ${countDocs(found)} documents, not ${countDocs(expected)}`
        },
      },
      this.problems,
    )
  }

  private compareSpellings(): void {
    compareTables(
      {
        part: 'spellings',
        expected: this.scratch.environment.spellings,
        found: this.catalog.environment.spellings,
        isSame: (expected, found) => expected === found,
        describe: (variant) => `delete variant ${variant}`,
      },
      this.problems,
    )
  }

  private compareColumns(): void {
    compareLists(
      {
        part: 'columns',
        expected: this.scratch.columns,
        found: this.catalog.columns,
        isSame: (expected, found) => expected.doc === found.doc,
        describe: (column, { value, id }) => `column ${column}, show ${id} at ${value}`,
      },
      { expected: SCRATCH_VERSION, found: this.version },
      this.problems,
    )
  }

  private compareWindows(): void {
    compareLists(
      {
        part: 'windows',
        expected: this.scratch.windows.store,
        found: this.catalog.windows.store,
        isSame: (expected, found) =>
          expected.doc === found.doc && expected.link === found.link && expected.showType === found.showType,
        describe: (list, { showId, timestamp, service }) =>
          `list ${list}, show ${showId} on ${service} at ${timestamp}`,
      },
      { expected: SCRATCH_VERSION, found: this.version },
      this.problems,
    )
  }

  private compareIdentities(): void {
    const { environment } = this.catalog
    const { recordKeys, titleKeys } = this.scratch.environment
    // A catalog that only readers have opened may have no index yet: the next import builds it.
    if (!this.catalog.hasIdentityIndex() || environment.recordKeys === undefined || recordKeys === undefined) return
    compareTables(
      {
        part: 'identities',
        expected: recordKeys,
        found: environment.recordKeys,
        isSame: (expected, found) => expected === found,
        describe: (key, expected, found) => describeTarget(`record ${key.replace('\n', ' ')}`, expected, found),
      },
      this.problems,
    )
    if (environment.titleKeys === undefined || titleKeys === undefined) return
    compareTables(
      {
        part: 'identities',
        expected: titleKeys,
        found: environment.titleKeys,
        isSame: (expected, found) => expected.equals(found),
        describe: (key) => `title key ${key}`,
      },
      this.problems,
    )
  }

  private compareCounts(): void {
    const { catalog, scratch, problems, showIds, version } = this
    problems.attempt('counts', () => {
      const [expected, found] = [scratch.counts(), catalog.counts()].map((counts) => JSON.stringify(counts))
      if (found !== expected) problems.add('counts', 'different', `${found} instead of ${expected}`)
      if (catalog.nextDoc() < showIds.length) {
        problems.add('counts', 'different', `the next document would be ${catalog.nextDoc()} of ${showIds.length}`)
      }
      if (catalog.highestId() < scratch.highestId()) {
        problems.add('counts', 'different', `the highest id is ${scratch.highestId()}, not ${catalog.highestId()}`)
      }
      const versions = readBlockVersions(catalog.meta)
      if (versions.length !== Math.ceil(showIds.length / DOCS_PER_BLOCK) || versions.some((one) => one > version)) {
        problems.add('counts', 'different', 'the versions of the blocks of documents')
      }
    })
  }

  /** Past changes are data. Their blocks must be whole, and each must name the document of its show. */
  private checkChanges(): void {
    const { catalog, problems, showIds, version } = this
    const check = new BlockCheck(catalog.changes.store, 'changes', problems)
    problems.attempt('changes', () => {
      for (const list of catalog.changes.store.names()) {
        for (const { doc, showId, timestamp } of check.entries(list, version)) {
          if (showIds[doc] === showId) continue
          problems.add('changes', 'different', `list ${list}, show ${showId} at ${timestamp} names document ${doc}`)
        }
      }
      check.checkUnused()
    })
  }

  private checkJournal(): void {
    const { catalog, problems, version } = this
    problems.attempt('journal', () => {
      for (const problem of catalog.journal.findProblems(version, catalog.contentHash(), catalog.nextDoc())) {
        problems.add('journal', 'different', problem)
      }
    })
  }

  /** The dictionary's texts are data; the way from text to number is derived from them. */
  private checkDictionary(): void {
    const { problems } = this
    const { dictionary, environment } = this.catalog
    const { dictionaryNumbers, dictionaryTexts } = environment
    let count = 0
    problems.attempt('documents', () => {
      for (const { key, value } of dictionaryTexts.getRange({})) {
        if (key !== count++) problems.add('documents', 'missing', `dictionary entry ${count - 1}`)
        problems.attempt('documents', () => void dictionary.text(key))
        if (dictionary.find(value) !== key)
          problems.add('dictionary', 'different', `entry ${key} is not found by its text`)
      }
    })
    problems.attempt('dictionary', () => {
      let names = 0
      for (const { key, value } of dictionaryNumbers.getRange({})) {
        if (key === Dictionary.COUNT_KEY) {
          if (value !== count) problems.add('dictionary', 'different', `its count is ${value}, not ${count}`)
        } else if (value >= count) problems.add('dictionary', 'unexpected', `${key.slice(1)} leads to entry ${value}`)
        if (key.startsWith(Dictionary.NAME_MARK)) names++
      }
      const total = (dictionaryNumbers.getStats() as { entryCount: number }).entryCount
      const expected = count + names + (count > 0 ? 1 : 0)
      if (total > expected) problems.add('dictionary', 'unexpected', `${total - expected} texts without an entry`)
    })
  }

  private checkTopLists(): void {
    const { catalog, problems } = this
    problems.attempt('top lists', () => {
      for (const { country, service, showType, shows } of catalog.topLists()) {
        for (const id of shows) {
          if (catalog.findDoc(id) !== undefined) continue
          problems.add(
            'top lists',
            'different',
            `${country}, ${service}, ${showType} names show ${id}, which is not there`,
          )
        }
      }
    })
    problems.attempt('top lists', () => void catalog.sources())
  }
}

function describeTarget(key: string, expected: number | undefined, found: number | undefined): string {
  if (expected === undefined) return key
  return found === undefined ? `${key} to document ${expected}` : `${key} to document ${found}, not ${expected}`
}

/** Whether two posting lists have the same documents. The catalog version in front may differ, as may the encoding. */
function isSamePostingList(expected: Buffer, found: Buffer): boolean {
  if (expected[0] === found[0] && expected.subarray(VERSION_END).equals(found.subarray(VERSION_END))) return true
  const docs = decodeDocSet(found).toUint32Array()
  const wanted = decodeDocSet(expected).toUint32Array()
  return docs.length === wanted.length && docs.every((doc, i) => doc === wanted[i])
}

/** Where the documents of an encoded posting list begin: after its type and version. */
const VERSION_END = 5

function countDocs(stored: Buffer): number | string {
  try {
    return decodeDocSet(stored).size
  } catch {
    return 'unreadable'
  }
}
