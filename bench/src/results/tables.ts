import { formatBytes, formatCount, formatNumber, formatPercent, type Table } from '../lib/output.ts'
import type { Comparison, Figures, GrowthStage, TargetResult } from './figures.ts'

/** Below this share of equal results a peer is reported as answering a different query. */
const MIN_OVERLAP = 0.9

/** Formats the figures of a scenario as tables. */
export function toTables(figures: Figures): Table[] {
  switch (figures.kind) {
    case 'comparisons':
      return figures.comparisons.map(comparisonTable)
    case 'auth':
      return [authTable(figures)]
    case 'processes':
      return [processesTable(figures)]
    case 'growth':
      return [growthResourcesTable(figures.stages), growthRatesTable(figures.stages)]
    case 'import':
      return [importTable(figures)]
    case 'nodes':
      return [nodesTable(figures)]
    case 'while-importing':
      return [whileImportingTable(figures)]
    case 'export':
      return [exportTable(figures)]
  }
}

type FiguresOf<Kind extends Figures['kind']> = Extract<Figures, { kind: Kind }>

const RATE_HEAD = ['requests/s', 'min–max', 'of the limit', 'p50 ms', 'p99 ms']

/** The cells of a result under `RATE_HEAD`. */
function rateCells(result: TargetResult): string[] {
  return [
    formatNumber(result.requestsPerSecond),
    `${formatNumber(result.minRequestsPerSecond)}–${formatNumber(result.maxRequestsPerSecond)}`,
    formatPercent(result.ratioToLimit),
    formatNumber(result.p50),
    formatNumber(result.p99),
  ]
}

function comparisonTable({ title, results, halfLoad }: Comparison): Table {
  return {
    title,
    head: ['target', ...RATE_HEAD, 'MB/s'],
    rows: results.map((result) => [result.target, ...rateCells(result), formatNumber(result.bytesPerSecond / 1e6)]),
    notes: [...halfLoadNotes(halfLoad), ...peerNotes(results)],
  }
}

function halfLoadNotes(halfLoad: Comparison['halfLoad']): string[] {
  if (halfLoad === undefined) return []
  return [
    `At half of its rate, Marquee has a p50 of ${formatNumber(halfLoad.p50)} ms and a p99 of ${formatNumber(halfLoad.p99)} ms.`,
    `The limit has a p99 of ${formatNumber(halfLoad.limitP99)} ms at that rate.`,
  ]
}

/** The fastest peer of a comparison. */
export function findBestPeer({ results }: Pick<Comparison, 'results'>): TargetResult | undefined {
  return results.slice(2).toSorted((a, b) => b.requestsPerSecond - a.requestsPerSecond)[0]
}

function peerNotes(results: readonly TargetResult[]): string[] {
  const best = findBestPeer({ results })
  if (best === undefined) return []
  const factor = formatNumber(results[1]!.requestsPerSecond / best.requestsPerSecond)
  const peers = results.slice(2)
  const overlaps = peers.map(({ target, overlap }) => `${target} ${formatPercent(overlap)}`)
  const different = peers.filter(({ overlap }) => overlap < MIN_OVERLAP)
  return [
    `Marquee serves ${factor} times the requests of the fastest peer, ${best.target}.`,
    `Shows in common with Marquee's pages: ${overlaps.join(', ')}.`,
    ...different.map(({ target }) => `Warning: ${target} does not return the same results.`),
  ]
}

function authTable({ workloads }: FiguresOf<'auth'>): Table {
  return {
    title: 'Cost of authentication, quotas, usage and metrics',
    head: ['workload', 'with', 'without', 'cost'],
    rows: workloads.map(({ workload, auth, noAuth }) => [
      workload,
      formatNumber(auth),
      formatNumber(noAuth),
      formatPercent(1 - auth / noAuth),
    ]),
    notes: ['Requests per second of a single process.'],
  }
}

function processesTable({ limit, marquee }: FiguresOf<'processes'>): Table {
  const row = (name: string, [one, two]: readonly [number, number]) => [
    name,
    formatNumber(one),
    formatNumber(two),
    `${formatNumber(two / one)} ×`,
  ]
  return {
    title: 'Filter searches with one and with two worker processes',
    head: ['target', '1 process', '2 processes', 'gain'],
    rows: [row('limit', limit), row('Marquee', marquee)],
    notes: ['Requests per second. Nothing is pinned: the load generator shares the cores.'],
  }
}

