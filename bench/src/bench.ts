import type { Field } from './compare.ts'
import { Limit } from './limit/limit.ts'
import { Marquee } from './marquee.ts'
import { type PeerName, startPeers } from './peers/peers.ts'
import { type Catalog, catalogOf } from './support/catalog.ts'
import { type Cores, coresToPin } from './support/pinning.ts'

/** What was asked for on the command line. */
export interface BenchOptions {
  readonly shows: number
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  readonly peers: readonly PeerName[]
}

/** How a comparison is measured. */
export interface Measuring {
  readonly rounds: number
  readonly seconds: number
  readonly warmUpSeconds: number
  readonly connections: number
  /** The cores that everybody is pinned to; undefined leaves them to the kernel. */
  readonly cores: Cores | undefined
}

/** All that a question needs: how to measure, and on demand a catalog and those who serve it. */
export class Bench implements Measuring {
  readonly shows: number
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  readonly warmUpSeconds: number
  readonly cores = coresToPin()
  readonly #peers: readonly PeerName[]
  #catalog: Promise<Catalog> | undefined
  #field: Promise<Field> | undefined

  constructor({ shows, rounds, seconds, connections, peers }: BenchOptions) {
    this.shows = shows
    this.rounds = rounds
    this.seconds = seconds
    this.connections = connections
    this.warmUpSeconds = Math.max(1, Math.round(seconds / 3))
    this.#peers = peers
  }

  /** How it measures, as a value to take something else from. */
  measuring(): Measuring {
    const { rounds, seconds, warmUpSeconds, connections, cores } = this
    return { rounds, seconds, warmUpSeconds, connections, cores }
  }

  /** The catalog of the size that was asked for. */
  catalog(): Promise<Catalog> {
    this.#catalog ??= catalogOf(this.shows)
    return this.#catalog
  }

  /** Everybody who serves that catalog, each with one process; started once, for all questions. */
  field(): Promise<Field> {
    this.#field ??= this.#startField()
    return this.#field
  }

  /** Stops what was started. */
  async stop(): Promise<void> {
    const field = await this.#field?.catch(() => undefined)
    if (field) await stopField(field)
  }

  async #startField(): Promise<Field> {
    const catalog = await this.catalog()
    const marquee = await Marquee.start(catalog.data)
    return { limit: await Limit.start(), marquee, peers: await startPeers(this.#peers, catalog, marquee) }
  }
}

/** Stops everybody of a field. */
export async function stopField({ limit, marquee, peers }: Field): Promise<void> {
  await Promise.all([limit, marquee, ...peers].map((contestant) => contestant.stop()))
}
