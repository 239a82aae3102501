import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Figures, RunInfo, ScenarioRecord } from './figures.ts'

/** The stored figures: the last saved run of each scenario. */
export const RESULTS_FILE = fileURLToPath(new URL('../../results/latest.json', import.meta.url))

/** Reads the stored records by scenario name; empty without a file. */
export function readResults(file = RESULTS_FILE): Map<string, ScenarioRecord> {
  if (!existsSync(file)) return new Map()
  const { scenarios } = JSON.parse(readFileSync(file, 'utf8')) as { scenarios: Record<string, ScenarioRecord> }
  return new Map(Object.entries(scenarios))
}

/** Replaces the records of the measured scenarios and keeps those of all others. */
export function saveResults(run: RunInfo, measured: ReadonlyMap<string, Figures>, file = RESULTS_FILE): void {
  const records = readResults(file)
  for (const [scenario, figures] of measured) records.set(scenario, { run, figures })
  const scenarios = Object.fromEntries([...records].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify({ scenarios }, roundNumber, 2)}\n`)
}

/** Five significant digits are more than the figures are exact to, and keep the file readable. */
function roundNumber(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value
}
