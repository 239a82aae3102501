/** The status of the service, as `/platform/operator/status` reports it. */
export interface OperatorStatus {
  readonly at: number
  readonly catalog: { readonly version: number; readonly shows: number; readonly offers: number }
  /** The running import, if there is one. */
  readonly importing?: { readonly what: string; readonly since: number }
  readonly sources: readonly SourceStatus[]
  readonly places: readonly { readonly country: string; readonly services: Readonly<Record<string, number>> }[]
  /** Names of services by id. */
  readonly services: Readonly<Record<string, string>>
  readonly processes: readonly ProcessStatus[]
  /** The window scheduler, under its name on the wire. */
  readonly keeper: WindowSchedulerStatus
  readonly schedule: { readonly sources: readonly ScheduledSource[]; readonly problem?: string }
}

/** A source on the schedule. */
export interface ScheduledSource {
  readonly name: string
  /** Seconds between runs. */
  readonly every: number
  readonly lastRunAt?: number
  readonly lastOutcome?: 'imported' | 'unchanged' | 'failed'
  readonly failures: number
  readonly problem?: string
  readonly nextRunAt?: number
  readonly pausedAt?: number
  /** When a run at once was asked for. */
  readonly runRequestedAt?: number
  readonly running: boolean
  readonly stale: boolean
}

export interface SourceStatus {
  readonly name: string
  readonly offers: number
  readonly lastImport: {
    readonly at: number
    readonly mode: 'snapshot' | 'delta'
    readonly shows: number
    readonly changes: Readonly<Record<string, number>>
    readonly notices: Readonly<Record<string, number>>
    readonly complete: boolean
  }
}

export interface ProcessStatus {
  readonly pid: number
  readonly role: 'primary' | 'worker'
  readonly startedAt: number
  readonly residentBytes: number
}

export interface WindowSchedulerStatus {
  readonly lastRunAt?: number
  /** When the next window opens or closes. */
  readonly nextWindowAt?: number
  readonly settledShows: number
  readonly failures: number
  readonly lastFailure?: { readonly at: number; readonly message: string }
}
