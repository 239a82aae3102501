import { buildCatalog, type Catalog } from './data/catalog.ts'
import { chooseCores } from './lib/machine.ts'
import type { MeasureOptions, TargetSet } from './measure/compare.ts'
import type { Figures, RunOptions } from './results/figures.ts'
import { Limit } from './targets/limit.ts'
import { Marquee } from './targets/marquee.ts'
import { type PeerName, startPeers } from './targets/peers/peers.ts'

/** A process that has just started needs some seconds of full load until its code is compiled. */
const MIN_WARM_UP_SECONDS = 4

/** What scenarios share: the measuring options and, built on first use, the catalog and the targets that serve it. */
export class BenchContext implements MeasureOptions {
  readonly shows: number
  readonly episodes: number | undefined
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  readonly warmUpSeconds: number
  readonly cores = chooseCores()
  readonly #peers: readonly PeerName[]
  #catalog: Promise<Catalog> | undefined
  #targets: Promise<TargetSet> | undefined

  constructor({ shows, episodes, rounds, seconds, connections, peers }: RunOptions) {
    this.shows = shows
    this.episodes = episodes
    this.rounds = rounds
    this.seconds = seconds
    this.connections = connections
    this.warmUpSeconds = Math.max(MIN_WARM_UP_SECONDS, Math.round(seconds / 3))
    this.#peers = peers as readonly PeerName[]
  }

  /** The measuring options as a plain value, for a scenario that overrides some of them. */
  measureOptions(): MeasureOptions {
    const { rounds, seconds, warmUpSeconds, connections, cores } = this
    return { rounds, seconds, warmUpSeconds, connections, cores }
  }

  /** The catalog of the requested size. */
  catalog(): Promise<Catalog> {
    this.#catalog ??= buildCatalog(this.shows)
    return this.#catalog
  }

  /** All targets on that catalog, one process each, started once for all scenarios. */
  targets(): Promise<TargetSet> {
    this.#targets ??= this.#startTargets()
    return this.#targets
  }

  /** Stops the shared targets. A scenario that serves the catalog itself calls this first: one service per folder. */
  async stopTargets(): Promise<void> {
    const targets = await this.#targets?.catch(() => undefined)
    this.#targets = undefined
    if (!targets) return
    const { limit, marquee, peers } = targets
    await Promise.all([limit, marquee, ...peers].map((target) => target.stop()))
  }

  async #startTargets(): Promise<TargetSet> {
    const catalog = await this.catalog()
    const marquee = await Marquee.start(catalog.data)
    return { limit: await Limit.start(), marquee, peers: await startPeers(this.#peers, catalog, marquee) }
  }
}

/** Something that can be measured by name. */
export interface Scenario {
  readonly name: string
  readonly description: string
  run(context: BenchContext): Promise<Figures>
}
