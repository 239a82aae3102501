import type { HttpRequest } from '../lib/http.ts'
import { isInstalled } from '../lib/machine.ts'
import { runAutocannon } from './autocannon.ts'
import { runWrk } from './wrk.ts'

/** The requests of one round, and how to send them. */
export interface Load {
  readonly port: number
  /** Sent in order, repeatedly. */
  readonly requests: readonly HttpRequest[]
  readonly seconds: number
  readonly connections: number
  /** The core for the load generator; undefined lets the kernel choose. */
  readonly core: string | undefined
}

/** Throughput and latency of one round. Latencies are in milliseconds. */
export interface Round {
  readonly requestsPerSecond: number
  readonly bytesPerSecond: number
  readonly p50: number
  readonly p99: number
}

const hasWrk = isInstalled('wrk')

/** The load generator in use. */
export const LOAD_GENERATOR = hasWrk ? 'wrk' : 'autocannon'

/** Sends requests to a server from a separate process. Fails if any response is an error. */
export async function runLoad(load: Load): Promise<Round> {
  return hasWrk ? await runWrk(load) : await runAutocannon(load)
}

/** Wraps a command in `taskset` if a core is given. */
export function pinnedCommand(core: string | undefined, command: string, args: readonly string[]): [string, string[]] {
  return core === undefined ? [command, [...args]] : ['taskset', ['-c', core, command, ...args]]
}
