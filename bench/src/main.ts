import { writeFileSync } from 'node:fs'
import { BenchContext } from './context.ts'
import { describeMachine } from './lib/machine.ts'
import { formatCount, formatMarkdown, formatPlainText, logProgress, type Table } from './lib/output.ts'
import { LOAD_GENERATOR } from './load/load.ts'
import { type Arguments, HELP, parseArguments } from './options.ts'
import type { Figures, RunInfo } from './results/figures.ts'
import { regressionTable } from './results/ratios.ts'
import { RESULTS_FILE, readResults, saveResults } from './results/store.ts'
import { toTables } from './results/tables.ts'

/** Runs the selected scenarios, prints their tables and compares their ratios with the stored ones. */
async function runScenarios(args: Arguments): Promise<void> {
  const context = new BenchContext(args.run)
  const run: RunInfo = { machine: describeMachine(), options: args.run, loadGenerator: LOAD_GENERATOR }
  const measured = new Map<string, Figures>()
  const print = args.json === '-' ? () => {} : (text: string) => console.log(text)
  const printTable = (table: Table) => print(args.markdown ? formatMarkdown(table) : formatPlainText(table))
  print(introduction(run, context))
  try {
    for (const scenario of args.scenarios) {
      logProgress(`${scenario.name}: ${scenario.description}`)
      const figures = await scenario.run(context)
      measured.set(scenario.name, figures)
      toTables(figures).forEach(printTable)
    }
  } finally {
    await context.stopTargets()
  }
  printTable(regressionTable(run, measured, readResults()))
  if (args.json !== undefined) writeJson(args.json, run, measured)
  if (args.save) {
    saveResults(run, measured)
    logProgress(`saved to ${RESULTS_FILE}; update the page with: npm run bench -- report`)
  }
}

function writeJson(file: string, run: RunInfo, measured: ReadonlyMap<string, Figures>): void {
  const json = JSON.stringify({ ...run, scenarios: Object.fromEntries(measured) }, null, 2)
  if (file === '-') console.log(json)
  else writeFileSync(file, `${json}\n`)
}

function introduction({ machine, options }: RunInfo, { cores }: BenchContext): string {
  const { shows, rounds, seconds, connections } = options
  return [
    `${formatCount(shows)} shows; ${rounds} alternating rounds of ${seconds} s; ${LOAD_GENERATOR}, ${connections} connections.`,
    `${machine.cpu}, ${machine.cores} cores, Node.js ${machine.node}, ${machine.date}.`,
    cores
      ? `Servers are pinned to core ${cores.server}, the load generator to core ${cores.loadGenerator}.`
      : 'Nothing is pinned to a core.',
    '',
  ].join('\n')
}

async function main(): Promise<void> {
  const args = parseArguments(process.argv.slice(2))
  if (args.help) console.log(HELP)
  else await runScenarios(args)
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? (error.stack ?? error.message) : error)
    process.exit(1)
  },
)
