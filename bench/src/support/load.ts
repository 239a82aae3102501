import { spawnSync } from 'node:child_process'
import { loadByAutocannon } from './autocannon.ts'
import type { HttpRequest } from './http.ts'
import { loadByWrk } from './wrk.ts'

/** What is asked for during one round, and how hard. */
export interface Load {
  readonly port: number
  /** Asked one after the other, over and over. */
  readonly requests: readonly HttpRequest[]
  readonly seconds: number
  readonly connections: number
  /** The core on which the load generator runs; undefined lets the kernel choose. */
  readonly core: string | undefined
}

/** What came of one round. Times are in milliseconds. */
export interface Round {
  readonly requestsPerSecond: number
  readonly bytesPerSecond: number
  readonly p50: number
  readonly p99: number
}

const hasWrk = spawnSync('wrk', ['--version']).error === undefined

/** The program that makes the load. */
export const LOAD_GENERATOR = hasWrk ? 'wrk' : 'autocannon'

/** Drives a server for some seconds from a process of its own. Answers that are no success are an error. */
export async function load(load: Load): Promise<Round> {
  return hasWrk ? await loadByWrk(load) : await loadByAutocannon(load)
}

/** The command, run on a core if one is given. */
export function onCore(core: string | undefined, command: string, args: readonly string[]): [string, string[]] {
  return core === undefined ? [command, [...args]] : ['taskset', ['-c', core, command, ...args]]
}
