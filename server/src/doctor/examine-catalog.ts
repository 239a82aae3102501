import { lstatSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Catalog } from '../catalog/catalog.ts'
import { fold } from '../catalog/index/analyzer.ts'
import { RoaringBitmap32 } from '../catalog/index/doc-set.ts'
import { term } from '../catalog/index/terms.ts'
import type { ScheduleStatus } from '../connectors/schedule/schedule-status.ts'
import { ownEntry } from '../lib/objects.ts'
import { STANDARD_GENRES } from '../model/genre.ts'
import type { Service } from '../model/service.ts'
import { formatTime, SECONDS_PER_DAY, startOfDay } from '../model/time.ts'
import {
  countNoun,
  type DoctorReport,
  type Example,
  type Finding,
  FindingBuilder,
  MendingCommands,
  quoteForShell,
} from './finding.ts'
import { DuplicateCheck, OfferChecks } from './offer-checks.ts'

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

/** Words of a service's name that distinguish its tiers, not services. */
const TIER_WORDS = /\b(basic|standard|premium|with ads|ad ?free|kids|free)\b/g

/** Services of one name, or of one name but for the tier, under two ids. */
function checkServices(catalog: Catalog, commands: MendingCommands): Finding {
  const finding = new FindingBuilder('services_with_two_ids')
  const groups = new Map<string, { id: string; name: string; shows: number }[]>()
  for (const service of Object.values(catalog.reference().services)) {
    const name = serviceName(service)
    const shows = countShows(catalog, service)
    if (shows === 0) continue
    const key = toNameKey(name)
    groups.set(key, [...(groups.get(key) ?? []), { id: service.id, name, shows }])
  }
  for (const services of groups.values()) {
    if (services.length < 2) continue
    // The one with the most shows is most likely the right one.
    const [kept, ...others] = services.sort((a, b) => b.shows - a.shows || (a.id < b.id ? -1 : 1))
    for (const other of others) {
      finding.add(() => ({
        subject: kept?.name ?? '',
        details: [kept, other].map((one) => `${one?.id}: ${countNoun(one?.shows ?? 0, 'show')}`),
        command: mendService(catalog, commands, other.id, kept?.id ?? ''),
      }))
    }
  }
  return finding.build()
}

/** The source of the surplus id states it again under the right one. */
function mendService(catalog: Catalog, commands: MendingCommands, wrongId: string, rightId: string): string {
  const source = findSource(catalog, wrongId)
  if (source === 'tmdb') return commands.syncTmdb('--providers PROVIDERS.json')
  if (source?.startsWith('csv/')) return commands.refresh(source, '--service', quoteForShell(rightId))
  return commands.importReplaced(source ?? 'SOURCE', wrongId, rightId)
}

/** A source that has offers of a service. */
function findSource(catalog: Catalog, service: string): string | undefined {
  const [doc] = serviceDocs(catalog, service).toArray()
  if (doc === undefined) return undefined
  const offers = Object.values(catalog.documents.showOffers(doc)).flat()
  return offers.find((offer) => offer.service === service)?.source
}

function serviceName({ id, everywhere, countries }: Service): string {
  return (everywhere ?? Object.values(countries)[0])?.name ?? id
}

function toNameKey(name: string): string {
  const folded = fold(name).replaceAll('+', ' plus ')
  const plain = folded.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
  return plain.replace(TIER_WORDS, '').replaceAll(' ', '') || plain
}

function countShows(catalog: Catalog, { id }: Service): number {
  return serviceDocs(catalog, id).size
}

/** The shows of a service in all countries. */
function serviceDocs(catalog: Catalog, service: string) {
  const version = catalog.version()
  const countries = Object.keys(catalog.reference().countries)
  return RoaringBitmap32.orMany(
    countries.map((country) => catalog.docsWithTerm(term.service(country, service), version)),
  )
}

const STANDARD_IDS = new Set(STANDARD_GENRES.map(({ id }) => id))

