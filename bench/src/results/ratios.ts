import { formatNumber, formatPercent, type Table } from '../lib/output.ts'
import type { Figures, RunInfo, ScenarioRecord } from './figures.ts'

/** A ratio that is lower than the stored one by more than this share counts as a regression. */
export const NOISE_MARGIN = 0.1

/**
 * The ratios of a scenario by name, all of them "higher is better". They relate Marquee to a baseline measured in the
 * same run, so they depend far less on the machine than rates do.
 */
export function extractRatios(figures: Figures): Map<string, number> {
  switch (figures.kind) {
    case 'comparisons':
      return new Map(figures.comparisons.map(({ title, results }) => [title, results[1]!.ratioToLimit]))
    case 'auth':
      return new Map(figures.workloads.map(({ workload, auth, noAuth }) => [`auth, ${workload}`, auth / noAuth]))
    case 'processes': {
      const [one, two] = figures.marquee
      return new Map([['gain of a second process', two / one / (figures.limit[1] / figures.limit[0])]])
    }
    case 'growth':
      return new Map(
        figures.stages.flatMap(({ shows, episodes, workloads }) => {
          const size = episodes === undefined ? `${shows} shows` : `${shows} shows, ${episodes} episodes`
          return workloads.map(({ workload, result }) => [`growth, ${workload}, ${size}`, result.ratioToLimit] as const)
        }),
      )
    case 'import': {
      const { parseSeconds, imports } = figures
      if (parseSeconds === undefined) return new Map()
      return new Map(imports.slice(0, 2).map(({ name, seconds }) => [`import, ${name}`, parseSeconds / seconds]))
    }
    case 'nodes':
      return new Map([
        ['import through PostgreSQL', figures.localSeconds / figures.postgresSeconds],
        ['new node until ready', figures.localSeconds / figures.newNodeSeconds],
      ])
    case 'while-importing':
      return new Map([
        ['filter searches, no import', figures.idle.ratioToLimit],
        ['filter searches during imports', figures.importing.ratioToLimit],
      ])
    case 'export':
      return new Map([['p99 of filter searches, during an export', figures.idle.p99 / figures.exporting.p99]])
  }
}

/** How a ratio compares with the stored one. */
export interface RatioChange {
  readonly name: string
  readonly ratio: number
  readonly stored: number
  readonly regression: boolean
}

/** Compares the ratios of a scenario with the stored ones of the same name. */
export function compareRatios(figures: Figures, stored: Figures): RatioChange[] {
  const storedRatios = extractRatios(stored)
  return [...extractRatios(figures)].flatMap(([name, ratio]) => {
    const before = storedRatios.get(name)
    if (before === undefined) return []
    return [{ name, ratio, stored: before, regression: ratio < before * (1 - NOISE_MARGIN) }]
  })
}

/** Why a scenario cannot be compared with a stored record; undefined if it can. */
export function findMismatch(run: RunInfo, { run: stored, figures }: ScenarioRecord): string | undefined {
  for (const option of ['shows', 'connections'] as const) {
    // Ratios of the growth scenario carry the number of shows in their names.
    if (option === 'shows' && figures.kind === 'growth') continue
    const [now, before] = [run.options[option], stored.options[option]]
    if (now !== before) return `--${option} is ${now}, stored with ${before}`
  }
  if (run.loadGenerator !== stored.loadGenerator) {
    return `load by ${run.loadGenerator}, stored with ${stored.loadGenerator}`
  }
  return undefined
}

/** Compares the scenarios of a run with the stored records. */
export function regressionTable(
  run: RunInfo,
  measured: ReadonlyMap<string, Figures>,
  stored: ReadonlyMap<string, ScenarioRecord>,
): Table {
  const rows: string[][] = []
  const notes: string[] = []
  for (const [scenario, figures] of measured) {
    const record = stored.get(scenario)
    const mismatch = record && findMismatch(run, record)
    if (record === undefined) notes.push(`${scenario}: no stored figures.`)
    else if (mismatch !== undefined) notes.push(`${scenario}: not comparable (${mismatch}).`)
    else rows.push(...compareRatios(figures, record.figures).map(toCells))
  }
  return {
    title: 'Ratios compared with the stored figures',
    head: ['ratio', 'stored', 'now', 'change', ''],
    rows,
    notes: rows.length === 0 ? notes : [...notes, `A regression is lower by more than ${formatPercent(NOISE_MARGIN)}.`],
  }
}

function toCells({ name, ratio, stored, regression }: RatioChange): string[] {
  const change = ratio / stored - 1
  const sign = change < 0 ? '−' : '+'
  return [
    name,
    formatNumber(stored),
    formatNumber(ratio),
    `${sign}${formatNumber(Math.abs(change) * 100, 2)} %`,
    regression ? 'REGRESSION' : 'ok',
  ]
}
