import type { ScheduleStatus } from '../connectors/schedule/schedule-status.ts'

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
    if (scheduled !== undefined && flags.length === 0) return `marquee sources run ${quote(scheduled.name)}`
    if (source === 'tmdb' && flags.length === 0) return this.syncTmdb()
    const feed = source.startsWith('csv/') ? 'TABLE.csv --mapping MAPPING.json' : 'FEED'
    return ['marquee import', feed, '--source', quote(source), ...flags].join(' ')
  }

  /** Fetches offers of all countries from TMDB. */
  syncTmdb(...flags: readonly string[]): string {
    return ['marquee sync tmdb --countries', this.countries.join(',') || 'us', ...flags].join(' ')
  }

  /** Imports a feed with one id in place of another. */
  importReplaced(source: string, wrongId: string, rightId: string): string {
    const replace = quote(`s/"${wrongId}"/"${rightId}"/g`)
    return `sed ${replace} FEED | marquee import - --source ${quote(source)}`
  }

  /** Imports records that are given on standard input. */
  importRecords(source: string, ...records: readonly object[]): string {
    const lines = records.map((record) => quote(JSON.stringify(record))).join(' ')
    return `printf '%s\\n' ${lines} | marquee import - --source ${quote(source)} --mode delta`
  }
}

/** A word of a shell command: quoted unless it is plain. */
export function quote(word: string): string {
  return /^[\w./:@,=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