function growthResourcesTable(stages: readonly GrowthStage[]): Table {
  return {
    title: 'Growth: start-up, memory and disk',
    head: ['catalog', 'start-up ms', 'resident', 'anonymous', 'disk'],
    rows: stages.map(({ shows, episodes, startUpMs, memory, diskBytes }) => [
      formatSize(shows, episodes),
      formatNumber(startUpMs),
      formatBytes(memory.resident),
      formatBytes(memory.anonymous),
      formatBytes(diskBytes),
    ]),
    notes: ['Memory of the one worker after all workloads. Start-up ends with the first successful response (median).'],
  }
}

function formatSize(shows: number, episodes?: number): string {
  const size = `${formatCount(shows)} shows`
  return episodes === undefined ? size : `${size}, ${formatCount(episodes)} episodes`
}

function growthRatesTable(stages: readonly GrowthStage[]): Table {
  return {
    title: 'Growth: request rates',
    head: ['workload', ...stages.map(({ shows, episodes }) => formatSize(shows, episodes))],
    rows: (stages[0]?.workloads ?? []).map(({ workload }, i) => [
      workload,
      ...stages.map(({ workloads }) => {
        const { requestsPerSecond, ratioToLimit } = workloads[i]!.result
        return `${formatNumber(requestsPerSecond)} (${formatPercent(ratioToLimit)})`
      }),
    ]),
    notes: ['Requests per second, and the share of the limit.'],
  }
}

function importTable(figures: FiguresOf<'import'>): Table {
  const { imports, diskBytes, diskBytesWithoutOffers, parseSeconds } = figures
  const offers = imports[0]!.offers
  const perOffer = formatBytes(diskBytes / offers)
  const offerAlone = formatBytes((diskBytes - diskBytesWithoutOffers) / offers)
  const notes = [
    `On disk: ${formatBytes(diskBytes)}, ${perOffer} per offer, of which ${offerAlone} for the offer itself.`,
  ]
  if (parseSeconds !== undefined) {
    notes.push(`Decompressing and parsing the feed alone takes ${formatNumber(parseSeconds)} s.`)
  }
  return {
    title: 'Import',
    head: ['', 'shows', 'offers', 'seconds', 'shows/s', 'peak resident', 'peak anonymous'],
    rows: imports.map(({ name, shows, offers, seconds, memory }) => [
      name,
      formatCount(shows),
      formatCount(offers),
      formatNumber(seconds),
      formatNumber(shows / seconds),
      formatBytes(memory.resident),
      formatBytes(memory.anonymous),
    ]),
    notes,
  }
}

function nodesTable({ shows, localSeconds, postgresSeconds, newNodeSeconds }: FiguresOf<'nodes'>): Table {
  const row = (name: string, seconds: number) => [
    name,
    formatCount(shows),
    formatNumber(seconds),
    formatNumber(shows / seconds),
    formatPercent(localSeconds / seconds),
  ]
  return {
    title: 'Nodes on PostgreSQL',
    head: ['', 'shows', 'seconds', 'shows/s', 'of the local import'],
    rows: [
      row('import into a data directory', localSeconds),
      row('import through PostgreSQL', postgresSeconds),
      row('new node until ready', newNodeSeconds),
    ],
    notes: [],
  }
}

function whileImportingTable({ idle, importing, imports, ownCore }: FiguresOf<'while-importing'>): Table {
  return {
    title: 'Filter searches during imports',
    head: ['', ...RATE_HEAD],
    rows: [
      ['no import', ...rateCells(idle)],
      ['during imports', ...rateCells(importing)],
    ],
    notes: [
      `Imports of a tenth of the shows run one after the other (started: ${imports}).`,
      ownCore
        ? 'The importing process has a core of its own.'
        : 'The importing process shares the two cores with the server and the load generator.',
    ],
  }
}

function exportTable({ bytes, bytesPerSecond, idle, exporting }: FiguresOf<'export'>): Table {
  return {
    title: 'Filter searches during an export',
    head: ['', ...RATE_HEAD],
    rows: [
      ['no export', ...rateCells(idle)],
      ['during an export', ...rateCells(exporting)],
    ],
    notes: [`An export of ${formatBytes(bytes)} takes ${formatNumber(bytesPerSecond / 1e6)} MB/s from one process.`],
  }
}
