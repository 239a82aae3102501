import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Bench } from './bench.ts'
import { PEER_NAMES, type PeerName } from './peers/peers.ts'
import type { Question } from './question.ts'
import { changes } from './questions/changes.ts'
import { compression } from './questions/compression.ts'
import { countries } from './questions/countries.ts'
import { filters } from './questions/filters.ts'
import { gate } from './questions/gate.ts'
import { growth } from './questions/growth.ts'
import { importing } from './questions/import.ts'
import { nodes } from './questions/nodes.ts'
import { notModified } from './questions/not-modified.ts'
import { processes } from './questions/processes.ts'
import { show } from './questions/show.ts'
import { titles } from './questions/titles.ts'
import { whileImporting } from './questions/while-importing.ts'
import { LOAD_GENERATOR } from './support/load.ts'
import { machine } from './support/machine.ts'
import { say } from './support/progress.ts'
import { markdown, plainText } from './support/table.ts'

/** In the order in which they are run: first those that share one field of contestants. */
const QUESTIONS: readonly Question[] = [
  show,
  filters,
  titles,
  changes,
  countries,
  notModified,
  compression,
  gate,
  processes,
  growth,
  importing,
  nodes,
  whileImporting,
]

const HELP = `npm run bench -- [options] [question…]

Questions (all of them, if none is named):
${QUESTIONS.map(({ name, asks }) => `  ${name.padEnd(16)} ${asks}`).join('\n')}

Options:
  --shows N          size of the catalog (5000)
  --rounds N         rounds for each contestant, in turns (3)
  --duration N       seconds a round (1)
  --connections N    connections of the load generator (16)
  --peers A,B        which peers take part: ${PEER_NAMES.join(', ')}; none (all)
  --json [FILE]      prints the figures as JSON, or writes them to a file beside the tables
  --markdown         prints the tables as Markdown
  --help`

const { values, positionals } = parseArgs({
  args: process.argv.slice(2).map((arg, i, all) => (arg === '--json' ? jsonArgument(all[i + 1]) : arg)),
  allowPositionals: true,
  options: {
    shows: { type: 'string', default: '5000' },
    rounds: { type: 'string', default: '3' },
    duration: { type: 'string', default: '1' },
    connections: { type: 'string', default: '16' },
    peers: { type: 'string', default: PEER_NAMES.join(',') },
    json: { type: 'string' },
    markdown: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** `--json` may stand alone: then the figures go to standard output. */
function jsonArgument(next: string | undefined): string {
  return next?.endsWith('.json') ? '--json' : '--json=-'
}

function wholeNumber(name: 'shows' | 'rounds' | 'duration' | 'connections'): number {
  const value = Number(values[name])
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a whole number from 1 up`)
  return value
}

function chosenPeers(): PeerName[] {
  const names = values.peers.split(',').filter((name) => name !== '' && name !== 'none')
  const unknown = names.find((name) => !(PEER_NAMES as readonly string[]).includes(name))
  if (unknown !== undefined) throw new Error(`There is no peer "${unknown}"; there are ${PEER_NAMES.join(', ')}`)
  return names as PeerName[]
}

function chosenQuestions(): Question[] {
  const unknown = positionals.find((name) => !QUESTIONS.some((question) => question.name === name))
  if (unknown !== undefined) throw new Error(`There is no question "${unknown}"\n\n${HELP}`)
  return QUESTIONS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
}

async function main(): Promise<void> {
  if (values.help) {
    console.log(HELP)
    return
  }
  const options = {
    shows: wholeNumber('shows'),
    rounds: wholeNumber('rounds'),
    seconds: wholeNumber('duration'),
    connections: wholeNumber('connections'),
    peers: chosenPeers(),
  }
  const questions = chosenQuestions()
  const bench = new Bench(options)
  const report: Record<string, unknown> = {}
  const print = values.json === '-' ? () => {} : (text: string) => console.log(text)
  print(introduction(bench))
  try {
    for (const question of questions) {
      say(question.asks)
      const { tables, figures } = await question.find(bench)
      report[question.name] = figures
      for (const table of tables) print(values.markdown ? markdown(table) : plainText(table))
    }
  } finally {
    await bench.stop()
  }
  if (values.json === undefined) return
  const json = JSON.stringify(
    { machine: machine(), options, loadGenerator: LOAD_GENERATOR, questions: report },
    null,
    2,
  )
  if (values.json === '-') console.log(json)
  else writeFileSync(values.json, `${json}\n`)
}

function introduction({ shows, rounds, seconds, connections, cores }: Bench): string {
  const { cpu, cores: count, node, date } = machine()
  return [
    `${shows.toLocaleString('en')} shows; ${rounds} rounds of ${seconds} s, in turns; ${connections} connections by ${LOAD_GENERATOR}.`,
    `${cpu}, ${count} cores, Node.js ${node}, ${date}.`,
    cores
      ? `Those who answer are pinned to core ${cores.serving}, the load generator to core ${cores.asking}.`
      : 'Nothing is pinned to a core.',
    '',
  ].join('\n')
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? (error.stack ?? error.message) : error)
    process.exit(1)
  },
)
