import type { ScheduleStatus } from '../connectors/schedule/schedule-status.ts'

/** What is checked, in the order in which it is reported. */
export const CHECKS = [
  'shows_without_offers',
  'offers_without_links',
  'sources_disagree',
  'likely_duplicates',
  'services_with_two_ids',
  'unmapped_genres',
  'stale_sources',
  'open_files',
] as const
export type CheckName = (typeof CHECKS)[number]

/** How many examples of a finding are kept. */
const MAX_EXAMPLES = 5

/** One case of a finding, with the command that mends it. */
export interface Example {
  /** A show with its year, a service, a genre or a source. */
  readonly subject: string
  /** What is wrong, in the words of the data: ids, places, values. */
  readonly details: readonly string[]
  readonly command: string
}

/** The result of one check. */
export interface Finding {
  readonly check: CheckName
  /** How many cases there are; 0 if nothing has to be mended. */
  readonly count: number
  readonly examples: readonly Example[]
}

/** What a check of the catalog found. */
export interface DoctorReport {
  /** When it was checked. */
  readonly at: number
  /** The catalog version that was checked. */
  readonly version: number
  readonly shows: number
  /** One for each check, in order. */
  readonly findings: readonly Finding[]
}

/** A number with its noun: "1 show", "2 shows". */
export function countNoun(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Collects the cases of a check: all are counted, the first ones kept. */
export class FindingBuilder {
  private readonly check: CheckName
  private readonly examples: Example[] = []
  private count = 0

  constructor(check: CheckName) {
    this.check = check
  }

  /** Adds a case. The example is built only if it is kept, since that reads the whole show. */
  add(buildExample: () => Example): void {
    this.count++
    if (this.examples.length < MAX_EXAMPLES) this.examples.push(buildExample())
  }

  build(): Finding {
    return { check: this.check, count: this.count, examples: this.examples }
  }
}

/** Builds the commands that mend findings. They can be pasted; words in capitals are left to the operator. */
export class MendingCommands {
  private readonly schedule: ScheduleStatus
  private readonly countries: readonly string[]

  /** @param countries the countries of the catalog, for syncs */
  constructor(schedule: ScheduleStatus, countries: readonly string[]) {
    this.schedule = schedule
    this.countries = countries
  }

  /** Fetches or imports a source again. A scheduled one is run; of another, only its operator has the feed. */
  refresh(source: string, ...flags: readonly string[]): string {
    const scheduled = this.schedule.sources.find((one) => one.source === source)
    if (scheduled !== undefined && flags.length === 0) return `marquee sources run ${quoteForShell(scheduled.name)}`
    const sync = flags.length > 0 ? undefined : this.syncCommand(source)
    return sync ?? ['marquee import', feedArgument(source), '--source', quoteForShell(source), ...flags].join(' ')
  }

  /** The sync that a source comes from by default; undefined if it is a feed. */
  private syncCommand(source: string): string | undefined {
    if (source === 'tmdb') return this.syncTmdb()
    if (source === 'watchmode') return `marquee sync watchmode --countries ${this.countryCodes}`
    if (source === 'tvmaze') return 'marquee sync tvmaze'
    return source.startsWith('v4-') ? 'marquee sync v4 --from URL' : undefined
  }

  private get countryCodes(): string {
    return this.countries.join(',') || 'us'
  }

  /** Fetches offers of all countries from TMDB. */
  syncTmdb(...flags: readonly string[]): string {
    return ['marquee sync tmdb --countries', this.countryCodes, ...flags].join(' ')
  }

  /** Imports a feed with one id in place of another. */
  importReplaced(source: string, wrongId: string, rightId: string): string {
    const replace = quoteForShell(`s/"${wrongId}"/"${rightId}"/g`)
    return `sed ${replace} FEED | marquee import - --source ${quoteForShell(source)}`
  }

  /** Imports records that are given on standard input. */
  importRecords(source: string, ...records: readonly object[]): string {
    const lines = records.map((record) => quoteForShell(JSON.stringify(record))).join(' ')
    return `printf '%s\\n' ${lines} | marquee import - --source ${quoteForShell(source)} --mode delta`
  }
}

/** Formats whose name is the first part of the names of their sources. */
const FORMATS = ['media-actions', 'tv-search-feed', 'top-10', 'imdb', 'wikidata', 'apple-umc', 'amazon-cdf']

/** What `marquee import` needs to read a feed of a source again. */
function feedArgument(source: string): string {
  const [prefix = '', service] = source.split('/')
  if (prefix === 'csv' && service !== undefined) return 'TABLE.csv --mapping MAPPING.json'
  return FORMATS.includes(prefix) ? `FEED --format ${prefix}` : 'FEED'
}

/** A word of a shell command: quoted unless it is plain. */
export function quoteForShell(word: string): string {
  return /^[\w./:@,=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
