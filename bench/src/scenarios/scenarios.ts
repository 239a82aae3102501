import type { Scenario } from '../context.ts'
import { auth } from './auth.ts'
import { exportScenario } from './export.ts'
import { episodes, growth } from './growth.ts'
import { importScenario } from './import.ts'
import { nodes } from './nodes.ts'
import { processes } from './processes.ts'
import {
  changes,
  compression,
  countries,
  filters,
  freshChangeWindows,
  freshFilterSearches,
  freshTitleSearches,
  moreFilters,
  moreRequests,
  notModified,
  show,
  titles,
} from './requests.ts'
import { whileImporting } from './while-importing.ts'

/** All scenarios in the order of execution: first those that share one set of targets. */
export const SCENARIOS: readonly Scenario[] = [
  show,
  filters,
  moreFilters,
  moreRequests,
  titles,
  freshTitleSearches,
  freshFilterSearches,
  freshChangeWindows,
  changes,
  countries,
  notModified,
  compression,
  auth,
  processes,
  growth,
  episodes,
  importScenario,
  nodes,
  whileImporting,
  exportScenario,
]

/** Earlier names that are still accepted. */
const ALIASES: Readonly<Record<string, string>> = { gate: 'auth' }

/** Selects scenarios by name, in the order of execution; all of them if no name is given. */
export function selectScenarios(names: readonly string[]): Scenario[] {
  const resolved = names.map((name) => ALIASES[name] ?? name)
  const unknown = resolved.find((name) => !SCENARIOS.some((scenario) => scenario.name === name))
  if (unknown !== undefined) {
    throw new Error(`Unknown scenario "${unknown}". Scenarios: ${SCENARIOS.map(({ name }) => name).join(', ')}`)
  }
  return SCENARIOS.filter(({ name }) => resolved.length === 0 || resolved.includes(name))
}
