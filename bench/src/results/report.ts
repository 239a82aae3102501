import { formatBytes, formatCount, formatMarkdownBody, formatNumber, formatPercent, type Table } from '../lib/output.ts'
import type { Comparison, Figures, RunInfo, ScenarioRecord } from './figures.ts'
import { findBestPeer, toTables } from './tables.ts'

type Records = ReadonlyMap<string, ScenarioRecord>

const BLOCK = /(<!-- bench:([a-z-]+) -->\n)[\s\S]*?(<!-- \/bench -->)/g

/** Rewrites every block `<!-- bench:NAME --> … <!-- /bench -->` of a page from the stored records. */
export function renderPage(page: string, records: Records): string {
  return page.replace(BLOCK, (_, start: string, name: string, end: string) => {
    return `${start}\n${renderBlock(name, records).trimEnd()}\n\n${end}`
  })
}

function renderBlock(name: string, records: Records): string {
  switch (name) {
    case 'runs':
      return describeRuns(records)
    case 'limit':
      return formatMarkdownBody(limitTable(readComparisons(records)))
    case 'peers':
      return formatMarkdownBody(peersTable(readComparisons(records)))
    default: {
      const record = records.get(name)
      if (record === undefined) return `Not measured yet: \`npm run bench -- --save ${name}\`.`
      return toTables(record.figures).map(formatMarkdownBody).join('\n')
    }
  }
}

/** The scenarios in the tables of comparisons, in this order. */
const COMPARISON_SCENARIOS = [
  'show',
  'filters',
  'fresh-filters',
  'titles',
  'fresh-titles',
  'changes',
  'fresh-changes',
  'more-filters',
  'more-requests',
  'not-modified',
]

function readComparisons(records: Records): Comparison[] {
  return COMPARISON_SCENARIOS.flatMap((scenario) => {
    const figures: Figures | undefined = records.get(scenario)?.figures
    return figures?.kind === 'comparisons' ? figures.comparisons : []
  })
}

/** A list of the runs; scenarios that were measured in the same run share an item. */
function describeRuns(records: Records): string {
  const runs = new Map<string, { run: RunInfo; scenarios: string[] }>()
  for (const [scenario, { run }] of records) {
    const key = JSON.stringify(run)
    const entry = runs.get(key) ?? { run, scenarios: [] }
    entry.scenarios.push(`\`${scenario}\``)
    runs.set(key, entry)
  }
  const entries = [...runs.values()]
  const items = entries.map(({ run: { machine, options, loadGenerator }, scenarios }) => {
    const size = `${formatCount(options.shows)} shows, ${options.rounds} rounds of ${options.seconds} s`
    const load = `${loadGenerator} with ${options.connections} connections`
    const hardware = `${machine.cpu}, ${machine.cores} cores, ${formatBytes(machine.memoryBytes)}`
    return `- ${scenarios.join(', ')}: ${size}; ${load}; ${hardware}; Node.js ${machine.node}; ${machine.date}`
  })
  const notes = new Set(entries.flatMap(({ run }) => run.note ?? []))
  return [...items, '', ...notes].join('\n')
}

function limitTable(comparisons: readonly Comparison[]): Table {
  return {
    title: 'Compared with the limit',
    head: [
      'workload',
      'limit',
      'Marquee',
      'of the limit',
      'p50 ms',
      'p99 ms',
      'p99 ms at half load',
      "the limit's p99 ms",
    ],
    rows: comparisons.map(({ title, results: [limit, marquee], halfLoad }) => [
      title,
      formatNumber(limit!.requestsPerSecond),
      formatNumber(marquee!.requestsPerSecond),
      formatPercent(marquee!.ratioToLimit),
      formatNumber(marquee!.p50),
      formatNumber(marquee!.p99),
      halfLoad === undefined ? '' : formatNumber(halfLoad.p99),
      halfLoad === undefined ? '' : formatNumber(halfLoad.limitP99),
    ]),
    notes: [
      'Requests per second. Half load is half of that rate, sent in equal intervals; last, the limit at the same rate.',
    ],
  }
}

function peersTable(all: readonly Comparison[]): Table {
  const comparisons = all.filter((comparison) => findBestPeer(comparison) !== undefined)
  const peers = [...new Set(comparisons.flatMap(({ results }) => results.slice(2).map(({ target }) => target)))]
  return {
    title: 'Compared with peers',
    head: ['workload', 'Marquee', ...peers, 'factor'],
    rows: comparisons.map((comparison) => {
      const { title, results } = comparison
      const rate = (name: string) => results.find(({ target }) => target === name)?.requestsPerSecond ?? Number.NaN
      const factor = rate('Marquee') / findBestPeer(comparison)!.requestsPerSecond
      return [title, ...['Marquee', ...peers].map((name) => formatNumber(rate(name))), `${formatNumber(factor)} ×`]
    }),
    notes: ['Requests per second. The factor is Marquee divided by the fastest peer.'],
  }
}
