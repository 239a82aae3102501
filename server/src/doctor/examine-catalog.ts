import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Catalog } from '../catalog/catalog.ts'
import { term } from '../catalog/index/terms.ts'
import type { ScheduleStatus } from '../connectors/schedule/schedule-status.ts'
import { MendingCommands } from './commands.ts'
import { DuplicateCheck } from './duplicate-check.ts'
import { checkFiles } from './file-check.ts'
import type { DoctorReport } from './finding.ts'
import { OfferChecks } from './offer-checks.ts'
import { checkGenres, checkServices } from './reference-checks.ts'
import { checkSources } from './source-check.ts'

/** Shows that are checked in one turn of the event loop, and so in one read transaction. */
const SHOWS_PER_TURN = 500

/** Terms that are read in one turn. */
const TERMS_PER_TURN = 5_000

/** The share of the work that the shows are; the rest is for titles. */
const SHOWS_SHARE = 0.85

/** What is examined beside the catalog. */
export interface ExamineOptions {
  readonly schedule: ScheduleStatus
  /** The folder whose permissions are checked. */
  readonly dataDir?: string
  readonly now: number
  /** Called with what is counted, how many are done, and the fraction of all work, 0 to 1. */
  readonly onProgress?: (label: 'shows checked' | 'titles compared', done: number, fraction: number) => void
}

/**
 * Checks the whole catalog for what its operator should mend. It reads show by show and title by title, so its memory
 * does not grow with the catalog, and pauses in between, so that an old version is not kept alive for a running import.
 */
export async function examineCatalog(
  catalog: Catalog,
  { schedule, dataDir, now, onProgress = () => {} }: ExamineOptions,
): Promise<DoctorReport> {
  const version = catalog.version()
  const commands = new MendingCommands(schedule, Object.keys(catalog.reference().countries).sort())
  const offers = new OfferChecks(catalog, commands)
  const total = catalog.nextDoc()
  let shows = 0
  for (let doc = 0; doc < total; doc++) {
    if (doc % SHOWS_PER_TURN === 0) {
      onProgress('shows checked', doc, (doc / total) * SHOWS_SHARE)
      await nextTurn()
    }
    const facts = catalog.facts(doc)
    if (facts === undefined || facts.deleted || facts.mergedInto !== undefined) continue
    shows++
    offers.check(doc, facts)
  }
  const duplicates = await checkTitles(catalog, (done, position) =>
    onProgress('titles compared', done, SHOWS_SHARE + position * (1 - SHOWS_SHARE)),
  )
  return {
    at: now,
    version,
    shows,
    findings: [
      ...offers.findings(),
      duplicates.build(),
      checkServices(catalog, commands),
      checkGenres(catalog, commands),
      checkSources(catalog, schedule, commands, now),
      checkFiles(dataDir),
    ],
  }
}

/** Compares the shows of every title that several have. Titles come in alphabetical order. */
async function checkTitles(
  catalog: Catalog,
  onPage: (done: number, position: number) => void,
): Promise<DuplicateCheck> {
  const duplicates = new DuplicateCheck(catalog)
  const prefix = term.titleEqual('')
  let after: string | undefined
  let done = 0
  do {
    onPage(done, alphabetPosition(after?.slice(prefix.length) ?? ''))
    await nextTurn()
    const page = catalog.postings.sharedTerms(prefix, after, TERMS_PER_TURN)
    for (const docs of page.lists) duplicates.checkTitle(docs)
    done += TERMS_PER_TURN
    after = page.last
  } while (after !== undefined)
  return duplicates
}

/** About which share of all titles come before a text, by its first letter. */
function alphabetPosition(text: string): number {
  const letter = (text.toLowerCase().charCodeAt(0) || 0) - 'a'.charCodeAt(0)
  return Math.min(Math.max(letter / 26, 0), 1)
}