/** Genres that are no standard ones and have a name in one language only: nobody has decided what they are. */
function checkGenres(catalog: Catalog, commands: MendingCommands): Finding {
  const finding = new FindingBuilder('unmapped_genres')
  const version = catalog.version()
  const unmapped = Object.values(catalog.reference().genres)
    .filter(({ id, names }) => !STANDARD_IDS.has(id) && Object.keys(names).length < 2)
    .map(({ id, names }) => ({ id, name: names.en ?? id, shows: catalog.docsWithTerm(term.genre(id), version).size }))
    .filter(({ shows }) => shows > 0)
    .sort((a, b) => b.shows - a.shows || (a.id < b.id ? -1 : 1))
  for (const { id, name, shows } of unmapped) {
    finding.add((): Example => {
      const record = { kind: 'genre', id, name, names: { es: name, fr: name, tr: name } }
      return {
        subject: name,
        details: [`id ${id}`, countNoun(shows, 'show')],
        command: commands.importRecords('genres', record),
      }
    })
  }
  return finding.build()
}

/** Permissions of the group and of all others. */
const OTHERS_PERMISSIONS = 0o077

/** Deeper than any folder that the program makes. */
const MAX_FOLDER_DEPTH = 4

/**
 * Files and folders of the data directory that others than their owner may read, write or enter. The program makes none
 * such; copies, restored backups and folders made by hand may be.
 */
function checkFiles(dataDir: string | undefined): Finding {
  const finding = new FindingBuilder('open_files')
  if (dataDir !== undefined && process.platform !== 'win32') checkEntry(resolve(dataDir), 0)
  return finding.build()

  function checkEntry(path: string, depth: number): void {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    // A link is as open as what it leads to, and files may go away meanwhile.
    if (stats === undefined || stats.isSymbolicLink()) return
    if ((stats.mode & OTHERS_PERMISSIONS) !== 0) {
      finding.add(() => ({
        subject: path,
        details: [`mode ${(stats.mode & 0o777).toString(8).padStart(4, '0')}`],
        command: `chmod -R go-rwx ${quoteForShell(resolve(dataDir ?? ''))}`,
      }))
    }
    if (stats.isDirectory() && depth < MAX_FOLDER_DEPTH)
      for (const name of readdirSync(path).sort()) checkEntry(join(path, name), depth + 1)
  }
}

/** A source without a schedule is stale after this many days: offers change every month. */
const MAX_UNSCHEDULED_AGE_DAYS = 31

/** Sources that are behind their schedule, were not imported for a month, or whose last feed was incomplete. */
function checkSources(catalog: Catalog, schedule: ScheduleStatus, commands: MendingCommands, now: number): Finding {
  const finding = new FindingBuilder('stale_sources')
  const { offersBySource } = catalog.counts()
  const imports = new Map(catalog.sources().map(({ name, lastImport }) => [name, lastImport]))
  const scheduled = new Map(schedule.sources.map((one) => [one.source, one]))
  const names = new Set([...imports.keys(), ...Object.keys(offersBySource), ...scheduled.keys()])
  for (const name of [...names].sort()) {
    const lastImport = imports.get(name)
    const run = scheduled.get(name)
    const age = lastImport === undefined ? undefined : Math.floor((now - lastImport.at) / SECONDS_PER_DAY)
    const isStale = run === undefined ? age === undefined || age > MAX_UNSCHEDULED_AGE_DAYS : run.stale
    const isIncomplete = lastImport?.complete === false
    if (!isStale && !isIncomplete) continue
    finding.add(() => ({
      subject: name,
      details: [
        lastImport === undefined ? 'never imported' : `imported ${formatTime(startOfDay(lastImport.at))}`,
        countNoun(ownEntry(offersBySource, name) ?? 0, 'offer'),
        ...(isIncomplete ? ['incomplete'] : []),
        ...(run?.problem === undefined ? [] : [run.problem]),
      ],
      command: commands.refresh(name),
    }))
  }
  return finding.build()
}
