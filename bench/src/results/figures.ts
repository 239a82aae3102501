import type { Machine } from '../lib/machine.ts'
import type { TimedImport } from '../lib/marquee-cli.ts'
import type { Memory } from '../lib/memory.ts'

/** The options of a run. */
export interface RunOptions {
  readonly shows: number
  /** Of the catalog with many episodes; figures from before it have none. */
  readonly episodes?: number
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  readonly peers: readonly string[]
}

/** Under which conditions figures were measured. */
export interface RunInfo {
  readonly machine: Machine
  readonly options: RunOptions
  readonly loadGenerator: string
  /** Where the figures come from, if not from a run of this program. */
  readonly note?: string
}

/** Medians of one target over all rounds, and the range of its rate. Latencies are in milliseconds. */
export interface TargetResult {
  readonly target: string
  readonly requestsPerSecond: number
  readonly minRequestsPerSecond: number
  readonly maxRequestsPerSecond: number
  /** Rate divided by the rate of the limit in the same rounds. */
  readonly ratioToLimit: number
  readonly p50: number
  readonly p99: number
  readonly bytesPerSecond: number
  /** Mean share of shows that are also on Marquee's page; 1 for Marquee and for the limit. */
  readonly overlap: number
}

/** All targets on one workload. The first result is the limit, the second one Marquee, then come the peers. */
export interface Comparison {
  readonly title: string
  readonly results: readonly TargetResult[]
  /**
   * Marquee's latencies at half of its rate, in milliseconds, and the limit's at the same rate; of workloads that no cache can
   * answer.
   */
  readonly halfLoad?: { readonly p50: number; readonly p99: number; readonly limitP99: number }
}

/** A catalog size in the growth scenario. */
export interface GrowthStage {
  readonly shows: number
  /** How many episodes the catalog was asked to have; without it, about 2.5 for each show. */
  readonly episodes?: number
  readonly startUpMs: number
  /** Memory of the one worker after all workloads. */
  readonly memory: Memory
  readonly diskBytes: number
  readonly workloads: readonly { readonly workload: string; readonly result: TargetResult }[]
}

/** What a scenario measured, by the kind of scenario. */
export type Figures =
  | { readonly kind: 'comparisons'; readonly comparisons: readonly Comparison[] }
  | {
      readonly kind: 'auth'
      /** Requests per second in a single process with and without authentication, quotas, usage and metrics. */
      readonly workloads: readonly { readonly workload: string; readonly auth: number; readonly noAuth: number }[]
    }
  | {
      readonly kind: 'processes'
      /** Requests per second with one and with two processes. */
      readonly limit: readonly [one: number, two: number]
      readonly marquee: readonly [one: number, two: number]
    }
  | { readonly kind: 'growth'; readonly stages: readonly GrowthStage[] }
  | {
      readonly kind: 'import'
      readonly imports: readonly TimedImport[]
      /** Seconds to decompress and parse the feed without importing it. */
      readonly parseSeconds?: number
      readonly diskBytes: number
      /** Disk space of the same shows without offers. */
      readonly diskBytesWithoutOffers: number
    }
  | {
      readonly kind: 'nodes'
      readonly shows: number
      readonly localSeconds: number
      readonly postgresSeconds: number
      /** Until a node with an empty data directory is ready. */
      readonly newNodeSeconds: number
    }
  | {
      readonly kind: 'while-importing'
      readonly idle: TargetResult
      readonly importing: TargetResult
      readonly imports: number
      /** Whether the importing process had a core of its own. */
      readonly ownCore: boolean
    }
  | {
      readonly kind: 'export'
      /** The size of an export, uncompressed, and its rate without other requests. */
      readonly bytes: number
      readonly bytesPerSecond: number
      readonly idle: TargetResult
      readonly exporting: TargetResult
    }

/** Figures of a scenario together with the run that measured them. */
export interface ScenarioRecord {
  readonly run: RunInfo
  readonly figures: Figures
}
