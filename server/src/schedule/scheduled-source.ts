import type { GivenOptions } from '../connectors/connector.ts'

/** What is common to all entries of `sources.json`. */
interface Scheduled {
  /** Names the entry, and its source in the catalog unless that is named, too. */
  readonly name: string
  readonly source: string
  /** Seconds between two runs. */
  readonly every: number
  /** After so many seconds without success the source counts as stale. */
  readonly staleAfter: number
  /** How long a run may take. */
  readonly timeout: number
}

/** A feed that is imported from a file, a folder or a web address. */
export interface ScheduledImport extends Scheduled {
  readonly kind: 'import'
  /** An absolute path, or a web address. */
  readonly from: string
  readonly format: string
  readonly options: GivenOptions
  readonly mode?: 'snapshot' | 'delta'
  readonly scope?: { readonly countries?: readonly string[]; readonly services?: readonly string[] }
  readonly maxBytes: number
}

/** A sync with TMDB, with the flags of the command. */
export interface ScheduledSync extends Scheduled {
  readonly kind: 'sync'
  readonly with: 'tmdb'
  readonly flags: Readonly<Record<string, string>>
}

export type ScheduledSource = ScheduledImport | ScheduledSync

/** Whether a source is fetched from the web rather than read from a disk. */
export function isWebAddress(from: string): boolean {
  return /^https?:\/\//i.test(from)
}
