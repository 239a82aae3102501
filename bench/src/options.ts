import { parseArgs } from 'node:util'
import type { Scenario } from './context.ts'
import type { RunOptions } from './results/figures.ts'
import { SCENARIOS, selectScenarios } from './scenarios/scenarios.ts'
import { PEER_NAMES } from './targets/peers/peers.ts'

/** The usage text. */
export const HELP = `npm run bench -- [options] [scenario…]
npm run bench -- report [--check]

Scenarios (default: all):
${SCENARIOS.map(({ name, description }) => `  ${name.padEnd(16)} ${description}`).join('\n')}

Options:
  --shows N          size of the catalog (default 5000)
  --episodes N       episodes of the catalog of the scenario episodes (default 100 for each show)
  --rounds N         rounds for each target, alternating (default 3)
  --duration N       seconds per round (default 1)
  --connections N    connections of the load generator (default 16)
  --peers A,B        peers to compare with: ${PEER_NAMES.join(', ')}, or none (default all)
  --save             stores the figures in bench/results/latest.json
  --json [FILE]      prints the figures as JSON, or writes them to a file (ending in .json) beside the tables
  --markdown         prints the tables as Markdown
  --help

report writes the stored figures into docs/performance.md; with --check it only checks that they are there.`

/** The parsed command line. */
export interface Arguments {
  readonly help: boolean
  readonly run: RunOptions
  readonly scenarios: readonly Scenario[]
  readonly save: boolean
  /** A file, or `-` for standard output. */
  readonly json: string | undefined
  readonly markdown: boolean
}

/** Parses the command line; throws on unknown scenarios, unknown peers and numbers below 1. */
export function parseArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: args.map((arg, i) => (arg === '--json' ? jsonArgument(args[i + 1]) : arg)),
    allowPositionals: true,
    options: {
      shows: { type: 'string', default: '5000' },
      episodes: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      duration: { type: 'string', default: '1' },
      connections: { type: 'string', default: '16' },
      peers: { type: 'string', default: PEER_NAMES.join(',') },
      save: { type: 'boolean', default: false },
      json: { type: 'string' },
      markdown: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const shows = parseCount('shows', values.shows)
  return {
    help: values.help,
    run: {
      shows,
      episodes: parseCount('episodes', values.episodes ?? String(100 * shows)),
      rounds: parseCount('rounds', values.rounds),
      seconds: parseCount('duration', values.duration),
      connections: parseCount('connections', values.connections),
      peers: parsePeers(values.peers),
    },
    scenarios: selectScenarios(positionals),
    save: values.save,
    json: values.json,
    markdown: values.markdown,
  }
}

/** `--json` takes an optional value: without a file name, the figures go to standard output. */
function jsonArgument(next: string | undefined): string {
  return next?.endsWith('.json') ? '--json' : '--json=-'
}

function parseCount(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be an integer of at least 1`)
  return value
}

function parsePeers(text: string): string[] {
  const names = text.split(',').filter((name) => name !== '' && name !== 'none')
  const unknown = names.find((name) => !(PEER_NAMES as readonly string[]).includes(name))
  if (unknown !== undefined) throw new Error(`Unknown peer "${unknown}". Peers: ${PEER_NAMES.join(', ')}`)
  return names
}
